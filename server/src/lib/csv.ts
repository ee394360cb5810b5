// Tables as text (RFC 4180), safe to open in a spreadsheet: no cell is taken for a formula.

/** What spreadsheets take for the beginning of a formula; a leading space or line break does not keep them from it. */
const formula = /^\s*[=+\-@|%\t\r]/;

/** A quotation mark in front makes it text: shown as it is, and never worked out. */
const harmless = (text: string): string => (formula.test(text) ? `'${text}` : text);

function toCell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = harmless(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const toCsv = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map(toCell).join(",")}\r\n`).join("");
