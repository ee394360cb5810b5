// Reads YAML that users edit by hand: plain data, with the line and column of every value. It knows nothing of
// taxonomies.
import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from "yaml";

export interface Problem {
  line: number;
  column: number;
  message: string;
}

export type Path = readonly (string | number)[];

export interface YamlSource {
  value: unknown;
  /** The position of the value at this path; for a missing value, the position of the nearest value around it. */
  place(path: Path): { line: number; column: number };
  placeOfKey(path: Path, key: string): { line: number; column: number };
}

const maxBytes = 1024 * 1024;

/** Part of the file as messages show it, safe for a terminal. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}…` : text);
}

// Clearer messages for some codes of the parser. Other codes keep the parser's own message.
const syntaxAdvice: Record<string, string> = {
  TAB_AS_INDENT: "A tab cannot be used to indent. Use spaces.",
  BAD_INDENT:
    "The indentation is wrong here, or a bracket above is not closed. Close it, or indent it like the lines around it.",
  BLOCK_AS_IMPLICIT_KEY:
    "There are two keys here. Put each on its own line with the same indentation; quote text that has a colon.",
  MULTILINE_IMPLICIT_KEY: "A key and its colon must be on one line. Check the indentation and the colon.",
  MISSING_CHAR: "A quote, bracket, comma or colon is missing before this position.",
  BAD_SCALAR_START: "Text that starts with this character must be in quotes.",
  MULTIPLE_DOCS: "A second document starts here. Remove the line --- and everything after it.",
  NON_STRING_KEY: "A key must be plain text.",
  RESOURCE_EXHAUSTION: "Brackets or lists are nested too deeply here. Remove the nesting.",
};

function findUnreadable(text: string): Problem | undefined {
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes) {
    const size = (bytes / maxBytes).toFixed(1);
    return { line: 1, column: 1, message: `The file has ${size} MiB. Shorten it to 1 MiB at most.` };
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters distinguish binary files from text.
  const binary = text.search(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]/);
  if (binary < 0) return undefined;
  const before = text.slice(0, binary).split("\n");
  const message = "This is not text. Save the file as plain text in UTF-8.";
  return { line: before.length, column: before.at(-1)!.length + 1, message };
}

/** Repeated keys and aliases in a well-formed document, as offset and message. */
function findRefused(document: Document, lineAt: (offset: number) => number): [number, string][] {
  const refused: [number, string][] = [];
  visit(document, {
    // Aliases could expand a small file to any size, and a taxonomy does not need them.
    Alias: (_, alias) => {
      refused.push([
        alias.range![0],
        `${quote(`*${alias.source}`)} repeats another part of the file. Write it out instead.`,
      ]);
    },
    Map: (_, map) => {
      const first = new Map<unknown, number>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        const offset = key.range![0];
        const earlier = first.get(key.value);
        if (earlier === undefined) first.set(key.value, offset);
        else
          refused.push([
            offset,
            `${quote(String(key.value))} is already given on line ${lineAt(earlier)}. Keep one of the two.`,
          ]);
      }
    },
  });
  return refused;
}

function nodeAt(document: Document, path: Path): Node | null {
  let node = document.contents;
  for (const step of path) {
    const next = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && key.value === step)?.value
      : isSeq(node)
        ? node.items[Number(step)]
        : undefined;
    if (!next) break;
    node = next as Node;
  }
  return node;
}

/** Further problems on the same line are mostly consequences of the first. */
function keepFirstOfLine(problems: Problem[]): Problem[] {
  const lines = new Set<number>();
  return problems.filter(({ line }) => !lines.has(line) && lines.add(line));
}

export function readYaml(text: string): { source: YamlSource } | { problems: Problem[] } {
  const unreadable = findUnreadable(text);
  if (unreadable) return { problems: [unreadable] };

  const lines = new LineCounter();
  const document: Document = parseDocument(text, {
    schema: "core",
    // Version numbers are strings: as a number, 1.20 would become 1.2.
    customTags: (tags) => tags.filter((tag) => typeof tag === "string" || !/:(int|float)$/.test(tag.tag)),
    stringKeys: true,
    // This check of the parser takes quadratic time; findRefused does not.
    uniqueKeys: false,
    prettyErrors: false,
    lineCounter: lines,
  });
  const placeOf = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };

  const syntax = [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0]);
  if (syntax.length > 0) {
    const problems = syntax.map(({ code, message, pos }) => ({
      ...placeOf(pos[0]),
      message: syntaxAdvice[code] ?? `${message}. Correct the YAML here.`,
    }));
    return { problems: keepFirstOfLine(problems) };
  }
  const refused = findRefused(document, (offset) => placeOf(offset).line);
  if (refused.length > 0) return { problems: refused.map(([offset, message]) => ({ ...placeOf(offset), message })) };

  const place = (path: Path) => placeOf(nodeAt(document, path)?.range?.[0] ?? 0);
  const placeOfKey = (path: Path, key: string) => {
    const map = nodeAt(document, path);
    const pair = isMap(map) ? map.items.find((item) => isScalar(item.key) && item.key.value === key) : undefined;
    return isScalar(pair?.key) ? placeOf(pair.key.range![0]) : place(path);
  };
  return { source: { value: document.toJS(), place, placeOfKey } };
}
