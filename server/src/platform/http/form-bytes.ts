// Counts the bytes of a form on their way to the parser, for limits that the parser does not check: the total, the
// bytes outside of files, and whether anything follows the form's end.
import type { IncomingMessage } from "node:http";
import { formatBytes } from "#lib/format-bytes.js";
import { fail } from "#platform/errors.js";
import { say } from "#words/said.js";
import { tellReader } from "./arrival.js";

/** The limit for all texts of a form together with the headers of its parts. */
const maxTextBytes = 768 * 1024;
/** The standard allows 70 characters, the parser about 250. */
const maxBoundary = 200;

export interface FormBytes {
  /** Bytes of this file do not count as text. */
  addFile(file: { bytesRead: number }): void;
  /** Waits for the end of the body, and refuses a form without an end. */
  settle(): Promise<void>;
  stop(): void;
}

/** Must be called before anything else reads the body. */
export function watchFormBytes(request: IncomingMessage, maxBytes: number): FormBytes {
  const files: { bytesRead: number }[] = [];
  const boundary = boundaryOf(request.headers["content-type"]);
  if (boundary.length > maxBoundary) throw fail.multipartInvalid(say.bodies.boundary);
  const end = createEndFinder(boundary);
  let total = 0;

  const see = (chunk: Buffer) => {
    total += chunk.length;
    end.see(chunk);
    const inFiles = files.reduce((sum, file) => sum + file.bytesRead, 0);
    if (end.isFollowed()) refuse(fail.multipartInvalid(say.bodies.afterEnd));
    else if (total > maxBytes) refuse(fail.bodyTooLarge(formatBytes(maxBytes)));
    // The parser is at most a few chunks behind.
    else if (total - inFiles > maxTextBytes) refuse(fail.bodyTooLarge(say.bodies.textLimit(formatBytes(maxTextBytes))));
  };
  const stop = () => void request.off("data", see);
  const refuse = (error: Error) => {
    stop();
    tellReader(request, error);
  };
  request.on("data", see);

  return {
    addFile: (file) => void files.push(file),
    stop,
    async settle() {
      await endOf(request);
      if (total > 0 && !end.isFound()) throw fail.multipartInvalid(say.bodies.noEnd);
    },
  };
}

/** The parser stops at the closing delimiter; the body should end a moment later. */
function endOf(request: IncomingMessage): Promise<void> {
  if (request.readableEnded) return Promise.resolve();
  return new Promise((resolve, reject) => {
    request.once("end", resolve).once("error", reject);
    request.once("close", () => reject(fail.multipartInvalid(say.bodies.closedEarly)));
    request.resume();
  });
}

const boundaryOf = (contentType = ""): string => {
  const [, quoted, plain] = /;\s*boundary=(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/i.exec(contentType) ?? [];
  return quoted?.replace(/\\(.)/g, "$1") ?? plain ?? "";
};

/** Finds the first closing delimiter, which no part can contain, also if it is split between two chunks. */
export function createEndFinder(boundary: string) {
  const delimiter = Buffer.from(`\r\n--${boundary}--`, "latin1");
  // An empty form begins with its closing delimiter, so a line end is assumed before the body.
  let before = Buffer.from("\r\n");
  let isFound = false;
  let isFollowed = false;
  return {
    isFound: () => isFound,
    isFollowed: () => isFollowed,
    see(chunk: Buffer): void {
      let rest = chunk;
      if (!isFound) {
        const seam = Buffer.concat([before, chunk.subarray(0, delimiter.length - 1)]);
        const [inSeam, inChunk] = [seam.indexOf(delimiter), chunk.indexOf(delimiter)];
        before = Buffer.concat([before, chunk.subarray(1 - delimiter.length)]).subarray(1 - delimiter.length);
        if (inSeam < 0 && inChunk < 0) return;
        isFound = true;
        const end = inSeam < 0 ? inChunk : inSeam - (seam.length - Math.min(chunk.length, delimiter.length - 1));
        rest = chunk.subarray(end + delimiter.length);
      }
      // Whitespace may follow; the parser ignores it too.
      isFollowed ||= rest.some((byte) => byte > 0x20);
    },
  };
}
