// Integers as Intl.NumberFormat writes them, in a third of its time: a list of projects has more than a hundred of them.
// Each rule is compared with Intl once; if they differ in a language, Intl writes its numbers.

type WriteNumber = (value: number) => string;

const isPlain = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

const samples = [0, 7, 1204, 98_765, 123_456, 1_234_567, 9_876_543_210_123];

/** 1,204 */
export function integerTexts(format: Intl.NumberFormat): WriteNumber {
  const separator = format.formatToParts(1_234_567).find(({ type }) => type === "group")?.value ?? "";
  const grouped: WriteNumber = (value) => {
    let rest = String(value);
    let text = "";
    for (; rest.length > 3; rest = rest.slice(0, -3)) text = separator + rest.slice(-3) + text;
    return rest + text;
  };
  // -0 is written as 0.
  const byIntl: WriteNumber = (value) => format.format(value + 0);
  if (samples.some((value) => grouped(value) !== format.format(value))) return byIntl;
  return (value) => (isPlain(value) ? grouped(value) : byIntl(value));
}

/** A rule for numbers with the same number of digits. */
type Rule = (value: number) => string | undefined;

const mostDigits = 15;

/** 12.4K. `whole` writes integers in full, and `tenths` writes 12.4 for 124. */
export function shortTexts(format: Intl.NumberFormat, whole: WriteNumber, tenths: WriteNumber): WriteNumber {
  const rules = Array.from({ length: mostDigits + 1 }, (_, digits) => findRule(digits, format, whole, tenths));
  return (value) => (isPlain(value) && rules[String(value).length]?.(value)) || format.format(value);
}

function findRule(
  digits: number,
  format: Intl.NumberFormat,
  whole: WriteNumber,
  tenths: WriteNumber,
): Rule | undefined {
  const examples = ["100000000000000", "123456789012345", "200000000000000", "987654321098765"].map((text) =>
    Number(text.slice(0, digits)),
  );
  const fits = (rule: Rule) => examples.every((value) => rule(value) === format.format(value));
  if (fits(whole)) return whole;
  const parts = format.formatToParts(examples[1]!);
  const shown = parts.filter(({ type }) => type === "integer").reduce((sum, { value }) => sum + value.length, 0);
  const suffix = parts
    .filter(({ type }) => type === "literal" || type === "compact")
    .map(({ value }) => value)
    .join("");
  const divisor = 10 ** (digits - shown - 1);
  const scaled: Rule = (value) => {
    const count = Math.round(value / divisor);
    // A number that is rounded up to one more digit has another unit.
    return count < 10 ** (shown + 1) ? tenths(count) + suffix : undefined;
  };
  return fits(scaled) ? scaled : undefined;
}
