// Reads multipart forms with small files (pictures) into memory, within the limits the endpoint states. The parser
// streams; what goes past a limit is refused before it is kept.
import type { Multipart, MultipartFile } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { fail } from "../errors.js";
import { formatBytes } from "../lib/format-bytes.js";
import type { EndpointSpec, UploadedFile } from "./endpoint.js";
import type { Resources } from "./resources.js";

const maxFields = 50;
const maxFieldBytes = 256 * 1024;

export interface Form {
  fields: Record<string, string>;
  files: Record<string, UploadedFile>;
}

export async function readForm(request: FastifyRequest, endpoint: EndpointSpec, resources: Resources): Promise<Form> {
  const parts = endpoint.files ?? {};
  const largest = Math.max(0, ...Object.values(parts).map((part) => part.maxBytes(resources)));
  const form: Form = { fields: Object.create(null), files: Object.create(null) };
  const limits = { fields: maxFields, fieldSize: maxFieldBytes, files: Object.keys(parts).length, fileSize: largest };
  for await (const part of multipartParts(request, limits)) {
    if (part.fieldname in form.fields || part.fieldname in form.files)
      throw fail.multipartInvalid(`the part ${part.fieldname} comes twice`);
    if (part.type === "file") await keepFile(part, form, endpoint, resources);
    else if (part.valueTruncated) throw fail.fileTooLarge(part.fieldname, formatBytes(maxFieldBytes));
    else form.fields[part.fieldname] = textOf(part.fieldname, part.value);
  }
  return form;
}

interface FormLimits {
  fields: number;
  fieldSize: number;
  files: number;
  parts?: number;
  /** Absent: whoever reads the file counts. */
  fileSize?: number;
}

/** The parts as they arrive; what is wrong with the form itself is a 4xx. */
export async function* multipartParts(request: FastifyRequest, limits: FormLimits): AsyncGenerator<Multipart> {
  if (!request.isMultipart()) throw fail.unsupportedMediaType("multipart/form-data");
  try {
    yield* request.parts({ limits: { fileSize: Number.POSITIVE_INFINITY, ...limits } });
  } catch (error) {
    throw toFormFailure(error);
  }
}

export function textOf(name: string, value: unknown): string {
  const text = String(value);
  if (text.includes("\0")) throw fail.multipartInvalid(`the part ${name} holds a NUL character`);
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
  if (part.file.truncated) throw fail.fileTooLarge(part.fieldname, formatBytes(maxBytes));
  form.files[part.fieldname] = { fileName: part.filename, bytes: Buffer.concat(chunks) };
}

function toFormFailure(error: unknown): unknown {
  const code = (error as { code?: string }).code ?? "";
  if (code === "FST_REQ_FILE_TOO_LARGE") return fail.fileTooLarge("A file", "size");
  if (code.startsWith("FST_")) return fail.multipartInvalid((error as Error).message);
  if (error instanceof Error && /multipart|boundary|Unexpected end|Malformed|premature/i.test(error.message))
    return fail.multipartInvalid(error.message);
  return error;
}

/** What the parser says when a form breaks off inside a file: that reaches whoever reads the file, not the loop above. */
export const isBrokenForm = (error: unknown): boolean =>
  error instanceof Error && /unexpected end of multipart data/i.test(error.message);
