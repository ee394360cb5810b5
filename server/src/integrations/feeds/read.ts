// The content of feeds: the newest versions of some projects, and the newest projects. One statement each, which
// includes the visibility.
import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import { isListedProject } from "#content/projects/policy.js";
import { fileUrl } from "#content/versions/entries.js";
import { isNotQuarantined, type VersionFilter } from "#content/versions/policy.js";
import { fromJson } from "#lib/json.js";
import { organizationPage, projectPage, userPage, versionPage } from "#lib/page-urls.js";
import { readSecretToken } from "#lib/secret-token.js";
import { contentTypeOf } from "#platform/archives/file-types.js";
import { inList } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import { pictureUrl } from "#platform/pictures/read.js";
import { type FeedEntry, toTag } from "./feed.js";

export const maxEntries = 50;
/** A filter searches only so many of the newest versions, to limit its cost. */
const looksAt = 1000;
/** Fifty whole changelogs would be megabytes; the page has the rest. */
const textLength = 4000;

export interface Hosts {
  url: string;
  cdnUrl: string;
}

/** Withdrawn and quarantined versions are left out. */
const isOffered: RawBuilder<SqlBool> = sql<SqlBool>`(versions.date_yanked is null and ${isNotQuarantined})`;

/** Written so that the database uses no index for it: the other conditions have better ones. */
export const isListedAmongThem: RawBuilder<SqlBool> = sql<SqlBool>`case when ${isListedProject} then 1 else 0 end = 1`;

const isFiltered = ({ channels, gameVersions, loader }: VersionFilter): boolean =>
  channels !== undefined || gameVersions !== undefined || loader !== undefined;

/** Whether the version matches: game version and loader in one of its pairs. */
function fits(db: Db, { channels, gameVersions, loader }: VersionFilter): RawBuilder<SqlBool> {
  const pair = sql<SqlBool>`exists (select 1 from version_compat as pair where pair.version_id = versions.id
    and ${gameVersions ? inList(db, sql.ref("pair.game_version"), gameVersions) : sql`1 = 1`}
    and ${loader === undefined ? sql`1 = 1` : sql`pair.loader = ${loader}`})`;
  const channel = channels ? inList(db, sql.ref("versions.channel"), [...channels]) : sql`1 = 1`;
  return sql<SqlBool>`(${channel} and ${pair})`;
}

const cut = (column: string): RawBuilder<string> => sql<string>`substr(${sql.ref(column)}, 1, ${textLength + 1})`;
const shorten = (text: string): string => (text.length > textLength ? `${text.slice(0, textLength).trimEnd()}…` : text);

/** The newest versions of the projects that `among` selects; without it, of all listed projects. */
export async function listReleases(
  db: Db,
  hosts: Hosts,
  filter: VersionFilter,
  among?: Expression<SqlBool>,
): Promise<FeedEntry[]> {
  // Uses the index for all projects; for a few projects the index would scan the versions of all others.
  const newestFirst = among ? sql<number>`versions.date_published + 0` : sql<number>`versions.date_published`;
  const isMeant = among
    ? sql<SqlBool>`versions.project_id in (select projects.id from projects where ${among})`
    : sql<SqlBool>`exists (select 1 from projects where projects.id = versions.project_id and ${isListedProject})`;
  const newest = db
    .selectFrom("versions")
    .select(["versions.id", "versions.date_published"])
    .where(isOffered)
    .where(isMeant)
    .orderBy(newestFirst, "desc")
    .orderBy("versions.id")
    .limit(isFiltered(filter) ? looksAt : maxEntries);
  const rows = await db
    .selectFrom(newest.as("newest"))
    .innerJoin("versions", "versions.id", "newest.id")
    .innerJoin("projects", "projects.id", "versions.project_id")
    .innerJoin("users as author", "author.id", "versions.author_id")
    .innerJoin("version_files as file", "file.id", "versions.primary_file_id")
    .leftJoin("images as icon", "icon.id", "projects.icon_id")
    .select(["versions.id", "versions.slug", "versions.version_number", "versions.title", "versions.channel"])
    .select([cut("versions.changelog").as("text"), "versions.date_published", "versions.project_id"])
    .select(["versions.game_versions", "versions.loaders", "author.user_name", "icon.file_name as icon_file"])
    .select(["projects.slug as project_slug", "projects.name as project_name"])
    .select(["file.name as file_name", "file.type as file_type", "file.size as file_size"])
    .$if(isFiltered(filter), (query) => query.where(fits(db, filter)))
    .orderBy("newest.date_published", "desc")
    .orderBy("newest.id")
    .limit(maxEntries)
    .execute();
  const { url, cdnUrl } = hosts;
  return rows.map((row) => ({
    id: toTag(url, "version", row.id),
    url: versionPage(url, row.project_slug, row.slug),
    title: toTitle(row.project_name, row.version_number, row.title),
    text: shorten(row.text),
    time: row.date_published,
    author: { name: row.user_name, url: userPage(url, row.user_name) },
    tags: [row.channel, ...fromJson(row.loaders), ...fromJson(row.game_versions)],
    image: row.icon_file === null ? undefined : pictureUrl(cdnUrl, "project", row.project_id, row.icon_file),
    file: {
      url: fileUrl(cdnUrl, row.project_id, row.id, row.file_name),
      type: contentTypeOf(row.file_type),
      name: row.file_name,
      size: row.file_size,
    },
  }));
}

/** The title usually contains the version number. */
const toTitle = (project: string, number: string, title: string): string =>
  title.includes(number) ? `${project}: ${title}` : `${project} ${number}: ${title}`;

/**
 * Listed projects in the order in which they became listed; with `among` only those that it selects. With a filter, only
 * those that have a matching version.
 */
export async function listNewProjects(
  db: Db,
  hosts: Hosts,
  filter: VersionFilter,
  among?: Expression<SqlBool>,
): Promise<FeedEntry[]> {
  // As for versions, the index would find all other projects.
  const newestFirst = among ? sql<number>`projects.date_approved + 0` : sql<number>`projects.date_approved`;
  const newest = db
    .selectFrom("projects")
    .select(["projects.id", "projects.date_approved"])
    .where(isListedAmongThem)
    .where("projects.date_approved", "is not", null)
    .$if(among !== undefined, (query) => query.where(among!))
    .orderBy(newestFirst, "desc")
    .orderBy("projects.id")
    .limit(isFiltered(filter) ? looksAt : maxEntries);
  const hasFitting = sql<SqlBool>`exists (select 1 from versions where versions.project_id = projects.id
    and ${isOffered} and ${fits(db, filter)})`;
  const rows = await db
    .selectFrom(newest.as("newest"))
    .innerJoin("projects", "projects.id", "newest.id")
    .leftJoin("organizations as org", "org.id", "projects.org_id")
    .leftJoin("team_members as owner", (join) =>
      join.onRef("owner.team_id", "=", "projects.team_id").on("owner.is_owner", "=", 1),
    )
    .leftJoin("users as author", "author.id", "owner.user_id")
    .leftJoin("images as icon", "icon.id", "projects.icon_id")
    .select(["projects.id", "projects.slug", "projects.name", "projects.summary", "projects.types"])
    .select([cut("projects.description").as("text"), "projects.date_approved", "projects.date_published"])
    .select(["projects.loaders", "author.user_name", "org.name as org_name", "org.slug as org_slug"])
    .select("icon.file_name as icon_file")
    .$if(isFiltered(filter), (query) => query.where(hasFitting))
    .orderBy("newest.date_approved", "desc")
    .orderBy("newest.id")
    .limit(maxEntries)
    .execute();
  const { url, cdnUrl } = hosts;
  return rows.map((row) => ({
    id: toTag(url, "project", row.id),
    url: projectPage(url, row.slug),
    title: row.name,
    text: shorten(`${row.summary}\n\n${row.text}`.trim()),
    time: row.date_approved ?? row.date_published,
    author: toAuthor(url, row),
    tags: [...fromJson(row.types), ...fromJson(row.loaders)],
    image: row.icon_file === null ? undefined : pictureUrl(cdnUrl, "project", row.id, row.icon_file),
    file: undefined,
  }));
}

function toAuthor(
  url: string,
  row: { user_name: string | null; org_name: string | null; org_slug: string | null },
): FeedEntry["author"] {
  if (row.org_slug !== null) return { name: row.org_name ?? row.org_slug, url: organizationPage(url, row.org_slug) };
  return row.user_name === null ? undefined : { name: row.user_name, url: userPage(url, row.user_name) };
}

/** The owner of the key; undefined if they are suspended. */
export async function findFeedOwner(db: Db, key: string): Promise<{ id: string; userName: string } | undefined> {
  const secret = readSecretToken(key);
  if (secret?.kind !== "code") return undefined;
  return db
    .selectFrom("feed_keys")
    .innerJoin("users", "users.id", "feed_keys.user_id")
    .select(["users.id", "users.user_name as userName"])
    .where("feed_keys.digest", "=", secret.digest)
    .where("users.date_suspended", "is", null)
    .executeTakeFirst();
}

export async function findFeedKeyDate(db: Db, userId: string): Promise<number | undefined> {
  const row = await db.selectFrom("feed_keys").select("date_created").where("user_id", "=", userId).executeTakeFirst();
  return row?.date_created;
}
