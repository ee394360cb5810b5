// Lists the contents of a pack, one page of them: each file with its project, if the caller may see that, and the update that fits
// the pack. Files are looked up by their hashes at every read: nothing has to be changed when a file is published, hidden
// or deleted, and the work is bounded by the length of a page.
import { type ProjectEntry, projectEntries } from "#content/projects/entries.js";
import { resolveHashes } from "#content/version-files/read.js";
import { parseChannels } from "#content/versions/channels.js";
import { type VersionEntry, versionEntries } from "#content/versions/entries.js";
import { findLatest } from "#content/versions/policy.js";
import type { PackSummary } from "#lib/pack-summary.js";
import type { Row } from "#platform/db/tables.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";

export interface Contained {
  file: Omit<Row<"pack_files">, "sha1" | "sha512" | "version_id" | "position"> & {
    sha1: string | null;
    sha512: string | null;
  };
  project: ProjectEntry | undefined;
  version: VersionEntry | undefined;
  update: VersionEntry | undefined;
}

type Pack = Pick<VersionEntry, "id" | "gameVersions" | "loaders"> & { pack: PackSummary };

export async function listContents(
  resources: Resources,
  viewer: Viewer,
  pack: Pack,
  { limit, page }: { limit: number; page: number },
): Promise<Contained[]> {
  const rows = await resources.db
    .selectFrom("pack_files")
    .select(["path", "size", "sha1", "sha512", "client", "server", "host", "is_inside"])
    .where("version_id", "=", pack.id)
    .orderBy("position")
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  const files = rows.map((row) => ({ ...row, sha1: toHex(row.sha1), sha512: toHex(row.sha512) }));
  const found = await findVersions(resources, viewer, files);
  const ids = [...new Set([...found.values()].map(({ projectId }) => projectId))];
  const [projects, versions] = [await projectEntries(resources).load(ids), await versionEntries(resources).load(ids)];
  return files.map((file) => {
    const version = found.get(file.sha512 ?? file.sha1 ?? "");
    const project = version && projects.get(version.projectId);
    if (!version || !project) return { file, project: undefined, version: undefined, update: undefined };
    return { file, project, version, update: findUpdate(pack, version, versions.get(project.id) ?? []) };
  });
}

const toHex = (bytes: Uint8Array | null): string | null => (bytes === null ? null : Buffer.from(bytes).toString("hex"));

/** By the hash that decides: SHA-1 counts only where the pack has nothing better. */
async function findVersions(
  resources: Resources,
  viewer: Viewer,
  files: readonly Contained["file"][],
): Promise<ReadonlyMap<string, VersionEntry>> {
  const long = files.flatMap(({ sha512 }) => sha512 ?? []);
  const short = files.flatMap(({ sha1, sha512 }) => (sha512 === null && sha1 !== null ? sha1 : []));
  const found = [
    await resolveHashes(resources, viewer, { algorithm: "sha512", hashes: long }),
    await resolveHashes(resources, viewer, { algorithm: "sha1", hashes: short }),
  ];
  return new Map(found.flatMap((some) => [...some]));
}

/**
 * The rules of the look-ups of updates, for the pack's game version and loader. A file for another loader, such as a
 * shader, stays with its own loaders.
 */
function findUpdate(
  { pack, gameVersions, loaders }: Pack,
  version: VersionEntry,
  versions: readonly VersionEntry[],
): VersionEntry | undefined {
  const { gameVersion } = pack;
  const named = pack.loaders.filter((loader) => loaders.has(loader));
  const ofPack = named.length > 0 ? named : [...loaders];
  const fitting = ofPack.filter((loader) => version.loaders.has(loader));
  const update = findLatest(versions, {
    gameVersions: gameVersion !== null && gameVersions.has(gameVersion) ? [gameVersion] : [...gameVersions],
    loaders: fitting.length > 0 ? new Set(fitting) : version.loaders,
    channels: parseChannels(version.channel),
  });
  return update && update.datePublished > version.datePublished ? update : undefined;
}

/** The pack in a version. */
export const packOf = (version: VersionEntry): Pack | undefined =>
  version.pack === null ? undefined : { ...version, pack: version.pack };
