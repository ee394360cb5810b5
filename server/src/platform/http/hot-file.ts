// A download that is answered before Fastify: small files from memory, larger ones as chunks from the storage.
import type { ServerResponse } from "node:http";
import type { Logger } from "pino";
import { release } from "#platform/blobs/release.js";
import type { BlobToSend, Loaded } from "#platform/blobs/store.js";
import type { Seen } from "./plain-request.js";

/** The caller, for counting. */
export interface HotCaller {
  seen: Seen;
  peer: string;
  address: string;
}

export type Content = Loaded | BlobToSend;

export interface HotFile {
  route: string;
  /** All headers of the answer that do not depend on the caller, as a list of names and values. */
  headers: readonly string[];
  /** The bytes if they are in memory; otherwise they are read, or opened. Undefined if they are not stored. */
  open(): Buffer | Promise<Content | undefined>;
  /** Counts the download. */
  note(by: HotCaller): void;
}

/** The file at this URL, if it is public and known without asking the database. */
export type FindHotFile = (url: string) => HotFile | undefined;

export function sendContent(response: ServerResponse, headers: string[], content: Buffer | Content, log: Logger): void {
  response.writeHead(200, headers);
  if (Buffer.isBuffer(content)) response.end(content);
  else if ("bytes" in content) response.end(content.bytes, () => content.isOwn && release(content.bytes));
  // If it fails, the connection is closed, and the client sees from the length that the file is incomplete.
  else content.sendTo(response).catch((error) => log.debug({ err: error }, "A download was interrupted"));
}
