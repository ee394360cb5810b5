// The regular expressions in a file, found by a real parser: a slash also divides, and closes a tag.
import { parseAst } from "rolldown/parseAst";

export interface Pattern {
  source: string;
  flags: string;
}

export interface PatternsInCode {
  literals: Pattern[];
  /** Calls of RegExp, as source text. */
  calls: string[];
}

interface Node {
  type: string;
  start: number;
  end: number;
  callee?: { name?: string };
  regex?: { pattern: string; flags: string } | null;
}

export function patternsIn(path: string, text: string): PatternsInCode {
  const found: PatternsInCode = { literals: [], calls: [] };
  const open: unknown[] = [parseAst(text, { lang: path.endsWith(".tsx") ? "tsx" : "ts" }, path)];
  while (open.length > 0) {
    const next = open.pop();
    if (next === null || typeof next !== "object") continue;
    const node = next as Node;
    if (node.regex) found.literals.push({ source: node.regex.pattern, flags: node.regex.flags });
    if (/^(?:New|Call)Expression$/.test(node.type) && node.callee?.name === "RegExp")
      found.calls.push(text.slice(node.start, node.end));
    open.push(...Object.values(node));
  }
  return found;
}
