// Turns bodies into values: JSON, also where it is labelled text/plain (existing clients send that), and HTML forms. Keys
// that reach for prototypes are dropped; text that not every engine can store as it was sent is refused.
import { isUtf8 } from "node:buffer";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { formatBytes } from "#lib/format-bytes.js";
import { isWithin } from "#lib/json-bounds.js";
import { type Failure, fail } from "#platform/errors.js";
import { endpointOf, hasBody } from "./arrival.js";
import { callerOf } from "./caller.js";
import type { EndpointSpec } from "./endpoint.js";
import {
  addField,
  bodyBounds,
  boundsProblem,
  type Fields,
  guestFormBytes,
  maxPageFields,
  tooManyFields,
} from "./forms.js";

const jsonTypes = ["application/json", "text/plain"];
const formType = "application/x-www-form-urlencoded";
const multipartType = "multipart/form-data";

export function parseBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser("remove", "remove");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(jsonTypes, { parseAs: "buffer" }, (request, body, done) => {
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
      if (!isWithin(value, bodyBounds)) return refuse(boundsProblem);
      if (surrogateEscape.test(text) && !isWellFormed(value)) return refuse("it holds half a character");
      done(null, value);
    });
  });
  app.addContentTypeParser(formType, { parseAs: "string" }, (request, body, done) => {
    const text = body.toString();
    // It need not have said how long it is.
    const refusal = refuseLongForm(request, Buffer.byteLength(text));
    if (refusal) return done(refusal, undefined);
    if (text.includes("%00") || text.includes("\0"))
      return done(fail.multipartInvalid("NUL characters are not allowed"), undefined);
    // Counted before they are parsed: a body of 256 KiB can hold 131,072 of them.
    if (text.split("&", maxPageFields + 1).length > maxPageFields) return done(tooManyFields(), undefined);
    done(null, toFields(new URLSearchParams(text)));
  });
}

/** Refuses a body that the endpoint does not take, or not from this caller, before any of it is read. */
export function checkBody(request: FastifyRequest, endpoint: EndpointSpec): void {
  if (endpoint.method === "GET" || !hasBody(request.raw)) return;
  const accepted = [...(endpoint.htmlForm ? [formType] : []), ...(endpoint.files ? [multipartType] : []), ...jsonTypes];
  const type = (request.headers["content-type"] ?? "").split(";", 1)[0]!.trim().toLowerCase();
  if (!accepted.includes(type))
    throw fail.unsupportedMediaType(accepted.filter((one) => one !== "text/plain").join(" or "));
  if (jsonTypes.includes(type)) return;
  const refusal = refuseLongForm(request, Number(request.headers["content-length"] ?? 0));
  if (refusal) throw refusal;
}

function refuseLongForm(request: FastifyRequest, bytes: number): Failure | undefined {
  if (bytes <= guestFormBytes || callerOf(request)?.viewer.kind !== "anonymous") return undefined;
  return endpointOf(request)?.givesBack ? fail.signInNeeded() : fail.bodyTooLarge(formatBytes(guestFormBytes));
}

/** A name that comes several times, such as that of boxes that were ticked, has a list. */
function toFields(pairs: URLSearchParams): Fields {
  const fields: Fields = Object.create(null);
  for (const [name, value] of pairs) addField(fields, name, value);
  return fields;
}

/** Text with NUL cannot be stored on every engine, and nobody means it. */
const nulEscape = /(?<!\\)(?:\\\\)*\\u0000/;

/** Only with such an escape can half a character come in: the bytes themselves are UTF-8. */
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
