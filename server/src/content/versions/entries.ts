// The versions of projects in memory, newest first, with the fields that filters use and the ready bytes of each form
// in which answers show a version.
import type { RawBuilder } from "kysely";
import { keepEntries } from "#content/catalog/catalog.js";
import { ReadyBytes } from "#content/catalog/ready-bytes.js";
import { type RowContext, rowContext } from "#content/projects/entries.js";
import type { File, Version } from "#content/shapes/version.js";
import { fromJson } from "#lib/json.js";
import type { PackSummary } from "#lib/pack-summary.js";
import type { Channel } from "#platform/db/tables.js";
import { timestamp } from "#platform/http/schemas.js";
import { pictureUrl } from "#platform/pictures/read.js";
import { isNotQuarantined } from "./policy.js";
import { type DependencyRow, type FileEntry, selectVersions, type VersionRow } from "./version-rows.js";

export type { DependencyRow, FileEntry } from "./version-rows.js";

/** A version in each form in which answers show it. */
export interface ShownVersion {
  /** For the list, the single version and latest: with isDuplicate and the author's role. */
  own: ReadyBytes<Version>;
  /** For bulk answers. */
  bulk: ReadyBytes<Version>;
  /** For hash look-ups: dependencies have ids. */
  byHash: ReadyBytes<Version>;
}

/** Its own forms are public: they leave out dependencies on projects that are not public (showVersionsTo). */
export interface VersionEntry extends ShownVersion {
  id: string;
  projectId: string;
  slug: string;
  versionNumber: string;
  changelog: string;
  /** The next older version has the same changelog. */
  isDuplicate: boolean;
  channel: Channel;
  gameVersions: ReadonlySet<string>;
  loaders: ReadonlySet<string>;
  featured: boolean;
  yanked: boolean;
  /** The replacement of a withdrawn version, in the same project. */
  replacementId: string | null;
  datePublished: number;
  files: readonly FileEntry[];
  dependencies: readonly DependencyRow[];
  /** Set if its primary file is a pack. */
  pack: PackSummary | null;
  /** It has a required dependency, public or not. */
  needsOthers: boolean;
  /** The projects in `dependencies` that are not public. */
  hiddenProjects: readonly string[];
  authorId: string;
  /** The organization of its project, because the author's role may come from there. */
  orgId: string | null;
  downloads: number;
  /** The approximate memory that it takes. */
  weight: number;
  /** The forms for a caller who may see these of the hidden projects. */
  shownWith(visible: ReadonlySet<string>): ShownVersion;
  /** The same with another figure. */
  withDownloads(downloads: number): VersionEntry;
}

export const fileUrl = (cdnUrl: string, projectId: string, versionId: string, name: string): string =>
  `${cdnUrl}/cdn/data/project/${projectId}/version/${versionId}/${encodeURIComponent(name)}`;

/** An estimate: a version without a changelog, as objects and as bytes. */
const usualBytes = 6000;
const fileBytes = 800;
const dependencyBytes = 400;

/** The versions of each project, newest first, by project id. */
export const versionEntries = keepEntries<readonly VersionEntry[]>({
  name: "versions",
  weigh: (versions) => versions.reduce((sum, { weight }) => sum + weight, 0),
  load: async (resources, projectIds) => loadVersions(await rowContext(resources), projectIds),
  onChange({ kind, id }, lists) {
    if (kind === "project") lists.drop(id);
    else if (kind === "organization") lists.dropWhere((versions) => versions[0]?.orgId === id);
    else if (kind === "user") lists.dropWhere((versions) => versions.some(({ authorId }) => authorId === id));
  },
  withFigures(versions, change) {
    const figures = new Map(change.versions.map(({ versionId, downloads }) => [versionId, downloads]));
    return versions.map((each) => (figures.has(each.id) ? each.withDownloads(figures.get(each.id)!) : each));
  },
});

interface VersionsToLoad {
  which?: RawBuilder<boolean>;
  versionIds?: readonly string[];
  /** Whether there is a version with this id that is not quarantined. */
  isOffered?: (id: string) => boolean;
}

/**
 * Needs three statements, however many projects and versions there are. Leaves out quarantined versions unless `which`
 * includes them. With `versionIds`, only these versions of the projects are read: isDuplicate is meaningful only if the
 * next older version is among them, and replacements are named if `isOffered` knows them.
 */
export async function loadVersions(
  context: RowContext,
  projectIds: readonly string[],
  { which = isNotQuarantined, versionIds, isOffered }: VersionsToLoad = {},
): Promise<Map<string, VersionEntry[]>> {
  const { db } = context;
  const wanted = { projectIds, versionIds };
  const { rows, files, dependencies } = await selectVersions(db, wanted, which);
  // A version that was deleted between the statements has no files any more; it is left out.
  const whole = rows.filter((row) => files.get(row.id)?.some(({ id }) => id === row.primary_file_id));
  const byProject = Map.groupBy(whole, (row) => row.project_id);
  return new Map(
    projectIds.map((projectId) => {
      const mine = byProject.get(projectId) ?? [];
      const read = new Set(mine.map(({ id }) => id));
      const offered = isOffered ?? ((id) => read.has(id));
      const entries = mine.map((row, index) =>
        toEntry(
          context,
          row,
          files.get(row.id) ?? [],
          dependencies.get(row.id) ?? [],
          isDuplicate(row, mine[index + 1]),
          // A quarantined version is not named.
          row.yank_replacement_id !== null && offered(row.yank_replacement_id) ? row.yank_replacement_id : null,
        ),
      );
      return [projectId, entries];
    }),
  );
}

/** The next older version has the same changelog and channel (decisions §6). */
const isDuplicate = (row: VersionRow, older: VersionRow | undefined): boolean =>
  older !== undefined && row.changelog !== "" && row.changelog === older.changelog && row.channel === older.channel;

function toEntry(
  context: RowContext,
  row: VersionRow,
  files: FileEntry[],
  dependencies: DependencyRow[],
  duplicate: boolean,
  replacementId: string | null,
): VersionEntry {
  const { cdnUrl, taxonomy } = context;
  const gameVersions = taxonomy.sortGameVersions(fromJson(row.game_versions));
  const loaders = fromJson(row.loaders);
  const sorted = files
    .map((file) => ({ ...file, isPrimary: file.id === row.primary_file_id }))
    .sort((a, b) => Number(b.isPrimary) - Number(a.isPrimary) || (a.name < b.name ? -1 : 1));
  const shown = sorted.map((file) => toFile(file, fileUrl(cdnUrl, row.project_id, row.id, file.name)));
  const make = (form: keyof ShownVersion, visible: ReadonlySet<string>): ReadyBytes<Version> =>
    new ReadyBytes(() => ({
      // The first field, so that the rest can be prepared while downloads are counted. Fields that differ between the
      // forms come last, so that prepared forms share most of their bytes (content/records).
      downloads: row.downloads,
      id: row.id,
      projectId: row.project_id,
      title: row.title,
      versionNumber: row.version_number,
      slug: row.slug,
      datePublished: timestamp(row.date_published),
      featured: row.featured === 1,
      changelog: row.changelog,
      releaseChannel: row.channel,
      gameVersions,
      loaders,
      primaryFile: shown[0]!,
      files: shown,
      yanked: row.date_yanked !== null,
      yankReason: row.yank_reason,
      yankReplacementId: replacementId,
      provenance: row.provenance === null ? null : fromJson(row.provenance),
      author: {
        id: row.author_id,
        userName: row.author_name,
        avatar: pictureUrl(cdnUrl, "user", row.author_id, row.author_avatar),
        role: form === "own" ? (row.author_role ?? row.author_org_role ?? "") : "",
      },
      dependencies: dependencies
        .filter((dependency) => dependency.is_public === 1 || visible.has(dependency.on_project_id))
        .map((dependency) => ({
          ...(form === "byHash" && { id: dependency.id }),
          projectId: dependency.on_project_id,
          versionId: dependency.on_version_id,
          dependencyType: dependency.type,
        })),
      ...(form === "own" && { isDuplicate: duplicate }),
    }));
  const shownWith = (visible: ReadonlySet<string>): ShownVersion => ({
    own: make("own", visible),
    bulk: make("bulk", visible),
    byHash: make("byHash", visible),
  });
  return {
    id: row.id,
    projectId: row.project_id,
    slug: row.slug,
    versionNumber: row.version_number,
    changelog: row.changelog,
    isDuplicate: duplicate,
    channel: row.channel,
    gameVersions: new Set(gameVersions),
    loaders: new Set(loaders),
    featured: row.featured === 1,
    yanked: row.date_yanked !== null,
    replacementId,
    datePublished: row.date_published,
    files: sorted,
    dependencies,
    pack: row.pack === null ? null : fromJson(row.pack),
    needsOthers: dependencies.some(({ type }) => type === "required"),
    hiddenProjects: dependencies.flatMap((each) => (each.is_public === 1 ? [] : [each.on_project_id])),
    authorId: row.author_id,
    orgId: row.org_id,
    downloads: row.downloads,
    weight: usualBytes + 4 * row.changelog.length + fileBytes * files.length + dependencyBytes * dependencies.length,
    shownWith,
    ...shownWith(noProjects),
    withDownloads: (downloads) =>
      toEntry(context, { ...row, downloads }, files, dependencies, duplicate, replacementId),
  };
}

const noProjects: ReadonlySet<string> = new Set();

const toFile = (file: FileEntry, url: string): File => ({
  id: file.id,
  isPrimary: file.isPrimary,
  name: file.name,
  size: file.size,
  type: file.type,
  url,
  sha1_hash: file.sha1,
  sha512_hash: file.sha512,
});
