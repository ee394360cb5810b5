// Texts that are expensive to process: long runs for patterns that retry at every character, and characters that grow
// when they are normalized, folded or escaped.

/** Each is repeated. Together they cover every class of characters that a pattern can name. */
export const runs: Readonly<Record<string, string>> = {
  dashes: "-",
  spaces: " ",
  dots: ".",
  digits: "1",
  letters: "a",
  slashes: "/",
  lines: "\n",
  tabs: "\t",
  backslashes: "\\",
  addresses: "a@",
  labels: "a.",
  commas: ",",
  lists: "a, ",
  numbers: "1.",
  angles: "<",
  headings: "<h2>",
  comments: "<!--",
  brackets: "[",
  parentheses: "(",
  links: "[a](",
  pictures: "![",
  stars: "*a ",
  ticks: "`",
  hashes: "# a\n",
  quotes: "> ",
  tables: "|-",
  ampersands: "&a",
  percents: "%",
  equals: "=",
  pluses: "+",
  colons: ":",
  semicolons: "; ",
  questions: "?",
  underscores: "_",
  capitals: "A",
  "double quotes": '"',
  schemes: "https://",
  "combining marks": "\u0301",
  accents: "e\u0323\u0301",
  joiners: "\u200d",
  "hard spaces": "\u00a0",
  "full-width spaces": "\u3000",
  faces: "😀",
  "dotted capitals": "İ",
  ligatures: "ﷺ",
  syllables: "각",
};

export const runNames = Object.keys(runs);

/** The run with a character at its end that does not belong to it, so that a pattern fails only there. */
export function bait(name: string, length: number): string {
  const piece = runs[name]!;
  return `${piece
    .repeat(Math.ceil(length / piece.length))
    .slice(0, Math.max(0, length - 1))
    .toWellFormed()}\u0001`;
}

const runsInMix = 5;
const mixes = new Map<string, string>();

/** Several runs in one text, different for each number; each is long enough to reveal superlinear work. */
export function mix(at: number, length: number): string {
  const first = (at * runsInMix) % runNames.length;
  const key = `${first} ${length}`;
  let text = mixes.get(key);
  if (text === undefined) {
    const part = Math.floor(length / runsInMix);
    text = Array.from({ length: runsInMix }, (_, i) => bait(runNames[(first + i) % runNames.length]!, part)).join("");
    mixes.set(key, text);
  }
  return text;
}
