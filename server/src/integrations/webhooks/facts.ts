// The content of an event, read when it is stored, so that later attempts send the same even after changes. URLs and
// formats are added when it is sent (messages.ts).
import { sql } from "kysely";
import { isNotQuarantined } from "#content/versions/policy.js";
import { fromJson } from "#lib/json.js";
import type { EventType } from "#platform/changes/events.js";
import { inList } from "#platform/db/dialect.js";
import type { Db, Row } from "#platform/db/tables.js";

export interface FileFacts {
  name: string;
  size: number;
  type: string;
  isPrimary: boolean;
  sha1: string;
  sha512: string;
}

export interface VersionFacts {
  id: string;
  /** All fields except the id are absent if the version was deleted. */
  number?: string;
  slug?: string;
  title?: string;
  channel?: string;
  changelog?: string;
  gameVersions?: string[];
  loaders?: string[];
  datePublished?: number;
  isYanked?: boolean;
  yankReason?: string | null;
  files?: FileFacts[];
}

export interface ProjectFacts {
  id: string;
  slug: string;
  name: string;
  /** The following fields are absent if the project was deleted. */
  summary?: string;
  types?: string[];
  status?: string;
  visibility?: string;
  orgId: string | null;
  iconFile?: string | null;
  color?: string | null;
}

export interface Facts {
  type: EventType | "ping";
  date: number;
  project?: ProjectFacts;
  organization?: { id: string; slug: string; name: string };
  version?: VersionFacts;
  status?: { from: string; to: string };
}

/** Whole changelogs would make deliveries too large. */
const changelogLength = 4000;

export type EventRow = Row<"events">;

/** Needs three statements, however many events there are. */
export async function loadFacts(db: Db, events: readonly EventRow[]): Promise<Map<string, Facts>> {
  const projects = await loadProjectFacts(
    db,
    events.map((event) => event.project_id),
  );
  const versions = await loadVersionFacts(
    db,
    events.flatMap((event) => detailOf(event).versionId ?? []),
  );
  return new Map(events.map((event) => [event.id, toFacts(event, projects, versions)]));
}

/** The fields of the details of all kinds of events. */
interface AnyDetail {
  versionId?: string;
  versionNumber?: string;
  from?: string;
  to?: string;
  slug?: string;
  name?: string;
  orgId?: string | null;
}

const detailOf = (event: EventRow): AnyDetail => fromJson(event.detail) as AnyDetail;

function toFacts(
  event: EventRow,
  projects: ReadonlyMap<string, ProjectFacts>,
  versions: ReadonlyMap<string, VersionFacts>,
): Facts {
  const { versionId, versionNumber, from, to, slug = "", name = "", orgId = null } = detailOf(event);
  const known = versionId === undefined ? undefined : versions.get(versionId);
  return {
    type: event.type as EventType,
    date: event.date_created,
    project: projects.get(event.project_id) ?? { id: event.project_id, slug, name, orgId },
    ...(versionId !== undefined && {
      version: known ?? { id: versionId, ...(versionNumber !== undefined && { number: versionNumber }) },
    }),
    ...(from !== undefined && to !== undefined && { status: { from, to } }),
  };
}

export async function loadProjectFacts(db: Db, ids: readonly string[]): Promise<Map<string, ProjectFacts>> {
  const rows = await db
    .selectFrom("projects")
    .leftJoin("images as icon", "icon.id", "projects.icon_id")
    .select(["projects.id", "projects.slug", "projects.name", "projects.summary", "projects.types", "projects.org_id"])
    .select(["projects.status", "projects.visibility", "projects.color", "icon.file_name as icon_file"])
    .where(inList(db, sql.ref("projects.id"), ids))
    .execute();
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        slug: row.slug,
        name: row.name,
        summary: row.summary,
        types: fromJson(row.types),
        status: row.status,
        visibility: row.visibility,
        orgId: row.org_id,
        iconFile: row.icon_file,
        color: row.color,
      },
    ]),
  );
}

async function loadVersionFacts(db: Db, ids: readonly string[]): Promise<Map<string, VersionFacts>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("versions")
    .selectAll()
    .where(inList(db, sql.ref("id"), ids))
    // A version that is quarantined by then is treated as deleted.
    .where(isNotQuarantined)
    .execute();
  const files = await db
    .selectFrom("version_files")
    .selectAll()
    .where(inList(db, sql.ref("version_id"), ids))
    .orderBy("name")
    .execute();
  const filesOf = Map.groupBy(files, (file) => file.version_id);
  return new Map(rows.map((row) => [row.id, toVersionFacts(row, filesOf.get(row.id) ?? [])]));
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

const toVersionFacts = (row: Row<"versions">, files: readonly Row<"version_files">[]): VersionFacts => ({
  id: row.id,
  number: row.version_number,
  slug: row.slug,
  title: row.title,
  channel: row.channel,
  changelog: shortened(row.changelog),
  gameVersions: fromJson(row.game_versions),
  loaders: fromJson(row.loaders),
  datePublished: row.date_published,
  isYanked: row.date_yanked !== null,
  yankReason: row.yank_reason,
  files: files.map((file) => ({
    name: file.name,
    size: file.size,
    type: file.type,
    isPrimary: file.id === row.primary_file_id,
    sha1: hex(file.sha1),
    sha512: hex(file.sha512),
  })),
});

const shortened = (text: string): string =>
  text.length <= changelogLength ? text : `${text.slice(0, changelogLength - 1).toWellFormed()}…`;
