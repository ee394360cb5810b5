// Whether the work of a regular expression grows faster than the text that it is given. Two ways together: a static
// analysis, which knows texts of one repeated character, and trying it with texts made from the pattern's own parts.
import { type AST, RegExpParser } from "@eslint-community/regexpp";
import { analyse } from "scslre";

const parser = new RegExpParser();

/** The fault of the pattern, if any. */
export function superLinear(pattern: RegExp): string | undefined {
  const { source, flags } = pattern;
  const [report] = analyse({ source, flags }, { reportTypes: { Move: true }, maxReports: 1 }).reports;
  if (report) return report.exponential ? "exponential" : `more than linear (${report.type})`;
  const attack = attacksOn(pattern).find((each) => counts.some((count) => isDear(pattern, textOf(each, count))));
  return attack && `more than linear for ${JSON.stringify(textOf(attack, 5))}…`;
}

interface Attack {
  before: string;
  pump: string;
}

/** Growing lengths: exponential work shows early, and would never end later. */
const counts = [8, 12, 16, 20, 24, 28, 32, 40, 50, 64, 100, 1000, 24_000];
/** Linear work takes far less than a millisecond; quadratic work takes some 70 million steps. */
const mostMs = 15;
const tries = 3;

/** Ends with an unexpected character, so that the match fails only there. */
const textOf = ({ before, pump }: Attack, count: number): string =>
  `${before}${pump.repeat(Math.ceil(count / (count > 100 ? pump.length : 1)))}\n\u0001`;

function isDear(pattern: RegExp, text: string): boolean {
  const global = new RegExp(pattern, pattern.flags.replace(/[gy]/g, "") + (pattern.sticky ? "y" : "g"));
  return Array.from({ length: tries }).every(() => {
    const before = process.threadCpuUsage();
    text.replace(global, "");
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000 > mostMs;
  });
}

/** Every few neighbouring parts of the pattern, repeated, with and without the parts before them. */
function attacksOn(pattern: RegExp): Attack[] {
  const { source, flags } = pattern;
  const unicode = flags.includes("u");
  const tree = parser.parsePattern(source, 0, source.length, { unicode, unicodeSets: flags.includes("v") });
  const attacks = new Map<string, Attack>();
  for (const sequence of sequencesOf(tree.alternatives)) {
    const samples = sequence.map((element) => sampleOf(element, flags));
    for (let from = 0; from < samples.length; from++) {
      for (let to = from + 1; to <= Math.min(samples.length, from + 4); to++) {
        const pump = samples.slice(from, to).join("");
        if (pump === "") continue;
        const start = samples.slice(0, from).join("");
        for (const before of ["", start]) attacks.set(`${before} ${pump}`, { before, pump });
      }
    }
  }
  return [...attacks.values()];
}

/** Every alternative of the pattern and of the groups in it. */
function sequencesOf(alternatives: readonly AST.Alternative[]): readonly AST.Element[][] {
  return alternatives.flatMap(({ elements }) => [
    elements,
    ...elements.flatMap((element) => {
      const inner = element.type === "Quantifier" ? element.element : element;
      return "alternatives" in inner ? sequencesOf(inner.alternatives as AST.Alternative[]) : [];
    }),
  ]);
}

const candidates = [..."a1 -_.,:;/\\<>[](){}=+*?!@#%&|^$~'\"`\n\tAZz09é\u0301\u00a0\0😀"];

const letters = Array.from({ length: 0x250 }, (_, code) => String.fromCodePoint(code));

/** A short text that the element matches. */
function sampleOf(element: AST.Element, flags: string): string {
  switch (element.type) {
    case "Character":
      return String.fromCodePoint(element.value);
    case "CharacterSet":
    case "CharacterClass":
    case "ExpressionCharacterClass": {
      const one = new RegExp(`^(?:${element.raw})$`, flags.replace(/[gym]/g, ""));
      return candidates.find((text) => one.test(text)) ?? letters.find((text) => one.test(text)) ?? "";
    }
    case "Quantifier":
      return sampleOf(element.element, flags).repeat(Math.max(1, Math.min(element.min, 100)));
    case "Group":
    case "CapturingGroup":
      return element.alternatives[0]!.elements.map((each) => sampleOf(each, flags)).join("");
    case "Backreference":
      return [element.resolved].flat().map((group) => sampleOf(group, flags))[0] ?? "";
    default:
      return "";
  }
}
