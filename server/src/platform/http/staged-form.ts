// Reads a form as it arrives: texts are kept, files are streamed to temporary files while they are hashed and counted.
// Only one chunk of a file is in memory, and no file remains after a failure.

import type { MultipartFile } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { reach } from "#lib/fail-points.js";
import { longestLooked, storedFileName } from "#lib/file-names.js";
import { formatBytes } from "#lib/format-bytes.js";
import { BlobTooLarge } from "#platform/blobs/errors.js";
import { type Failure, fail } from "#platform/errors.js";
import { say } from "#words/said.js";
import type { EndpointSpec, FilePart, StagedFile } from "./endpoint.js";
import {
  addText,
  comesTwice,
  type Fields,
  guestFormBytes,
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
  /** Deletes the temporary files; harmless for those that were kept. */
  discard(): Promise<void>;
}

export interface Sender {
  /** For anonymous users, only texts are read. */
  isGuest: boolean;
  /** Reserves memory for everything that is kept in memory. */
  take: (bytes: number) => void;
}

const overheadBytes = 1024 * 1024;

export async function readStagedForm(
  request: FastifyRequest,
  endpoint: EndpointSpec,
  resources: Resources,
  sender: Sender,
): Promise<StagedForm> {
  const parts = Object.entries(endpoint.files ?? {});
  const form: StagedForm = {
    fields: Object.create(null),
    files: Object.fromEntries(parts.map(([name]) => [name, []])),
    discard: async () => {
      // Files that cannot be deleted now are swept later.
      await Promise.allSettled(
        Object.values(form.files)
          .flat()
          .map(({ blob }) => blob.discard()),
      );
    },
  };
  const bytes = sender.isGuest
    ? guestFormBytes
    : parts.reduce((sum, [, part]) => sum + countOf(part, resources) * part.maxBytes(resources), overheadBytes);
  // A body whose announced length is too large need not be read.
  if (Number(request.headers["content-length"] ?? 0) > bytes) throw tooLong(parts, resources, bytes);
  // One more than allowed, so that the refusal can name the part.
  const files = parts.reduce((sum, [, part]) => sum + countOf(part, resources), 1);
  reach("upload: form opened");
  try {
    for await (const part of multipartParts(request, endpoint, { files, bytes })) {
      const name = nameOf(part);
      if (part.type === "file") {
        if (sender.isGuest) part.file.resume();
        else if (!isUnchosen(part, endpoint)) await keepFile(form, part, endpoint, resources);
        continue;
      }
      // Clients of the earlier service name files to keep in texts beside the files; existing files stay anyway.
      if (endpoint.streams && name in form.files) continue;
      if (form.files[name]?.length) throw comesTwice(name);
      const text = textOf(part);
      sender.take(text.length);
      addText(form.fields, name, text, endpoint);
    }
    reach("upload: all parts read");
    return form;
  } catch (error) {
    await form.discard();
    throw toFormFailure(error);
  }
}

/** If there is a single file, the refusal names it. */
function tooLong(parts: readonly [string, FilePart][], resources: Resources, bytes: number): Failure {
  const [[name, part] = ["", undefined], ...others] = parts;
  return part && others.length === 0 && countOf(part, resources) === 1
    ? fail.fileTooLarge(name, formatBytes(part.maxBytes(resources)))
    : fail.bodyTooLarge(formatBytes(bytes));
}

const countOf = (part: FilePart, resources: Resources): number => part.maxCount?.(resources) ?? 1;

async function keepFile(
  form: StagedForm,
  { fieldname, filename = "", file }: MultipartFile,
  endpoint: EndpointSpec,
  resources: Resources,
): Promise<void> {
  const known = Object.hasOwn(form.files, fieldname) ? fieldname : "*";
  const rule = endpoint.files?.[known];
  const here = form.files[known];
  if (!rule || !here) {
    file.resume();
    return;
  }
  const most = countOf(rule, resources);
  if (here.length >= most || fieldname in form.fields)
    throw most === 1 ? comesTwice(fieldname) : fail.multipartInvalid(say.bodies.tooOften(fieldname, most));
  // Files that are passed to the route in memory are not stored under their own names.
  const name = endpoint.streams ? storedFileName(filename) : filename.slice(0, longestLooked);
  if (name === undefined) throw fail.fileRefused(fieldname, say.files.noName);
  resources.room.check();
  const maxBytes = rule.maxBytes(resources);
  // The error is named here, because later it is unknown which file it was.
  const tooLarge = (error: unknown) => {
    const label = endpoint.streams ? name : fieldname;
    throw error instanceof BlobTooLarge ? fail.fileTooLarge(label, formatBytes(maxBytes)) : error;
  };
  const part = known === fieldname ? {} : { part: fieldname };
  here.push({ name, ...part, blob: await resources.blobs.stage(file, { maxBytes, ownsChunks: true }).catch(tooLarge) });
  reach("upload: file staged");
}
