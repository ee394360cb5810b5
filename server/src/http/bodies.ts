// Turns bodies into values: JSON, also where it is labelled text/plain (existing clients send that), and HTML forms. Keys
// that reach for prototypes are dropped; text that not every engine can store as it was sent is refused.
import { isUtf8 } from "node:buffer";
import type { FastifyInstance } from "fastify";
import { fail } from "../errors.js";

export function parseBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser("remove", "remove");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(["application/json", "text/plain"], { parseAs: "buffer" }, (request, body, done) => {
    const refuse = (problem: string) => done(fail.invalidJson(problem), undefined);
    const bytes = Buffer.from(body);
    if (!isUtf8(bytes)) return refuse("it is not UTF-8");
    // Some editors put a byte order mark in front; trimming takes it away.
    const text = bytes.toString("utf8").trim();
    if (text === "") return done(null, undefined);
    // The plain search first: it is many times faster than the exact one, and nearly always enough.
    if (text.includes("\\u0000") && nulEscape.test(text)) return refuse("NUL characters are not allowed");
    parseJson(request, text, (error, value) => {
      if (error) return refuse("look at its quotes, commas and brackets");
      if (surrogateEscape.test(text) && !isWellFormed(value)) return refuse("it holds half a character");
      done(null, value);
    });
  });
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) => {
    const text = body.toString();
    if (text.includes("%00") || text.includes("\0"))
      return done(fail.multipartInvalid("NUL characters are not allowed"), undefined);
    done(null, toFields(new URLSearchParams(text)));
  });
}

/** A name that comes several times, such as that of boxes that were ticked, has a list. */
function toFields(pairs: URLSearchParams): Record<string, string | string[]> {
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of pairs) {
    const before = fields.get(name);
    fields.set(name, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(fields);
}

/** Text with NUL cannot be stored on every engine, and nobody means it. */
const nulEscape = /(?<!\\)(?:\\\\)*\\u0000/;

/** Only with such an escape can half a character come in: the bytes themselves are UTF-8. */
const surrogateEscape = /\\u[dD][89a-fA-F]/;

/** Half a character would be stored as another one. Without recursion: a body may be nested very deep. */
function isWellFormed(value: unknown): boolean {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "string" && !next.isWellFormed()) return false;
    if (typeof next !== "object" || next === null) continue;
    for (const [key, item] of Object.entries(next)) open.push(key, item);
  }
  return true;
}
