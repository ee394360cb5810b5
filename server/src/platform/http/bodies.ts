// Parses bodies: JSON, also if it is labelled text/plain (existing clients send that), HTML forms, and pictures.
import type { FastifyInstance, FastifyRequest } from "fastify";
import { formatBytes } from "#lib/format-bytes.js";
import { type Failure, fail } from "#platform/errors.js";
import { say } from "#words/said.js";
import { hasBody } from "./arrival.js";
import { callerOf } from "./caller.js";
import type { EndpointSpec } from "./endpoint.js";
import { addField, type Fields, guestFormBytes, maxPageFields, tooManyFields } from "./forms.js";
import { readJson } from "./json-body.js";
import { endpointOf } from "./router.js";

const jsonTypes = ["application/json", "text/plain"];
const formType = "application/x-www-form-urlencoded";
const multipartType = "multipart/form-data";
const pictureTypes = ["image/png", "image/jpeg", "image/gif", "image/webp", "application/octet-stream"];

export function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(jsonTypes, { parseAs: "buffer" }, (_request, body, done) => {
    let value: unknown;
    try {
      value = readJson(Buffer.from(body));
    } catch (error) {
      return done(error as Failure, undefined);
    }
    done(null, value);
  });
  app.addContentTypeParser(pictureTypes, { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.addContentTypeParser(formType, { parseAs: "string" }, (request, body, done) => {
    const text = body.toString();
    // The request may have had no Content-Length.
    const refusal = refuseLongForm(request, Buffer.byteLength(text));
    if (refusal) return done(refusal, undefined);
    if (text.includes("%00") || text.includes("\0")) return done(fail.multipartInvalid(say.bodies.nul), undefined);
    // Counted before parsing: a body of 256 KiB can contain 131,072 fields.
    if (text.split("&", maxPageFields + 1).length > maxPageFields) return done(tooManyFields(), undefined);
    done(null, toFields(new URLSearchParams(text)));
  });
}

/** Refuses a body that the endpoint does not accept, or not from this caller, before any of it is read. */
export function checkBody(request: FastifyRequest, endpoint: EndpointSpec): void {
  if (endpoint.method === "GET" || !hasBody(request.raw)) return;
  const accepted = [
    ...(endpoint.htmlForm ? [formType] : []),
    ...(endpoint.files ? [multipartType] : []),
    ...(endpoint.pictureBody ? pictureTypes : jsonTypes),
  ];
  const type = (request.headers["content-type"] ?? "").split(";", 1)[0]!.trim().toLowerCase();
  if (!accepted.includes(type))
    throw fail.unsupportedMediaType(accepted.filter((one) => one !== "text/plain").join(" or "));
  if (jsonTypes.includes(type) || pictureTypes.includes(type)) return;
  const refusal = refuseLongForm(request, Number(request.headers["content-length"] ?? 0));
  if (refusal) throw refusal;
}

function refuseLongForm(request: FastifyRequest, bytes: number): Failure | undefined {
  if (bytes <= guestFormBytes || callerOf(request)?.viewer.kind !== "anonymous") return undefined;
  return endpointOf(request)?.givesBack ? fail.signInNeeded() : fail.bodyTooLarge(formatBytes(guestFormBytes));
}

/** A name that occurs several times, such as that of checkboxes, has a list. */
function toFields(pairs: URLSearchParams): Fields {
  const fields: Fields = Object.create(null);
  for (const [name, value] of pairs) addField(fields, name, value);
  return fields;
}
