// Reads as much of TOML as mod manifests need: tables, lists of tables, texts and truth values. It never fails; what it
// does not know (numbers, dates, arrays, inline tables) it passes over.

export type TomlValue = string | boolean | TomlTable | TomlTable[];
export interface TomlTable {
  [key: string]: TomlValue;
}

const blank = /(?:\s|#[^\n]*)+/y;
const restOfLine = /[^\n]*/y;
const header = /\[(\[)?[ \t]*([^\][\n]{1,200}?)[ \t]*\]\]?/y;
const keyAndEquals = /([\w.-]{1,100}|"[^"\n]{1,100}"|'[^'\n]{1,100}')[ \t]*=[ \t]*/y;
const longText = /"""\r?\n?((?:[^\\]|\\[\s\S])*?)"""|'''\r?\n?([\s\S]*?)'''/y;
const text = /"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'/y;
const truth = /(true|false)\b/y;
const keyPart = /"([^"]*)"|'([^']*)'|([\w-]+)/g;
const maxDepth = 8;

export function parseToml(source: string): TomlTable {
  const root = createTable();
  let table = root;
  let at = 0;

  function match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (!found) return undefined;
    at = pattern.lastIndex;
    return found;
  }

  function readValue(): string | boolean | undefined {
    const long = match(longText);
    if (long) return long[2] ?? resolveEscapes(long[1]!);
    const short = match(text);
    if (short) return short[2] ?? resolveEscapes(short[1]!);
    const word = match(truth);
    return word ? word[1] === "true" : undefined;
  }

  while (at < source.length) {
    if (match(blank)) continue;
    const opened = match(header);
    const assigned = opened ? undefined : match(keyAndEquals);
    if (opened) table = openTable(root, splitKey(opened[2]!), opened[1] !== undefined);
    if (assigned) {
      const value = readValue();
      if (value !== undefined) assign(table, splitKey(assigned[1]!), value);
    }
    match(restOfLine);
  }
  return root;
}

/** Without a prototype, so that no key of a manifest means anything but itself. */
function createTable(): TomlTable {
  return Object.create(null) as TomlTable;
}

function splitKey(key: string): string[] {
  return [...key.matchAll(keyPart)].map((part) => part[1] ?? part[2] ?? part[3]!).slice(0, maxDepth);
}

function openTable(root: TomlTable, path: readonly string[], isListed: boolean): TomlTable {
  let table = root;
  for (const [index, key] of path.entries()) {
    const isNew = isListed && index === path.length - 1;
    const present = table[key];
    const list = Array.isArray(present) ? present : undefined;
    if (isNew) {
      const added = createTable();
      if (list) list.push(added);
      else table[key] = [added];
      table = added;
    } else {
      const next = list?.at(-1) ?? (typeof present === "object" && !list ? (present as TomlTable) : createTable());
      if (!list) table[key] = next;
      table = next;
    }
  }
  return table;
}

function assign(table: TomlTable, path: readonly string[], value: string | boolean): void {
  const name = path.at(-1);
  if (name !== undefined) openTable(table, path.slice(0, -1), false)[name] = value;
}

const escapes: Record<string, string> = { n: "\n", t: "\t", r: "\r", '"': '"', "\\": "\\" };

function resolveEscapes(raw: string): string {
  return raw.replace(/\\(?:u([0-9a-fA-F]{4})|\r?\n\s*|([\s\S]))/g, (_all, code?: string, character?: string) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return character === undefined ? "" : (escapes[character] ?? character);
  });
}
