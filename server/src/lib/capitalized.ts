// The first letter in upper case, for words that come to stand at the beginning of a sentence.

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
