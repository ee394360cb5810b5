// The parts of multipart forms, as the parser gives them, and what can be wrong with them. What goes past a limit is
// refused before it is kept.
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
/** A form of a page has a field for each box that is ticked. */
export const maxPageFields = 1000;
const maxFieldBytes = 256 * 1024;
/** A form of somebody who is not signed in: enough to give back what was typed. Its files are never read. */
export const guestFormBytes = 64 * 1024;
/** Of one part: its name, its file's name and its type. The parser's own limit is ten times as much. */
const partHeaders = { headerSize: 8 * 1024, headerPairs: 20 };

/** Of JSON: several times what any endpoint takes. More would only be work: every value is looked at several times. */
export const bodyBounds = { levels: 32, values: 10_000 };

/** A name that comes several times has a list: a box that is ticked in a page's form, or an entry of a list. */
export type Fields = Record<string, string | string[]>;

export function addText(fields: Fields, name: string, text: string, endpoint: EndpointSpec): void {
  if (fields[name] !== undefined && !endpoint.htmlForm && !isListPart(endpoint, name)) throw comesTwice(name);
  addField(fields, name, text);
}

/** The fields have no prototype. */
export function addField(fields: Fields, name: string, text: string): void {
  const before = fields[name];
  if (Array.isArray(before)) before.push(text);
  else fields[name] = before === undefined ? text : [before, text];
}

export const tooManyFields = (): Failure => fail.multipartInvalid(say.bodies.tooManyFields(maxPageFields));

/** What a browser sends for a file field in which nothing was chosen. */
export function isUnchosen({ filename, file }: MultipartFile, { htmlForm }: EndpointSpec): boolean {
  if (!htmlForm || filename) return false;
  file.resume();
  return true;
}

interface FormLimits {
  files: number;
  /** Of the whole body. */
  bytes: number;
}

/** The parts as they arrive. What goes wrong with them, or with reading them, is for toFormFailure to explain. */
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
  // The same request for the parser, but for where it reads the body.
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
    // Of a form that is refused, the rest is thrown away unread: thousands of parts would be parsed for no one.
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
  // A part that says it is JSON was parsed on the way; all parts are texts here.
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

/** What is wrong with the form itself is a 4xx; everything else stays what it is. */
export function toFormFailure(error: unknown): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (code.startsWith("FST_")) return fail.multipartInvalid(parserProblems[code] ?? message);
  return /multipart|boundary|Malformed/i.test(message) ? fail.multipartInvalid(message) : error;
}
