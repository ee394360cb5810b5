// Uploads as publish scripts send them: the parts of decisions §7, each of which a test can replace or leave out.
import type { Actor, Reply } from "#test/callers/actors.js";
import { type ZipEntry, zip } from "#test/files/archives.js";
import { uniqueName } from "#test/server/harness.js";

export interface UploadFile {
  name: string;
  bytes: Buffer;
  type?: string;
}

/** Texts by part; lists become JSON texts, and undefined values are left out. */
export interface UploadParts {
  title?: string | undefined;
  changelog?: string | undefined;
  featured?: string | undefined;
  releaseChannel?: string | undefined;
  versionNumber?: string | undefined;
  loaders?: unknown;
  gameVersions?: unknown;
  dependencies?: unknown;
  primaryFile?: UploadFile | undefined;
  additionalFiles?: readonly UploadFile[];
}

/** A small unique archive with the given entries. */
export const jar = (...entries: ZipEntry[]): Buffer => zip([{ name: "id.txt", content: uniqueName() }, ...entries]);

export const jarFile = (name = "mod.jar", bytes: Buffer = jar()): UploadFile => ({ name, bytes });

let counter = 0;

export function uploadForm(parts: UploadParts = {}): FormData {
  const versionNumber = `1.0.${counter++}`;
  const all: UploadParts = {
    title: `Release ${versionNumber}`,
    changelog: "- one\n- two",
    featured: "false",
    releaseChannel: "release",
    versionNumber,
    loaders: ["quilt"],
    gameVersions: ["0.4.8"],
    dependencies: [],
    primaryFile: jarFile(),
    additionalFiles: [],
    ...parts,
  };
  return toForm(all);
}

/** Contains only the given parts. */
export function toForm({ primaryFile, additionalFiles = [], ...texts }: UploadParts): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(texts))
    if (value !== undefined) form.append(name, typeof value === "string" ? value : JSON.stringify(value));
  if (primaryFile) form.append("primaryFile", toBlob(primaryFile), primaryFile.name);
  for (const file of additionalFiles) form.append("additionalFiles", toBlob(file), file.name);
  return form;
}

const toBlob = ({ bytes, type = "application/octet-stream" }: UploadFile): Blob =>
  new Blob([new Uint8Array(bytes)], { type });

export const publishTo = (actor: Actor, ref: string, parts?: UploadParts): Promise<Reply> =>
  actor.call("POST", `/api/project/${ref}/version`, { body: uploadForm(parts) });
