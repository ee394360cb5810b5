// Looks at the bytes of a form as they go by to its parser, for what the parser does not say: how many there are, how
// many of them belong to no file, and whether anything follows the form's end.
import type { IncomingMessage } from "node:http";
import { fail } from "../errors.js";
import { formatBytes } from "../lib/format-bytes.js";
import { tellReader } from "./arrival.js";

/** All texts of a form together with the headers of its parts. */
const maxTextBytes = 768 * 1024;
/** A closing delimiter, whose boundary has at most 70 characters, and what blanks may follow it. */
const tailBytes = 256;

export interface FormBytes {
  /** The bytes of this file are not text. */
  addFile(file: { bytesRead: number }): void;
  /** Waits for the end of the body, and refuses a form that is not over there. */
  settle(): Promise<void>;
  stop(): void;
}

/** Must be called in the same turn as the parser begins: it starts the flow. */
export function watchFormBytes(request: IncomingMessage, maxBytes: number): FormBytes {
  const files: { bytesRead: number }[] = [];
  let total = 0;
  let tail: Buffer = Buffer.alloc(0);

  const see = (chunk: Buffer) => {
    total += chunk.length;
    tail = Buffer.concat([tail, chunk.subarray(-tailBytes)]).subarray(-tailBytes);
    if (total > maxBytes) refuse(fail.bodyTooLarge(formatBytes(maxBytes)));
    const inFiles = files.reduce((sum, file) => sum + file.bytesRead, 0);
    // The parser is at most a few chunks behind.
    if (total - inFiles > maxTextBytes)
      refuse(fail.bodyTooLarge(`${formatBytes(maxTextBytes)} of text and part headers`));
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
      const end = `--${boundaryOf(request.headers["content-type"])}--`;
      if (total > 0 && !tail.toString("latin1").trimEnd().endsWith(end))
        throw fail.multipartInvalid("something follows its end");
    },
  };
}

/** The parser stops at the closing delimiter; the body ends a moment later, or should. */
function endOf(request: IncomingMessage): Promise<void> {
  if (request.readableEnded) return Promise.resolve();
  return new Promise((resolve, reject) => {
    request.once("end", resolve).once("error", reject);
    request.once("close", () => reject(fail.multipartInvalid("the connection was closed before its end")));
    request.resume();
  });
}

const boundaryOf = (contentType = ""): string => {
  const [, quoted, plain] = /;\s*boundary=(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/i.exec(contentType) ?? [];
  return quoted?.replace(/\\(.)/g, "$1") ?? plain ?? "";
};
