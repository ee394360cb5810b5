// Tables as CSV (RFC 4180), safe to open in a spreadsheet: no cell is evaluated as a formula.

/** Spreadsheets read these as the start of a formula, also after a space or a line break. */
const formula = /^\s*[=+\-@|%\t\r]/;

/** A leading apostrophe makes spreadsheets show the cell as text. */
const harmless = (text: string): string => (formula.test(text) ? `'${text}` : text);

function toCell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = harmless(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const toCsv = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map(toCell).join(",")}\r\n`).join("");
