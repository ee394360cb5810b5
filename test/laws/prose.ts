// The sentences in a file: comments, string literals and test titles of a program, paragraphs of a document.
import { type ParseResult, parseSync } from "rolldown/utils";

type Comment = ParseResult["comments"][number];

export interface Prose {
  line: number;
  text: string;
  /** A title continues the name of its test file or group, so it starts with a small letter. */
  kind: "comment" | "string" | "title" | "paragraph" | "heading";
}

interface Node {
  type: string;
  start: number;
  value?: unknown;
  callee?: Node & { name?: string; object?: Node; callee?: Node };
  arguments?: Node[];
}

export function proseOf(path: string, text: string): Prose[] {
  if (path.endsWith(".md")) return paragraphsOf(text);
  const lang = path.endsWith(".tsx") ? "tsx" : path.endsWith(".ts") ? "ts" : "js";
  const { comments, program } = parseSync(path, text, { lang });
  const lineAt = lineFinder(text);
  return [...commentsIn(comments, text, lineAt), ...stringsIn(program, lineAt)];
}

type LineAt = (offset: number) => number;

function lineFinder(text: string): LineAt {
  const starts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
  return (offset) => starts.findLastIndex((start) => start <= offset) + 1;
}

/** Comments with `//` on consecutive lines are one text. */
function commentsIn(comments: readonly Comment[], text: string, lineAt: LineAt): Prose[] {
  const found: Prose[] = [];
  let previousEnd = 0;
  for (const { type, value, start, end } of comments) {
    const own = value
      .replace(/^\s*\*+/gm, "")
      .replace(/`[^`]*`/g, "`code`")
      .trim();
    const previous = found.at(-1);
    if (type === "Line" && previous && /^\n[ \t]*$/.test(text.slice(previousEnd, start))) previous.text += ` ${own}`;
    else found.push({ line: lineAt(start), text: own, kind: "comment" });
    previousEnd = end;
  }
  return found;
}

/** A string without a space is a name, a path or a value. Regular expressions are no strings. */
function stringsIn(program: unknown, lineAt: LineAt): Prose[] {
  const found: Prose[] = [];
  const titles = new Set<unknown>();
  const open: unknown[] = [program];
  while (open.length > 0) {
    const next = open.pop();
    if (next === null || typeof next !== "object") continue;
    const node = next as Node;
    if (node.type === "CallExpression" && isTestFunction(node.callee)) titles.add(node.arguments?.[0]);
    const value = textOf(node);
    if (value?.trim().includes(" "))
      found.push({ line: lineAt(node.start), text: value, kind: titles.has(node) ? "title" : "string" });
    open.push(...Object.values(node).reverse());
  }
  return found;
}

function textOf(node: Node): string | undefined {
  if ((node.type === "Literal" || node.type === "JSXText") && typeof node.value === "string") return node.value;
  if (node.type === "TemplateElement") return (node.value as { cooked: string | null }).cooked ?? undefined;
  return undefined;
}

/** `test`, `describe.each(rows)`, `test.skipIf(condition)` and the like. */
function isTestFunction(callee: Node["callee"]): boolean {
  if (!callee) return false;
  if (callee.name !== undefined) return callee.name === "test" || callee.name === "describe";
  return isTestFunction((callee.object ?? callee.callee) as Node["callee"]);
}

/** Paragraphs, list items and cells of tables. Code is left out. */
function paragraphsOf(text: string): Prose[] {
  const prose = text
    .replace(/^ *```[\s\S]*?^ *```/gm, (block) => block.replace(/[^\n]/g, ""))
    .replace(/`[^`\n]*`/g, "`code`");
  const lineAt = lineFinder(prose);
  return [...prose.matchAll(/(?:[^\n|]|\n(?![\n#>|*-]| *(?:[-*]|\d+\.) ))+/g)]
    .map((match) => ({
      line: lineAt(match.index + match[0].search(/\S|$/)),
      text: match[0].replace(/^[\s#>*-]*(?:\d+\. )?/, "").trimEnd(),
      kind: match[0].startsWith("#") ? ("heading" as const) : ("paragraph" as const),
    }))
    .filter((found) => found.text !== "");
}
