// `conforms({ "4.pat.list": "GET | /api/pat | …" }, async () => { … })`: a test that claims statements of the interface by
// their names and has their words beside it.
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
