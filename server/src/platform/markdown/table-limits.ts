// Limits on tables. A short text can produce a very large table, because an empty row gets as many cells as the head.
// The cells are therefore counted before they are created.
import type { MarkdownIt } from "markdown-it";

const mostColumns = 64;
/** For all tables of a text together. */
const mostCells = 5_000;

interface Env {
  tableCells?: number;
}

/** A table with too many columns stays text; the rows beyond the limit become text below the table. */
export function limitTables(parser: MarkdownIt): void {
  const rule = parser.block.ruler.getRules("").find(({ name }) => name === "table");
  if (!rule) throw new Error("The markdown parser has no rule for tables");
  parser.block.ruler.at(
    "table",
    (state, startLine, endLine, silent) => {
      if (startLine + 2 > endLine) return false;
      const env = state.env as Env;
      const used = env.tableCells ?? 0;
      const columns = countColumns(state.getLines(startLine + 1, startLine + 2, 0, false));
      const mostRows = Math.floor((mostCells - used) / columns);
      if (columns > mostColumns || mostRows < 1) return false;
      // The delimiter row below the head has no cells.
      const isTable = rule(state, startLine, Math.min(endLine, startLine + 1 + mostRows), silent);
      if (isTable && !silent) env.tableCells = used + columns * (state.line - startLine - 1);
      return isTable;
    },
    { alt: ["paragraph", "reference"] },
  );
}

/** Counts columns in the delimiter row, whose outer bars are optional. */
const countColumns = (dashes: string): number =>
  dashes
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|").length;
