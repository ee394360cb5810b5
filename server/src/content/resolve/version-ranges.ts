// Version numbers compared as people read them, and ranges of them: ">=1.2 <2". Authors number as they like, so this is
// a guess that fits most: numbers count as numbers, words mean something before the release, and what follows a "+" is
// about the build.

const longestRange = 8;
const comparator = /^(>=|<=|>|<|=)\s*([A-Za-z0-9][A-Za-z0-9._+-]{0,63})$/;

const tests: Record<string, (order: number) => boolean> = {
  ">=": (order) => order >= 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  "<": (order) => order < 0,
  "=": (order) => order === 0,
};

/** No version number begins like this. */
export const looksLikeRange = (text: string): boolean => /^\s*[<>=]/.test(text);

/** Whether a version number is within; undefined for what is no range. All parts must hold. */
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
