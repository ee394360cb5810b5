// Uploads a staged file to a bucket: one PUT, or a multipart upload if it is large; then verifies that it arrived
// unchanged.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { digestOf, slicesOf } from "./digest.js";
import { BlobDamaged, BlobStorageUnavailable } from "./errors.js";
import type { S3Answer, S3Client, S3Request } from "./s3-client.js";
import { openObject } from "./s3-read.js";
import { escapeXml, findText } from "./s3-xml.js";
import type { BlobDigest } from "./store.js";

const mib = 1024 * 1024;

export interface UploadSizes {
  /** Larger files are sent in parts. */
  singlePutBytes: number;
  partBytes: number;
}

/** Small enough for the timeout of a request on a slow connection; 10,000 parts, the limit of S3, make 78 GiB. */
export const defaultUploadSizes: UploadSizes = { singlePutBytes: 16 * mib, partBytes: 8 * mib };

/** A part of the file with checksums that let the server reject it if it arrives damaged. */
interface Piece {
  start: number;
  length: number;
  sha256: string;
  md5: Buffer;
}

export type Uploader = (key: string, path: string, digest: BlobDigest) => Promise<void>;

export function createUploader(client: S3Client, sizes: UploadSizes): Uploader {
  let knowsConditions = true;

  /** Writes only if no object exists, if requested and supported by the server; 412 says that one exists. */
  async function write(request: S3Request, onlyIfAbsent: boolean): Promise<S3Answer> {
    if (!onlyIfAbsent || !knowsConditions) return client.send(request);
    const headers = { ...request.headers, "if-none-match": "*" };
    const answer = await client.send({ ...request, headers, accept: [...request.accept, 412, 501] });
    if (answer.status !== 501) return answer;
    knowsConditions = false;
    return client.send(request);
  }

  async function putInParts(key: string, path: string, pieces: Piece[], onlyIfAbsent: boolean): Promise<void> {
    const started = await client.send({ method: "POST", key, query: { uploads: "" }, accept: [200] });
    const uploadId = findText(started.text, "UploadId");
    if (!uploadId) throw new BlobStorageUnavailable("S3 began an upload without naming it");
    let finished = false;
    try {
      const tags: string[] = [];
      for (const [index, piece] of pieces.entries()) {
        const query = { partNumber: String(index + 1), uploadId };
        const { headers } = await client.send({ method: "PUT", key, query, accept: [200], ...toBody(path, piece) });
        tags.push(headers.etag ?? "");
      }
      // 404: an earlier try succeeded but its answer was lost.
      const completion = {
        method: "POST",
        key,
        query: { uploadId },
        accept: [200, 404],
        ...toCompletion(tags),
      } as const;
      finished = (await write(completion, onlyIfAbsent)).status !== 412;
    } finally {
      if (!finished) await abortUpload(client, key, uploadId);
    }
  }

  return async (key, path, digest) => {
    const most = digest.size <= sizes.singlePutBytes ? sizes.singlePutBytes : sizes.partBytes;
    const pieces = await listPieces(path, digest.size, most);
    const etag = toEtag(pieces);
    if (await isStored(client, key, digest, etag)) return;
    // The second round overwrites: it is reached only if the existing object does not match its hash.
    for (const onlyIfAbsent of [true, false]) {
      try {
        if (pieces.length > 1) await putInParts(key, path, pieces, onlyIfAbsent);
        else await write({ method: "PUT", key, accept: [200], ...toBody(path, pieces[0]!) }, onlyIfAbsent);
      } catch (error) {
        // Perhaps only the answer was lost.
        if (await isStored(client, key, digest, etag).catch(() => false)) return;
        throw error;
      }
      if (await isStored(client, key, digest, etag)) return;
    }
    throw new BlobDamaged(digest.sha512);
  };
}

/** Parts of an unfinished upload cost money until it is aborted. */
export async function abortUpload(client: S3Client, key: string, uploadId: string): Promise<boolean> {
  try {
    return (await client.send({ method: "DELETE", key, query: { uploadId }, accept: [204, 200, 404] })).status !== 404;
  } catch {
    // The caller reports its own error; the sweep of stale uploads tries this again.
    return false;
  }
}

async function listPieces(path: string, size: number, most: number): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for (let start = 0; start < size || start === 0; start += most) {
    const length = Math.min(most, size - start);
    const [sha256, md5] = [createHash("sha256"), createHash("md5")];
    for await (const slice of slicesOf(readPiece(path, start, length))) {
      sha256.update(slice);
      md5.update(slice);
    }
    pieces.push({ start, length, sha256: sha256.digest("hex"), md5: md5.digest() });
  }
  return pieces;
}

function readPiece(path: string, start: number, length: number): Readable {
  if (length === 0) return Readable.from([]);
  return createReadStream(path, { start, end: start + length - 1, highWaterMark: mib });
}

function toBody(path: string, { start, length, sha256, md5 }: Piece): Pick<S3Request, "headers" | "body"> {
  return {
    headers: {
      "content-md5": md5.toString("base64"),
      "content-type": "application/octet-stream",
      "x-amz-content-sha256": sha256,
    },
    body: { length, open: () => readPiece(path, start, length) },
  };
}

function toCompletion(tags: string[]): Pick<S3Request, "headers" | "body"> {
  const parts = tags.map(
    (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
  );
  const xml = Buffer.from(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`);
  return {
    headers: {
      "content-type": "application/xml",
      "x-amz-content-sha256": createHash("sha256").update(xml).digest("hex"),
    },
    body: { length: xml.byteLength, open: () => Readable.from([xml]) },
  };
}

/** The ETag of S3 and most compatible servers: the MD5, or the MD5 of the parts' MD5s and the number of parts. */
function toEtag(pieces: Piece[]): string {
  if (pieces.length === 1) return pieces[0]!.md5.toString("hex");
  const all = Buffer.concat(pieces.map((piece) => piece.md5));
  return `${createHash("md5").update(all).digest("hex")}-${pieces.length}`;
}

/** An ETag of another form proves nothing (encrypted buckets, other vendors): then the bytes are read back. */
async function isStored(client: S3Client, key: string, digest: BlobDigest, etag: string): Promise<boolean> {
  const { status, headers } = await client.send({ method: "HEAD", key, accept: [200, 404] });
  if (status === 404 || Number(headers["content-length"]) !== digest.size) return false;
  if (headers.etag?.replaceAll('"', "").toLowerCase() === etag) return true;
  const object = await openObject(client, key);
  return object !== undefined && (await digestOf(object.stream)).sha512 === digest.sha512;
}
