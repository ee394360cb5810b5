// Reads YAML that users edit by hand: plain data, with the line and column of every value. It knows nothing of
// taxonomies.
import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from "yaml";
import { type Said, say } from "#words/said.js";

export interface Problem {
  line: number;
  column: number;
  message: Said;
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
const syntaxAdvice: Record<string, Said> = {
  TAB_AS_INDENT: say.taxonomy.tabIndent,
  BAD_INDENT: say.taxonomy.badIndent,
  BLOCK_AS_IMPLICIT_KEY: say.taxonomy.keysTogether,
  MULTILINE_IMPLICIT_KEY: say.taxonomy.keyOnLines,
  MISSING_CHAR: say.taxonomy.missingCharacter,
  BAD_SCALAR_START: say.taxonomy.needsQuotes,
  MULTIPLE_DOCS: say.taxonomy.secondDocument,
  NON_STRING_KEY: say.taxonomy.plainKey,
  RESOURCE_EXHAUSTION: say.taxonomy.tooDeep,
};

function findUnreadable(text: string): Problem | undefined {
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes) {
    const size = (bytes / maxBytes).toFixed(1);
    return { line: 1, column: 1, message: say.taxonomy.fileTooLarge(size) };
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters distinguish binary files from text.
  const binary = text.search(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]/);
  if (binary < 0) return undefined;
  const before = text.slice(0, binary).split("\n");
  return { line: before.length, column: before.at(-1)!.length + 1, message: say.taxonomy.notText };
}

/** Repeated keys and aliases in a well-formed document, as offset and message. */
function findRefused(document: Document, lineAt: (offset: number) => number): [number, Said][] {
  const refused: [number, Said][] = [];
  visit(document, {
    // Aliases could expand a small file to any size, and a taxonomy does not need them.
    Alias: (_, alias) => {
      refused.push([alias.range![0], say.taxonomy.alias(quote(`*${alias.source}`))]);
    },
    Map: (_, map) => {
      const first = new Map<unknown, number>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        const offset = key.range![0];
        const earlier = first.get(key.value);
        if (earlier === undefined) first.set(key.value, offset);
        else refused.push([offset, say.taxonomy.keyTwice(quote(String(key.value)), lineAt(earlier))]);
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
      message: syntaxAdvice[code] ?? say.taxonomy.syntax(message),
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
