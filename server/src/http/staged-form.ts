// Reads a form with large files as it arrives: texts are kept, files are streamed to temporary files while they are
// hashed and counted. Nothing is held in memory but the piece at hand, and whatever happens, nothing is left behind.
import type { MultipartFile } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { BlobTooLarge } from "../blobs/errors.js";
import { fail } from "../errors.js";
import { reach } from "../lib/fail-points.js";
import { storedFileName } from "../lib/file-names.js";
import { formatBytes } from "../lib/format-bytes.js";
import type { EndpointSpec, FilePart, StagedFile } from "./endpoint.js";
import {
  addText,
  comesTwice,
  type Fields,
  isUnchosen,
  multipartParts,
  nameOf,
  textOf,
  toFormFailure,
} from "./forms.js";
import type { Resources } from "./resources.js";

export interface StagedForm {
  fields: Fields;
  files: Record<string, StagedFile[]>;
  /** Removes the temporary files; harmless for those that were kept. */
  discard(): Promise<void>;
}

const overheadBytes = 1024 * 1024;

export async function readStagedForm(
  request: FastifyRequest,
  endpoint: EndpointSpec,
  resources: Resources,
): Promise<StagedForm> {
  const parts = Object.entries(endpoint.files ?? {});
  const form: StagedForm = {
    fields: Object.create(null),
    files: Object.fromEntries(parts.map(([name]) => [name, []])),
    discard: async () => {
      // What cannot be removed now is swept later.
      await Promise.allSettled(
        Object.values(form.files)
          .flat()
          .map(({ blob }) => blob.discard()),
      );
    },
  };
  const bytes = parts.reduce(
    (sum, [, part]) => sum + countOf(part, resources) * part.maxBytes(resources),
    overheadBytes,
  );
  // A body that says it is too large need not be read.
  if (Number(request.headers["content-length"] ?? 0) > bytes) throw fail.bodyTooLarge(formatBytes(bytes));
  // One more than allowed, so that the refusal can name the part.
  const files = parts.reduce((sum, [, part]) => sum + countOf(part, resources), 1);
  reach("upload: form opened");
  try {
    for await (const part of multipartParts(request, endpoint, { files, bytes })) {
      const name = nameOf(part);
      if (part.type === "file") {
        if (!isUnchosen(part, endpoint)) await keepFile(form, part, endpoint, resources);
      }
      // Clients of the earlier service name files to keep in texts beside the files; files stay anyway.
      else if (name in form.files) continue;
      else addText(form.fields, name, textOf(part), endpoint);
    }
    reach("upload: all parts read");
    return form;
  } catch (error) {
    await form.discard();
    throw toFormFailure(error);
  }
}

const countOf = (part: FilePart, resources: Resources): number => part.maxCount?.(resources) ?? 1;

async function keepFile(
  form: StagedForm,
  { fieldname, filename, file }: MultipartFile,
  endpoint: EndpointSpec,
  resources: Resources,
): Promise<void> {
  const rule = endpoint.files?.[fieldname];
  const here = form.files[fieldname];
  if (!rule || !here) {
    file.resume();
    return;
  }
  const most = countOf(rule, resources);
  if (here.length >= most)
    throw most === 1 ? comesTwice(fieldname) : fail.multipartInvalid(`${fieldname} comes more than ${most} times`);
  const name = storedFileName(filename ?? "");
  if (name === undefined) throw fail.fileRefused(fieldname, "it has no usable name");
  resources.room.check();
  const maxBytes = rule.maxBytes(resources);
  // Named here: by now nobody else knows which file it was.
  const tooLarge = (error: unknown) => {
    throw error instanceof BlobTooLarge ? fail.fileTooLarge(name, formatBytes(maxBytes)) : error;
  };
  here.push({ name, blob: await resources.blobs.stage(file, { maxBytes, ownsChunks: true }).catch(tooLarge) });
  reach("upload: file staged");
}
