// Sends files in parts, with a bar on a terminal and one line for each file in a build.
import { type Client, hashBlob, type SentFile, type Upload } from "modshelf-client";
import { openFile } from "modshelf-client/node";
import { Failure } from "#shelf/failures.js";
import { toSize } from "#shelf/figures.js";
import { Progress } from "#shelf/progress.js";
import type { Terminal } from "#shelf/terminal.js";

export interface PreparedFile {
  path: string;
  blob: SentFile;
  size: number;
  sha512: string;
}

/** Node.js refuses to read a file that has changed since it was opened. */
const changed = (path: string) => (error: unknown) => {
  if ((error as Error).name !== "NotReadableError") throw error;
  throw new Failure(`${path} has changed while it was read.`, {
    advice: "Wait until the build has finished, and try again.",
    code: "fileChanged",
  });
};

export async function prepareFile(path: string, signal: AbortSignal): Promise<PreparedFile> {
  const blob = await openFile(path);
  if (blob.size === 0) throw new Failure(`${path} is empty.`, { advice: "Build it again.", code: "emptyFile" });
  return { path, blob, size: blob.size, sha512: await hashBlob(blob, { signal }).catch(changed(path)) };
}

/** Continues the upload of an earlier run. The answer says what the registry read in the file. */
export async function send(
  registry: Client,
  file: PreparedFile,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<Upload> {
  const progress = new Progress(terminal, [file.size]);
  const upload = await registry.uploads
    .send(file.blob, { signal, onProgress: progress.follow() })
    .catch(changed(file.path));
  if (upload.sha512 !== file.sha512) return changed(file.path)(new DOMException("", "NotReadableError"));
  terminal.note(` uploaded  ${file.blob.name}  ${toSize(file.size)}`);
  return upload;
}
