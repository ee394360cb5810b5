// Reads a body of JSON: the one reader for the ordinary routes (bodies.ts) and for the hot path. Keys that reach for
// prototypes are dropped; text that not every database can store as it was sent is refused.
import { isUtf8 } from "node:buffer";
import { parse as parseJson } from "secure-json-parse";
import { isWithin } from "#lib/json-bounds.js";
import { fail } from "#platform/errors.js";
import { say } from "#words/said.js";
import { bodyBounds } from "./forms.js";

/** Undefined for an empty body; throws a 400 that says what is wrong. */
export function readJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw fail.invalidJson(say.bodies.notUtf8);
  // Some editors put a byte order mark in front; trimming takes it away.
  const text = bytes.toString("utf8").trim();
  if (text === "") return undefined;
  // The plain search first: it is many times faster than the exact one, and nearly always enough.
  if (text.includes("\\u0000") && nulEscape.test(text)) throw fail.invalidJson(say.bodies.nul);
  const value = parse(text);
  if (!isWithin(value, bodyBounds)) throw fail.invalidJson(say.bodies.tooMuch);
  if (surrogateEscape.test(text) && !isWellFormed(value)) throw fail.invalidJson(say.bodies.halfCharacter);
  return value;
}

function parse(text: string): unknown {
  try {
    return parseJson(text, { protoAction: "remove", constructorAction: "remove" });
  } catch {
    throw fail.invalidJson(say.bodies.syntax);
  }
}

/** Text with NUL cannot be stored on every engine. */
const nulEscape = /(?<!\\)(?:\\\\)*\\u0000/;

/** The bytes are UTF-8, so half a character can come in by such an escape only. */
const surrogateEscape = /\\u[dD][89a-fA-F]/;

/** Half a character would be stored as another one. */
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
