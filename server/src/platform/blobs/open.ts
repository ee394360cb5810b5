// Chooses the blob store by configuration.
import { type Clock, systemClock } from "#lib/clock.js";
import { type FileSystem, systemFileSystem } from "#lib/file-system.js";
import { type Random, systemRandom } from "#lib/random.js";
import { openDiskStore } from "./disk-store.js";
import { defaultS3Timeouts, type S3Timeouts } from "./s3-client.js";
import { openS3Store, type S3StoreConfig } from "./s3-store.js";
import { defaultUploadSizes, type UploadSizes } from "./s3-upload.js";
import type { BlobStore } from "./store.js";

export type BlobStoreConfig = { kind: "disk"; path: string } | ({ kind: "s3" } & S3StoreConfig);

export interface BlobStoreParts {
  clock: Clock;
  random: Random;
  fileSystem: FileSystem;
  patience: S3Timeouts;
  uploadSizes: UploadSizes;
}

export async function openBlobStore(config: BlobStoreConfig, parts: Partial<BlobStoreParts> = {}): Promise<BlobStore> {
  const { clock = systemClock, random = systemRandom } = parts;
  const { fileSystem = systemFileSystem, patience = defaultS3Timeouts, uploadSizes = defaultUploadSizes } = parts;
  if (config.kind === "disk") return openDiskStore(config.path, random, fileSystem);
  return openS3Store(config, { clock, random, fileSystem, patience, uploadSizes });
}
