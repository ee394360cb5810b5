// Whole bodies of the largest accepted size, in every content type, made as expensive to read as possible. Each is a
// function, so that it can be made again with other content: a cached answer would show nothing.

export interface Body {
  type: string | undefined;
  bytes: Buffer;
}

export type MakeBody = (fields: readonly string[], salt: number) => Body;

/** The server's own limit is 256 KiB. */
export const mostBytes = 255 * 1024;
/** The limit for a form without its files. */
export const mostFormBytes = 1023 * 1024;

/** Repeats the piece as often as it fits between the two ends. */
function filled(start: string, piece: (at: number) => string, end: string, most = mostBytes): Buffer {
  let left = most - start.length - end.length;
  const first = piece(0);
  // A constant piece is built only once.
  if (first === piece(1)) return Buffer.from(start + first.repeat(Math.floor(left / first.length)) + end);
  const pieces: string[] = [];
  for (let at = 0; left >= 0; at++) {
    const next = piece(at);
    left -= next.length;
    if (left >= 0) pieces.push(next);
  }
  return Buffer.from(start + pieces.join("") + end);
}

const json = (bytes: Buffer): Body => ({ type: "application/json", bytes });
const form = (bytes: Buffer): Body => ({ type: "application/x-www-form-urlencoded", bytes });
const named = (fields: readonly string[], at: number): string => fields[at % Math.max(1, fields.length)] ?? "a";

const jsonBodies: Record<string, MakeBody> = {
  "one key again and again": (_, salt) => json(filled(`{"a":${salt}`, () => ',"a":1', "}")),
  "keys of the route again and again": (fields, salt) =>
    json(filled(`{"x":${salt}`, (at) => `,"${named(fields, at)}":${at % 10}`, "}")),
  "thousands of keys": (_, salt) => json(filled(`{"x":${salt}`, (at) => `,"k${at}":1`, "}")),
  "keys that are numbers": (_, salt) => json(filled(`{"x":${salt}`, (at) => `,"${(at * 7919) % 4294967290}":1`, "}")),
  "lists in lists": (_, salt) => json(Buffer.from(`{"x":${salt},"a":${"[".repeat(127_000)}${"]".repeat(127_000)}}`)),
  "objects in objects": (_, salt) =>
    json(Buffer.from(`{"x":${salt},"a":${'{"a":'.repeat(42_000)}1${"}".repeat(42_000)}}`)),
  "a list of everything": (_, salt) => json(filled(`[${salt}`, () => ",0", "]")),
  "a list of objects": (_, salt) => json(filled(`[${salt}`, () => ",{}", "]")),
  "wrong items in every field": (fields, salt) =>
    json(
      Buffer.from(
        `{"x":${salt}${fields
          .map((name) => `,"${name}":[${"0,".repeat(Math.floor(mostBytes / fields.length / 2) - name.length - 8)}0]`)
          .join("")}}`,
      ),
    ),
  "objects in every field": (fields, salt) =>
    json(
      Buffer.from(
        `{"x":${salt}${fields
          .map((name) => {
            const count = Math.floor(mostBytes / fields.length / 14);
            return `,"${name}":[${Array.from({ length: count }, (_, at) => `{"a":${at}}`).join()}]`;
          })
          .join("")}}`.slice(0, mostBytes),
      ),
    ),
  "a number of a quarter million digits": (_, salt) => json(Buffer.from(`{"a":${salt}${"1".repeat(mostBytes - 20)}}`)),
  "a text that never ends": (_, salt) => json(Buffer.from(`{"a":"${salt}${"x".repeat(mostBytes - 20)}`)),
  "escapes only": (_, salt) => json(filled(`{"x":${salt},"a":"`, () => "\\ud83d\\ude00", '"}')),
  "backslashes before what looks like NUL": (_, salt) => json(filled(`{"x":${salt},"a":"`, () => "\\\\u0000", '"}')),
  "white space": (_, salt) => json(Buffer.from(`${" ".repeat(mostBytes / 2)}${salt}${" ".repeat(mostBytes / 2)}`)),
  "bytes that are no text": () => json(Buffer.alloc(mostBytes, 0xe2)),
};

const formBodies: Record<string, MakeBody> = {
  "one name again and again": (_, salt) => form(filled(`x=${salt}`, () => "&a", "")),
  "one name of the route again and again": (fields, salt) =>
    form(filled(`x=${salt}`, () => `&${fields[0] ?? "a"}=1`, "")),
  "names of the route again and again": (fields, salt) =>
    form(filled(`x=${salt}`, (at) => `&${named(fields, at)}=1`, "")),
  "thousands of names": (_, salt) => form(filled(`x=${salt}`, (at) => `&k${at}`, "")),
  "ampersands only": (_, salt) => form(filled(`x=${salt}`, () => "&", "")),
  "percent signs": (_, salt) => form(filled(`x=${salt}&a=`, () => "%", "")),
  "escaped bytes that are no text": (_, salt) => form(filled(`x=${salt}&a=`, () => "%ff", "")),
  "plus signs": (_, salt) => form(filled(`x=${salt}&a=`, () => "+", "")),
  "one long name": (_, salt) => form(filled(`x=${salt}&`, () => "a[", "")),
};

const boundary = "----adversary";
const multipart = (bytes: Buffer): Body => ({ type: `multipart/form-data; boundary=${boundary}`, bytes });
const part = (head: string, content: string): string =>
  `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
const formEnd = `--${boundary}--\r\n`;
const parts = (piece: (at: number) => string, most = mostFormBytes): Body =>
  multipart(filled("", piece, formEnd, most));

const multipartBodies: Record<string, MakeBody> = {
  "one part again and again": (fields, salt) => parts(() => part(`name="${fields[0] ?? "a"}"`, `${salt}`)),
  "thousands of parts": (_, salt) => parts((at) => part(`name="k${at}"`, `${salt}`)),
  "parts without a name": () => parts(() => part("", "")),
  "files without content": (fields) => parts((at) => part(`name="${named(fields, at)}"; filename="a${at}"`, "")),
  "file names of dashes": (fields, salt) =>
    parts((at) => part(`name="${named(fields, at)}"; filename="${salt}${"-".repeat(78_000)}a"`, "x")),
  "file names of dots": (fields, salt) =>
    parts((at) => part(`name="${named(fields, at)}"; filename="${salt}${".-".repeat(39_000)}a"`, "x")),
  "file names of spaces": (fields, salt) =>
    parts((at) => part(`name="${named(fields, at)}"; filename="${salt}${" ".repeat(78_000)}a"`, "x")),
  "file names in escapes": (fields, salt) =>
    parts((at) => part(`name="${named(fields, at)}"; filename*=UTF-8''${salt}${"%cc%81".repeat(13_000)}`, "x")),
  "names of dashes": (_, salt) => parts(() => part(`name="${salt}${"-".repeat(78_000)}"`, "x")),
  "backslashes in names": (_, salt) => parts(() => part(`name="${salt}${"\\".repeat(78_000)}"`, "x")),
  "parameters of a heading": (_, salt) => parts(() => part(`name="${salt}"${"; a=b".repeat(15_000)}`, "x")),
  "headings of many lines": (_, salt) =>
    parts(() => part(`name="${salt}"${Array.from({ length: 1900 }, (_, at) => `\r\nX-${at}: ${at}`).join("")}`, "x")),
  "one long heading": (_, salt) => parts(() => part(`name="${salt}"\r\nX-Long: ${"h".repeat(78_000)}`, "x")),
  "types of parts": (_, salt) =>
    parts(() => part(`name="${salt}"\r\nContent-Type: text/plain${"; a=b".repeat(15_000)}`, "x")),
  "parts that say they are JSON": (fields, salt) =>
    parts((at) =>
      part(
        `name="${named(fields, at)}"\r\nContent-Type: application/json`,
        `{"x":${salt},"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
      ),
    ),
  "one part that says it is JSON": (fields, salt) =>
    multipart(
      Buffer.from(
        part(
          `name="${fields.at(-1) ?? "a"}"\r\nContent-Type: application/json`,
          `{"x":${salt},"a":${"[".repeat(120_000)}${"]".repeat(120_000)}}`,
        ) + formEnd,
      ),
    ),
  "beginnings of the boundary": (fields, salt) =>
    multipart(
      filled(part(`name="${fields[0] ?? "a"}"; filename="${salt}"`, "").slice(0, -2), () => "\r\n------adversar", ""),
    ),
  "nothing before the first part": (_, salt) => multipart(filled(`${salt}`, () => "\r\n--", "", mostFormBytes)),
  "line ends only": () => multipart(filled("", () => "\r\n", "", mostFormBytes)),
};

const otherBodies: Record<string, MakeBody> = {
  "JSON that says it is text": (fields, salt) => ({
    ...jsonBodies["wrong items in every field"]!(fields, salt),
    type: "text/plain",
  }),
  "lists in lists that say they are text": (fields, salt) => ({
    ...jsonBodies["lists in lists"]!(fields, salt),
    type: "text/plain;charset=UTF-8",
  }),
  "a form that says it is text": (fields, salt) => ({
    ...formBodies["one name again and again"]!(fields, salt),
    type: "text/plain",
  }),
  bytes: (_, salt) => ({ type: "application/octet-stream", bytes: Buffer.alloc(mostBytes, salt % 256) }),
  "bytes without a type": (_, salt) => ({ type: undefined, bytes: Buffer.alloc(mostBytes, salt % 256) }),
  "a form without a type": (fields, salt) => ({
    ...formBodies["one name again and again"]!(fields, salt),
    type: undefined,
  }),
  "a type with thousands of parameters": (_, salt) => ({
    type: `application/json${"; a=b".repeat(2500)}`,
    bytes: Buffer.from(`{"x":${salt}}`),
  }),
  "a type of spaces": (_, salt) => ({
    type: `application/json;${" ".repeat(12_000)}x`,
    bytes: Buffer.from(`{"x":${salt}}`),
  }),
  "a long boundary": (_, salt) => ({
    type: `multipart/form-data; boundary="${"\\-".repeat(6000)}`,
    bytes: Buffer.from(`${salt}`),
  }),
  "spaces before a boundary": (_, salt) => ({
    type: `multipart/form-data${`;${" ".repeat(1000)}`.repeat(12)}boundary`,
    bytes: Buffer.from(`${salt}`),
  }),
};

export const wholeBodies: Readonly<Record<string, Readonly<Record<string, MakeBody>>>> = {
  JSON: jsonBodies,
  form: formBodies,
  multipart: multipartBodies,
  other: otherBodies,
};

/** Name and text of each field, with as many entries of lists as a body of that size has room for. */
function pairsOf(fields: Record<string, unknown>, most: number, overhead: number): [name: string, text: string][] {
  const pairs: [string, string][] = [];
  let left = most;
  for (const [name, value] of Object.entries(fields))
    for (const one of [value].flat()) {
      const text = `${one}`;
      left -= name.length + text.length + overhead;
      if (left < 0 && Array.isArray(value)) break;
      pairs.push([name, text]);
    }
  return pairs;
}

/** The limit for texts and part headers in a form with files. */
const mostTextBytes = 760 * 1024;

/** A form with these texts and empty files. */
export const multipartOf = (fields: Record<string, unknown>): Body => {
  const pairs = pairsOf(fields, mostTextBytes, part('name=""', "").length);
  return multipart(Buffer.from(pairs.map(([name, text]) => part(`name="${name}"`, text)).join("") + formEnd));
};

export const urlencodedOf = (fields: Record<string, unknown>): Body =>
  form(Buffer.from(new URLSearchParams(pairsOf(fields, mostBytes, 2)).toString()));

export const jsonOf = (fields: Record<string, unknown>): Body => json(Buffer.from(JSON.stringify(fields)));

/** A file of the largest size that a part may have. */
export const multipartFile = (name: string, bytes: number, salt: number): Body =>
  multipart(
    Buffer.concat([
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`,
      ),
      Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
      Buffer.alloc(bytes - 16, salt % 256),
      Buffer.from(`\r\n${formEnd}`),
    ]),
  );
