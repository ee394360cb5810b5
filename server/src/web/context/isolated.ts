// A name inside a sentence. If it is written from right to left, it would change the order of the words around it.

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Wrapped in Unicode isolate characters if it contains right-to-left letters. */
export const isolated = (name: string): string => (rightToLeft.test(name) ? `\u2068${name}\u2069` : name);
