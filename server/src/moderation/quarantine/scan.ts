// Inspects one file of a version for moderators: its entries, other versions with it, and notable findings.

import { getWatchList } from "#content/uploads/denied-contents.js";
import { isProgram } from "#moderation/desk/risks.js";
import { type FileType, isArchiveType } from "#platform/archives/file-types.js";
import type { Inspection } from "#platform/archives/inspection.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import type { InspectedContent } from "./contract.js";
import { inspectContent } from "./read.js";

export interface Scan {
  file: { id: string; name: string; type: string; size: number; sha1: string; sha512: string };
  version: { id: string; number: string };
  project: { id: string; slug: string; name: string };
  content: InspectedContent;
  /** Undefined if the file is not an archive, or if its bytes are missing. */
  inspection: Inspection | undefined;
  isMissing: boolean;
  /** Paths of entries that an operating system would run. */
  programs: string[];
  /** Entries whose content is on the list of denied contents. */
  denied: string[];
}

const hex = (hash: Uint8Array): string => Buffer.from(hash).toString("hex");

/** `read`: also returns the start of the entry with this path. */
export async function scanFile(resources: Resources, fileId: string, read?: string): Promise<Scan> {
  const row = await resources.db
    .selectFrom("version_files as file")
    .innerJoin("versions", "versions.id", "file.version_id")
    .innerJoin("projects", "projects.id", "file.project_id")
    .select(["file.id", "file.name", "file.type", "file.size", "file.sha1", "file.sha512"])
    .select(["versions.id as version_id", "versions.version_number"])
    .select(["projects.id as project_id", "projects.slug", "projects.name as project_name"])
    .where("file.id", "=", fileId)
    .executeTakeFirst();
  if (!row) throw fail.fileNotFound();
  const [sha1, sha512] = [hex(row.sha1), hex(row.sha512)];
  const looked = await lookInside(resources, { sha512, size: row.size, type: row.type as FileType }, read);
  const files = looked.inspection?.ok ? (looked.inspection.files ?? []) : [];
  const found = looked.inspection?.ok ? (looked.inspection.found ?? []) : [];
  return {
    file: { id: row.id, name: row.name, type: row.type, size: row.size, sha1, sha512 },
    version: { id: row.version_id, number: row.version_number },
    project: { id: row.project_id, slug: row.slug, name: row.project_name },
    content: await inspectContent(resources.db, sha512),
    ...looked,
    programs: files.map(({ path }) => path).filter(isProgram),
    denied: found.map(({ path }) => path),
  };
}

/** Runs in a child process like every upload, on a copy, because the storage may be remote. */
async function lookInside(
  resources: Resources,
  { sha512, size, type }: { sha512: string; size: number; type: FileType },
  read: string | undefined,
): Promise<Pick<Scan, "inspection" | "isMissing">> {
  const { blobs, archives } = resources;
  const opened = await blobs.open(sha512);
  if (!opened) return { inspection: undefined, isMissing: true };
  if (!isArchiveType(type)) {
    opened.stream.destroy();
    return { inspection: undefined, isMissing: false };
  }
  const copy = await blobs.stage(opened.stream, { maxBytes: size });
  try {
    const watchList = await getWatchList(resources);
    const inspection = await archives.inspect(copy.path, type, {}, watchList, { list: true, read });
    return { inspection, isMissing: false };
  } finally {
    await copy.discard();
  }
}
