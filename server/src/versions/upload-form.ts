// Reads the form of a version as it arrives: texts are kept, files are streamed to temporary files while they are hashed
// and counted. Nothing is held in memory but the part at hand, and whatever happens, nothing is left behind.
import type { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import type { StagedBlob } from "../blobs/store.js";
import { fail } from "../errors.js";
import { multipartParts, textOf } from "../http/forms.js";
import type { Resources } from "../http/resources.js";
import { reach } from "../lib/fail-points.js";
import { formatBytes } from "../lib/format-bytes.js";
import { storedFileName } from "./file-names.js";

export interface StagedFile {
  name: string;
  blob: StagedBlob;
}

export interface UploadForm {
  fields: Record<string, string>;
  primaryFile: StagedFile | undefined;
  additionalFiles: StagedFile[];
  /** Removes the temporary files; harmless for those that were kept. */
  discard(): Promise<void>;
}

const maxFields = 40;
const maxFieldBytes = 256 * 1024;

export async function readUploadForm(request: FastifyRequest, resources: Resources): Promise<UploadForm> {
  const { limits } = resources.config;
  const form: UploadForm = {
    fields: Object.create(null),
    primaryFile: undefined,
    additionalFiles: [],
    discard: async () => {
      await Promise.all([form.primaryFile, ...form.additionalFiles].map((file) => file?.blob.discard()));
    },
  };
  refuseEarly(request, resources);
  reach("upload: form opened");
  try {
    const bounds = {
      fields: maxFields,
      fieldSize: maxFieldBytes,
      files: limits.additionalFiles + 2,
      parts: maxFields + limits.additionalFiles + 2,
    };
    for await (const part of multipartParts(request, bounds)) {
      if (part.type === "field") keepText(form, part.fieldname, part.value, part.valueTruncated);
      else await keepFile(form, part.fieldname, part.filename, part.file, resources);
    }
    reach("upload: all parts read");
    return form;
  } catch (error) {
    await form.discard();
    throw error;
  }
}

/** A body that says it is too large need not be read. */
function refuseEarly(request: FastifyRequest, { config: { limits } }: Resources): void {
  const most = limits.primaryFileBytes + limits.additionalFiles * limits.additionalFileBytes + 4 * 1024 * 1024;
  if (Number(request.headers["content-length"] ?? 0) > most) throw fail.bodyTooLarge(formatBytes(most));
}

function keepText(form: UploadForm, name: string, value: unknown, truncated: boolean): void {
  // The list of files to keep, which clients of the earlier service send: files are kept anyway.
  if (name === "additionalFiles") return;
  if (name in form.fields) throw fail.multipartInvalid(`the part ${name} comes twice`);
  if (truncated) throw fail.fileTooLarge(name, formatBytes(maxFieldBytes));
  form.fields[name] = textOf(name, value);
}

async function keepFile(
  form: UploadForm,
  part: string,
  fileName: string,
  source: Readable,
  { blobs, config: { limits } }: Resources,
): Promise<void> {
  const isPrimary = part === "primaryFile";
  if (!isPrimary && part !== "additionalFiles") {
    source.resume();
    return;
  }
  if (isPrimary && form.primaryFile) throw fail.multipartInvalid("the part primaryFile comes twice");
  if (!isPrimary && form.additionalFiles.length >= limits.additionalFiles)
    throw fail.multipartInvalid(`more than ${limits.additionalFiles} additional files`);
  const name = storedFileName(fileName ?? "");
  if (name === undefined) throw fail.fileRefused(part, "it has no usable name");
  const maxBytes = isPrimary ? limits.primaryFileBytes : limits.additionalFileBytes;
  const blob = await blobs.stage(source, { maxBytes });
  if (isPrimary) form.primaryFile = { name, blob };
  else form.additionalFiles.push({ name, blob });
  reach("upload: file staged");
}
