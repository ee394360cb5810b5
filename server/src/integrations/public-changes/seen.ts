// The public view of objects for the public change log: their existence, and a digest of their visible content. Counts
// of downloads and followers are left out on purpose; so are names of users and organizations, which have their own
// changes. Unlisted projects count as absent, as in search and feeds.
import { type RawBuilder, sql } from "kysely";
import { isListedProject, isPublicProject } from "#content/projects/policy.js";
import { inList, together } from "#platform/db/dialect.js";
import type { Db, Row } from "#platform/db/tables.js";
import { entityTag } from "#platform/http/answers.js";

export type Thing = Row<"public_things">;
export type PublicKind = Thing["kind"];
export type Digests = ReadonlyMap<string, string>;

const digestOf = (...parts: unknown[]): string => entityTag(JSON.stringify(parts));

/**
 * The projects among these that are in public lists: authors who hide a project from search do not want its id
 * published here. Long texts are read only for edited or new projects: the digest of the text is the second half, and
 * is reused for all others.
 */
export async function loadProjects(
  db: Db,
  ids: readonly string[],
  { before, edited }: { before: Digests; edited: ReadonlySet<string> },
): Promise<Thing[]> {
  const listed = db
    .selectFrom("projects")
    .select(["id", "team_id", "org_id", "name", "slug", "summary", "types", "visibility", "color", "icon_id"])
    .select(["license_id", "license_name", "license_url", "issue_tracker_url", "source_url", "wiki_url"])
    .select(["discord_url", "donation_links", "disclosures", "client_side", "server_side", "game_versions", "loaders"])
    .select(["date_published", "date_updated"])
    .where(inList(db, sql.ref("projects.id"), ids))
    .where(isListedProject);
  if (ids.length === 0) return [];
  const teamIds = sql`select team_id from projects where ${inList(db, sql.ref("id"), ids)}`;
  const read = await together(db, [
    listed,
    categoriesOf(db, ids),
    galleryOf(db, ids),
    membersOf(db, sql<boolean>`team_id in (${teamIds})`),
  ]);
  const { rows } = read[0];
  const categories = Map.groupBy(read[1].rows, (row) => row.project_id);
  const gallery = Map.groupBy(read[2].rows, (row) => row.project_id);
  const members = Map.groupBy(read[3].rows, (row) => row.team_id);
  const texts = await digestDescriptions(
    db,
    rows.map(({ id }) => id).filter((id) => edited.has(id) || !before.has(id)),
  );
  return rows.map(({ disclosures, ...row }) => {
    // Left out if there are none, so that digests of the time before them stay the same.
    const stated = disclosures === "{}" ? [] : [disclosures];
    const shown = digestOf(row, categories.get(row.id), gallery.get(row.id), members.get(row.team_id), ...stated);
    const text = texts.get(row.id) ?? before.get(row.id)?.split(".")[1] ?? "";
    return { kind: "project", object_id: row.id, project_id: null, digest: `${shown}.${text}` };
  });
}

async function digestDescriptions(db: Db, ids: readonly string[]): Promise<Digests> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("projects")
    .select(["id", "description"])
    .where(inList(db, sql.ref("id"), ids))
    .execute();
  return new Map(rows.map(({ id, description }) => [id, digestOf(description)]));
}

const categoriesOf = (db: Db, projectIds: readonly string[]) =>
  db
    .selectFrom("project_categories")
    .select(["project_id", "category", "featured"])
    .where(inList(db, sql.ref("project_id"), projectIds))
    .orderBy("category");

const galleryOf = (db: Db, projectIds: readonly string[]) =>
  db
    .selectFrom("gallery_items")
    .select(["project_id", "id", "image_id", "name", "description", "featured", "order_index"])
    .where(inList(db, sql.ref("project_id"), projectIds))
    .orderBy("order_index");

const membersOf = (db: Db, ofTeams: RawBuilder<boolean>) =>
  db
    .selectFrom("team_members")
    .select(["team_id", "user_id", "role", "is_owner", "accepted"])
    .where(ofTeams)
    .where("accepted", "=", 1)
    .orderBy("id");

/** Some versions, and all versions of some projects. */
export interface SomeVersions {
  ids: readonly string[];
  projectIds: readonly string[];
}

/** Quarantined ones are left out. */
export const versionIds = (db: Db, { ids, projectIds }: SomeVersions) =>
  db
    .selectFrom("versions")
    .select(["id", "project_id"])
    .where((or) => or.or([inList(db, sql.ref("id"), ids), inList(db, sql.ref("project_id"), projectIds)]))
    .where("date_quarantined", "is", null)
    .orderBy("date_published")
    .orderBy("id");

export async function digestVersions(db: Db, ids: readonly string[]): Promise<Digests> {
  if (ids.length === 0) return new Map();
  const versions = db
    .selectFrom("versions")
    .select(["id", "title", "version_number", "slug", "changelog", "channel", "featured", "game_versions", "loaders"])
    .select(["primary_file_id", "date_published", "date_yanked", "yank_reason", "yank_replacement_id"])
    .where(inList(db, sql.ref("id"), ids));
  const files = db
    .selectFrom("version_files")
    .select(["version_id", "id", "name"])
    .where(inList(db, sql.ref("version_id"), ids))
    .orderBy("id");
  const dependencies = db
    .selectFrom("dependencies")
    .innerJoin("projects", "projects.id", "dependencies.on_project_id")
    .select(["version_id", "on_project_id", "on_version_id", "type"])
    .where(inList(db, sql.ref("version_id"), ids))
    .where(isPublicProject)
    .orderBy("on_project_id")
    .orderBy("type");
  const read = await together(db, [versions, files, dependencies]);
  const filesOf = Map.groupBy(read[1].rows, (row) => row.version_id);
  const needs = Map.groupBy(read[2].rows, (row) => row.version_id);
  return new Map(read[0].rows.map((row) => [row.id, digestOf(row, filesOf.get(row.id), needs.get(row.id))]));
}

export async function loadOrganizations(db: Db, ids: readonly string[]): Promise<Thing[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("organizations")
    .select(["id", "team_id", "name", "slug", "description", "icon_id"])
    .where(inList(db, sql.ref("id"), ids))
    .execute();
  const teamIds = rows.map((row) => row.team_id);
  const ofTeams = inList(db, sql.ref("team_id"), teamIds);
  const members = Map.groupBy(await membersOf(db, ofTeams).execute(), (row) => row.team_id);
  return rows.map((row) => ({
    kind: "organization",
    object_id: row.id,
    project_id: null,
    digest: digestOf(row, members.get(row.team_id)),
  }));
}

export async function loadUsers(db: Db, ids: readonly string[]): Promise<Thing[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("users")
    .select(["id", "user_name", "name", "role", "bio", "avatar_id", "background_id"])
    .where(inList(db, sql.ref("id"), ids))
    .execute();
  return rows.map((row) => ({ kind: "user", object_id: row.id, project_id: null, digest: digestOf(row) }));
}

/** The accepted members of the teams of these objects who are not in the public change log yet. */
export async function listNewMemberIds(
  db: Db,
  { projects, organizations }: { projects: readonly string[]; organizations: readonly string[] },
): Promise<string[]> {
  if (projects.length + organizations.length === 0) return [];
  // One list: with two of them, PostgreSQL would read the members of all teams.
  const teams = db
    .selectFrom("projects")
    .select("team_id")
    .where(inList(db, sql.ref("id"), projects))
    .union(
      db
        .selectFrom("organizations")
        .select("team_id")
        .where(inList(db, sql.ref("id"), organizations)),
    );
  const rows = await db
    .selectFrom("team_members")
    .select("user_id")
    .distinct()
    .where("accepted", "=", 1)
    .where("team_id", "in", teams)
    .where(
      sql<boolean>`not exists (select 1 from public_things where kind = 'user' and object_id = team_members.user_id)`,
    )
    .orderBy("user_id")
    .execute();
  return rows.map((row) => row.user_id);
}
