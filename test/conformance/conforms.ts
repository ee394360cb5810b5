// `conforms({ "4.pat.list": "GET | /api/pat | …" }, async () => { … })`: a test that covers statements of the interface
// by their names and quotes their words.
import { test } from "vitest";
import { statements } from "./statements.js";

export function conforms(quotes: Readonly<Record<string, string>>, check: () => Promise<void> | void): void {
  for (const [id, quote] of Object.entries(quotes))
    if (statements.get(id) !== quote) throw new Error(`${id} reads: ${statements.get(id) ?? "(there is none)"}`);
  const title = Object.entries(quotes)
    .map(([id, quote]) => `${id} "${quote}"`)
    .join(", ");
  test(title, check);
}
