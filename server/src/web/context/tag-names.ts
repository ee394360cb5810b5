// Display names of categories and loaders: "game-mechanics" is shown as "Game mechanics".

export function tagName(name: string): string {
  const words = name.replaceAll(/[-_]+/g, " ").trim();
  // "8x-" and "512x+" are sizes: their last character belongs to the name.
  if (/^\d/.test(name)) return name;
  return words.charAt(0).toUpperCase() + words.slice(1);
}
