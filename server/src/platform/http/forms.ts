// Parts of multipart forms, as the parser yields them, and their errors. Parts beyond a limit are refused before they
// are stored.
import type { Multipart, MultipartFile, MultipartValue } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { formatBytes } from "#lib/format-bytes.js";
import { isWithin } from "#lib/json-bounds.js";
import { Failure, fail } from "#platform/errors.js";
import { type Said, say } from "#words/said.js";
import type { EndpointSpec } from "./endpoint.js";
import { watchFormBytes } from "./form-bytes.js";
import { FormPieces } from "./form-pieces.js";
import { hasListParts, isListPart } from "./list-parts.js";

const maxFields = 50;
/** The form of a page has one field per ticked checkbox. */
export const maxPageFields = 1000;
const maxFieldBytes = 256 * 1024;
/** For forms of anonymous users: enough to give back the typed text. Their files are never read. */
export const guestFormBytes = 64 * 1024;
/** The limits of one part's headers: its name, file name and type. The parser's own limit is ten times as much. */
const partHeaders = { headerSize: 8 * 1024, headerPairs: 20 };

/** The limits of JSON, several times what any endpoint needs: every value is processed several times. */
export const bodyBounds = { levels: 32, values: 10_000 };

/** A name that occurs several times has a list: a ticked checkbox of a page's form, or an entry of a list. */
export type Fields = Record<string, string | string[]>;

export function addText(fields: Fields, name: string, text: string, endpoint: EndpointSpec): void {
  if (fields[name] !== undefined && !endpoint.htmlForm && !isListPart(endpoint, name)) throw comesTwice(name);
  addField(fields, name, text);
}

/** The fields object has no prototype. */
export function addField(fields: Fields, name: string, text: string): void {
  const before = fields[name];
  if (Array.isArray(before)) before.push(text);
  else fields[name] = before === undefined ? text : [before, text];
}

export const tooManyFields = (): Failure => fail.multipartInvalid(say.bodies.tooManyFields(maxPageFields));

/** Browsers send this for a file field without a chosen file. */
export function isUnchosen({ filename, file }: MultipartFile, { htmlForm }: EndpointSpec): boolean {
  if (!htmlForm || filename) return false;
  file.resume();
  return true;
}

interface FormLimits {
  files: number;
  /** The limit of the whole body. */
  bytes: number;
}

/** Yields the parts as they arrive. Errors of the form or of reading it are explained by toFormFailure. */
export async function* multipartParts(
  request: FastifyRequest,
  endpoint: EndpointSpec,
  limits: FormLimits,
): AsyncGenerator<Multipart> {
  if (!request.isMultipart()) throw fail.unsupportedMediaType("multipart/form-data");
  const { files, bytes } = limits;
  // The reader of a file counts its bytes.
  const fileSize = Number.POSITIVE_INFINITY;
  const fields = endpoint.htmlForm || hasListParts(endpoint) ? maxPageFields : maxFields;
  const parserLimits = { ...partHeaders, fields, fieldSize: maxFieldBytes, files, parts: fields + files, fileSize };
  const seen = watchFormBytes(request.raw, bytes);
  const pieces = new FormPieces(request.raw);
  // The same request for the parser, except for the source of the body.
  const inPieces: FastifyRequest = Object.create(request, { raw: { value: pieces } });
  try {
    for await (const part of inPieces.parts({ limits: parserLimits })) {
      if (part.type === "file") seen.addFile(part.file);
      yield part;
    }
    pieces.stop();
    await seen.settle();
  } finally {
    seen.stop();
    pieces.stop();
    // The rest of a refused form is discarded without parsing it.
    request.raw.resume();
  }
}

export function nameOf(part: Multipart): string {
  if (!part.fieldname) throw fail.multipartInvalid(say.bodies.noPartName);
  return part.fieldname;
}

export const comesTwice = (name: string): Failure => fail.multipartInvalid(say.bodies.twice(name.slice(0, 64)));

export function textOf({ fieldname, value, valueTruncated }: MultipartValue): string {
  if (valueTruncated) throw fail.fileTooLarge(fieldname.slice(0, 64), formatBytes(maxFieldBytes));
  // A part with the type JSON was parsed already; here all parts are texts.
  if (!isWithin(value, bodyBounds)) throw fail.multipartInvalid(say.bodies.tooMuch);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.includes("\0")) throw fail.multipartInvalid(say.bodies.nulIn(fieldname.slice(0, 64)));
  return text;
}

const parserProblems: Record<string, Said> = {
  FST_PARTS_LIMIT: say.bodies.tooManyParts,
  FST_FIELDS_LIMIT: say.bodies.tooManyTexts,
  FST_FILES_LIMIT: say.bodies.tooManyFiles,
  FST_MP_PREMATURE_CLOSE: say.bodies.closedEarly,
};

/** Errors of the form itself become a 4xx; all others are returned unchanged. */
export function toFormFailure(error: unknown): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (code.startsWith("FST_")) return fail.multipartInvalid(parserProblems[code] ?? message);
  return /multipart|boundary|Malformed/i.test(message) ? fail.multipartInvalid(message) : error;
}
