// Versions for tests, inserted directly into the store and the tables, because tests of reads do not depend on
// publishing.
import { randomBytes } from "node:crypto";
import { lockProject } from "#content/projects/change.js";
import { insertVersion } from "#content/versions/publish.js";
import type { NewFile } from "#content/versions/store-files.js";
import type { DependencyInput } from "#content/versions/version-input.js";
import { write } from "#platform/changes/write.js";
import type { Channel } from "#platform/db/tables.js";
import type { TestUser } from "#test/callers/actors.js";
import type { World } from "#test/worlds/content.js";

export interface VersionOptions {
  versionNumber?: string;
  title?: string;
  changelog?: string;
  channel?: Channel;
  featured?: boolean;
  gameVersions?: string[];
  loaders?: string[];
  dependencies?: DependencyInput[];
  /** Content of the primary file; random unless given. */
  bytes?: Buffer;
  fileName?: string;
  additional?: { name: string; bytes: Buffer }[];
}

export interface TestVersion {
  id: string;
  versionNumber: string;
  bytes: Buffer;
  sha1: string;
  sha512: string;
}

let counter = 0;

export async function makeVersion(
  { resources }: World,
  author: TestUser,
  projectId: string,
  options: VersionOptions = {},
): Promise<TestVersion> {
  const {
    versionNumber = `1.0.${counter++}`,
    bytes = randomBytes(64),
    fileName = `file-${versionNumber}.jar`,
  } = options;
  const store = async (name: string, content: Buffer): Promise<NewFile> => ({
    name,
    type: "jar",
    digest: await resources.blobs.put(content),
  });
  const primaryFile = await store(fileName, bytes);
  const additionalFiles: NewFile[] = [];
  for (const file of options.additional ?? []) additionalFiles.push(await store(file.name, file.bytes));
  const id = await write(resources, { userId: author.id, credential: "test" }, async (tx) =>
    insertVersion(tx, resources.blobs, await lockProject(tx, projectId), {
      authorId: author.id,
      versionNumber,
      title: options.title ?? `Version ${versionNumber}`,
      changelog: options.changelog ?? "",
      channel: options.channel ?? "release",
      featured: options.featured ?? false,
      gameVersions: options.gameVersions ?? ["0.4.8"],
      loaders: options.loaders ?? ["quilt"],
      dependencies: options.dependencies ?? [],
      primaryFile,
      additionalFiles,
    }),
  );
  return { id, versionNumber, bytes, sha1: primaryFile.digest.sha1, sha512: primaryFile.digest.sha512 };
}
