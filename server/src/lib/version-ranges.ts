// Compares version numbers as people read them, and ranges such as ">=1.2 <2". Authors use many schemes, so this is a
// heuristic: digits are compared as numbers, words mean a pre-release, and everything after "+" is build metadata.

const longestRange = 8;
const comparator = /^(>=|<=|>|<|=)\s*([A-Za-z0-9][A-Za-z0-9._+-]{0,63})$/;

const tests: Record<string, (order: number) => boolean> = {
  ">=": (order) => order >= 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  "<": (order) => order < 0,
  "=": (order) => order === 0,
};

/** No version number starts like this. */
export const looksLikeRange = (text: string): boolean => /^\s*[<>=]/.test(text);

/** Tests whether a version number is in the range; undefined if the text is not a range. All parts must match. */
export function parseRange(text: string): ((versionNumber: string) => boolean) | undefined {
  const parts = text
    .trim()
    .split(/(?<!\s)\s+(?=[<>=])/)
    .map((part) => comparator.exec(part));
  if (parts.length > longestRange || !parts.every((part) => part !== null)) return undefined;
  return (versionNumber) =>
    parts.every(([, sign = "", bound = ""]) => tests[sign]!(compareVersionNumbers(versionNumber, bound)));
}

export function compareVersionNumbers(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const order = comparePart(left[at], right[at]);
    if (order !== 0) return order;
  }
  return 0;
}

const partsOf = (versionNumber: string): string[] =>
  versionNumber
    .split("+", 1)[0]!
    .toLowerCase()
    .match(/\d+|[a-z]+/g) ?? [];

/** Word < nothing = 0 < number. */
function comparePart(a: string | undefined, b: string | undefined): number {
  const isWord = (part: string | undefined) => part !== undefined && /^[a-z]/.test(part);
  if (isWord(a) || isWord(b)) {
    if (!isWord(a)) return 1;
    if (!isWord(b)) return -1;
    return a! < b! ? -1 : Number(a! > b!);
  }
  const [left, right] = [a ?? "", b ?? ""].map((part) => part.replace(/^0+/, "")) as [string, string];
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : Number(left > right);
}
