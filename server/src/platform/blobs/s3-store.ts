// Blobs as objects of an S3-compatible bucket. They are staged on local disk first, so that their hashes are known
// before they are sent.
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { Clock } from "#lib/clock.js";
import { type FileSystem, hasErrorCode } from "#lib/file-system.js";
import { QueueByKey } from "#lib/queue.js";
import type { Random } from "#lib/random.js";
import { assertRange, isSha512, toBlobPath } from "./address.js";
import { BlobDamaged } from "./errors.js";
import { createS3Client, type S3Client, type S3Timeouts } from "./s3-client.js";
import { listObjects, listUploads } from "./s3-list.js";
import { openObject } from "./s3-read.js";
import { openObjectToSend, readObject } from "./s3-send.js";
import type { S3Location } from "./s3-signer.js";
import { abortUpload, createUploader, type UploadSizes } from "./s3-upload.js";
import { openStaging, putBytes } from "./staging.js";
import type { BlobStore, SignedUrlOptions } from "./store.js";

export interface S3StoreConfig extends S3Location {
  /** Prepended to every key, for shared buckets. */
  prefix: string;
  /** Local folder for uploads until they are in the bucket. */
  temporaryDir: string;
}

/** Readiness must change within seconds, so a probe does not retry. */
const probeTimeouts: S3Timeouts = { tries: 1, idleMs: 3_000, requestMs: 4_000, backoffMs: 0 };

export async function openS3Store(
  config: S3StoreConfig,
  parts: { clock: Clock; random: Random; fileSystem: FileSystem; patience: S3Timeouts; uploadSizes: UploadSizes },
): Promise<BlobStore> {
  const { random, fileSystem } = parts;
  const staging = await openStaging(config.temporaryDir, random, fileSystem);
  const client = createS3Client(config, parts);
  const probeClient = createS3Client(config, { ...parts, patience: probeTimeouts });
  const upload = createUploader(client, parts.uploadSizes);
  // For two uploads of the same content in this process, the second one finds the first one's object and sends nothing.
  const queues = new QueueByKey();
  const prefix = config.prefix.replace(/^\/+|\/+$/g, "");
  const root = prefix === "" ? "" : `${prefix}/`;
  const toKey = (sha512: string) => root + toBlobPath(sha512);

  const store: BlobStore = {
    stage: staging.stage,
    retain: staging.retain,
    findRetained: staging.findRetained,
    removeRetained: staging.removeRetained,
    put: (bytes) => putBytes(store, bytes),

    async keep(staged) {
      const { sha512, sha1, size, path } = staged;
      const key = toKey(sha512);
      try {
        await queues.run(sha512, () => upload(key, path, { sha512, sha1, size }));
      } catch (error) {
        const keptBefore = hasErrorCode(error, "ENOENT") && (await store.find(sha512))?.size === size;
        if (!keptBefore) throw error;
      }
      await staged.discard();
      return { sha512, sha1, size };
    },

    async find(sha512) {
      const { status, headers } = await client.send({ method: "HEAD", key: toKey(sha512), accept: [200, 404] });
      return status === 404 ? undefined : { size: Number(headers["content-length"]) };
    },

    async open(sha512, range) {
      const key = toKey(sha512);
      assertRange(range);
      return openObject(client, key, range);
    },

    async openToSend(sha512, range) {
      const key = toKey(sha512);
      assertRange(range);
      return openObjectToSend(client, key, range);
    },

    async read(sha512) {
      return readObject(client, toKey(sha512));
    },

    async delete(sha512) {
      const key = toKey(sha512);
      await queues.run(sha512, () => deleteObject(client, key));
    },

    async *list() {
      for await (const { key, size, lastModified } of listObjects(client, `${root}blobs/`)) {
        const sha512 = key.slice(key.lastIndexOf("/") + 1);
        if (isSha512(sha512) && key === toKey(sha512)) yield { sha512, size, lastModified };
      }
    },

    async *listTemporaries() {
      yield* staging.list();
      for await (const { key, initiated } of listUploads(client, `${root}blobs/`))
        yield { name: `upload of ${key}`, lastModified: initiated };
    },

    async removeStaleTemporaries(olderThan) {
      let removed = await staging.removeStale(olderThan);
      for await (const { key, lastModified } of listObjects(client, `${root}probes/`)) {
        if (lastModified < olderThan) await deleteObject(client, key);
      }
      for await (const { key, uploadId, initiated } of listUploads(client, `${root}blobs/`)) {
        if (initiated < olderThan && (await abortUpload(client, key, uploadId))) removed += 1;
      }
      return removed;
    },

    async signedUrl(sha512, options) {
      return client.signUrl(toKey(sha512), toOverrides(options), options.expiresSeconds);
    },

    async probe() {
      await staging.probe();
      await probeBucket(probeClient, root, random);
    },

    async close() {
      client.close();
      probeClient.close();
    },
  };
  return store;
}

async function deleteObject(client: S3Client, key: string): Promise<void> {
  await client.send({ method: "DELETE", key, accept: [200, 204, 404] });
}

async function probeBucket(client: S3Client, root: string, random: Random): Promise<void> {
  const bytes = random.bytes(64);
  const key = `${root}probes/${random.bytes(16).toString("hex")}`;
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const body = { length: bytes.byteLength, open: () => Readable.from([bytes]) };
  await client.send({ method: "PUT", key, body, headers: { "x-amz-content-sha256": sha256 }, accept: [200] });
  try {
    const object = await openObject(client, key);
    if (!object || !bytes.equals(Buffer.concat(await object.stream.toArray()))) throw new BlobDamaged(key);
  } finally {
    await deleteObject(client, key);
  }
}

function toOverrides({ contentType, contentDisposition, cacheControl }: SignedUrlOptions): Record<string, string> {
  const overrides: Record<string, string> = {};
  if (contentType !== undefined) overrides["response-content-type"] = contentType;
  if (contentDisposition !== undefined) overrides["response-content-disposition"] = contentDisposition;
  if (cacheControl !== undefined) overrides["response-cache-control"] = cacheControl;
  return overrides;
}
