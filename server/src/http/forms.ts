// Reads multipart forms with small files (pictures) into memory, within the limits the endpoint states. The parser
// streams; what goes past a limit is refused before it is kept.
import type { Multipart, MultipartFile, MultipartValue } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { Failure, fail } from "../errors.js";
import { formatBytes } from "../lib/format-bytes.js";
import type { EndpointSpec, UploadedFile } from "./endpoint.js";
import { watchFormBytes } from "./form-bytes.js";
import { hasListParts, isListPart } from "./list-parts.js";
import type { Resources } from "./resources.js";

const maxFields = 50;
/** A form of a page has a field for each box that is ticked. */
const maxPageFields = 1000;
const maxFieldBytes = 256 * 1024;
const formOverheadBytes = 1024 * 1024;

/** A name that comes several times has a list: a box that is ticked in a page's form, or an entry of a list. */
export type Fields = Record<string, string | string[]>;

export interface Form {
  fields: Fields;
  files: Record<string, UploadedFile>;
}

export async function readForm(request: FastifyRequest, endpoint: EndpointSpec, resources: Resources): Promise<Form> {
  const parts = endpoint.files ?? {};
  const largest = Math.max(0, ...Object.values(parts).map((part) => part.maxBytes(resources)));
  const form: Form = { fields: Object.create(null), files: Object.create(null) };
  const files = Object.keys(parts).length;
  const bytes = files * largest + formOverheadBytes;
  try {
    // One byte more than allowed, so that it is seen here that a file goes on.
    for await (const part of multipartParts(request, endpoint, { files, fileSize: largest + 1, bytes })) {
      const name = nameOf(part);
      if (part.type === "file") {
        if (name in form.fields || name in form.files) throw comesTwice(name);
        if (!isUnchosen(part, endpoint)) await keepFile(part, form, endpoint, resources);
      } else if (name in form.files) throw comesTwice(name);
      else addField(form.fields, name, textOf(part), endpoint);
    }
    return form;
  } catch (error) {
    throw toFormFailure(error);
  }
}

export function addField(fields: Fields, name: string, text: string, endpoint: EndpointSpec): void {
  const before = fields[name];
  if (before !== undefined && !endpoint.htmlForm && !isListPart(endpoint, name)) throw comesTwice(name);
  fields[name] = before === undefined ? text : [before, text].flat();
}

/** What a browser sends for a file field in which nothing was chosen. */
export function isUnchosen({ filename, file }: MultipartFile, { htmlForm }: EndpointSpec): boolean {
  if (!htmlForm || filename) return false;
  file.resume();
  return true;
}

interface FormLimits {
  files: number;
  /** Of one file. Absent: whoever reads it counts. */
  fileSize?: number;
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
  const { files, fileSize = Number.POSITIVE_INFINITY, bytes } = limits;
  const fields = endpoint.htmlForm || hasListParts(endpoint) ? maxPageFields : maxFields;
  const parserLimits = { fields, fieldSize: maxFieldBytes, files, parts: fields + files, fileSize };
  const seen = watchFormBytes(request.raw, bytes);
  try {
    for await (const part of request.parts({ limits: parserLimits })) {
      if (part.type === "file") seen.addFile(part.file);
      yield part;
    }
    await seen.settle();
  } finally {
    seen.stop();
  }
}

export function nameOf(part: Multipart): string {
  if (!part.fieldname) throw fail.multipartInvalid("a part has no name");
  return part.fieldname;
}

export const comesTwice = (name: string): Failure => fail.multipartInvalid(`the part ${name.slice(0, 64)} comes twice`);

export function textOf({ fieldname, value, valueTruncated }: MultipartValue): string {
  if (valueTruncated) throw fail.fileTooLarge(fieldname.slice(0, 64), formatBytes(maxFieldBytes));
  // A part that says it is JSON was parsed on the way; all parts are texts here.
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.includes("\0")) throw fail.multipartInvalid(`the part ${fieldname.slice(0, 64)} holds a NUL character`);
  return text;
}

async function keepFile(part: MultipartFile, form: Form, endpoint: EndpointSpec, resources: Resources): Promise<void> {
  const rule = endpoint.files?.[part.fieldname];
  if (!rule) {
    part.file.resume();
    return;
  }
  const maxBytes = rule.maxBytes(resources);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of part.file) {
    size += chunk.length;
    if (size > maxBytes) throw fail.fileTooLarge(part.fieldname, formatBytes(maxBytes));
    chunks.push(chunk);
  }
  form.files[part.fieldname] = { fileName: part.filename, bytes: Buffer.concat(chunks) };
}

const parserProblems: Record<string, string> = {
  FST_PARTS_LIMIT: "it has too many parts",
  FST_FIELDS_LIMIT: "it has too many texts",
  FST_FILES_LIMIT: "it has too many files",
  FST_MP_PREMATURE_CLOSE: "the connection was closed before its end",
};

/** What is wrong with the form itself is a 4xx; everything else stays what it is. */
export function toFormFailure(error: unknown): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (code.startsWith("FST_")) return fail.multipartInvalid(parserProblems[code] ?? message);
  return /multipart|boundary|Malformed/i.test(message) ? fail.multipartInvalid(message) : error;
}
