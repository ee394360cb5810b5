// Reads JSON bodies, for the ordinary routes (bodies.ts) and for the hot path. Keys that could change prototypes are
// dropped; text that not every database can store is refused.
import { isUtf8 } from "node:buffer";
import { parse as parseJson } from "secure-json-parse";
import { isWithin } from "#lib/json-bounds.js";
import { fail } from "#platform/errors.js";
import { say } from "#words/said.js";
import { bodyBounds } from "./forms.js";

/** Undefined for an empty body; throws a 400 that says what is wrong. */
export function readJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw fail.invalidJson(say.bodies.notUtf8);
  // Some editors add a byte order mark; trim() removes it.
  const text = bytes.toString("utf8").trim();
  if (text === "") return undefined;
  // Plain searches are many times faster than the exact ones, and nearly always enough.
  const hasEscapes = text.includes("\\");
  if (hasEscapes && nulEscape.test(text)) throw fail.invalidJson(say.bodies.nul);
  const value = parse(text, hasEscapes || text.includes("__proto__") || text.includes("constructor"));
  if (!isWithin(value, bodyBounds)) throw fail.invalidJson(say.bodies.tooMuch);
  if (hasEscapes && surrogateEscape.test(text) && !isWellFormed(value))
    throw fail.invalidJson(say.bodies.halfCharacter);
  return value;
}

function parse(text: string, mayChangePrototypes: boolean): unknown {
  try {
    if (!mayChangePrototypes) return JSON.parse(text);
    return parseJson(text, { protoAction: "remove", constructorAction: "remove" });
  } catch {
    throw fail.invalidJson(say.bodies.syntax);
  }
}

/** Text with NUL cannot be stored on every engine. */
const nulEscape = /(?<!\\)(?:\\\\)*\\u0000/;

/** The bytes are valid UTF-8, so a lone surrogate can only come from an escape. */
const surrogateEscape = /\\u[dD][89a-fA-F]/;

/** A lone surrogate would be stored as another character. */
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
