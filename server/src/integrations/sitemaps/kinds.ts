// The contents of the sitemaps. Each kind has a table whose ids, in order, are split into pages, whether or not a row
// is listed, so that every page costs about the same. Visibility is checked when a page is built.
import { type RawBuilder, sql } from "kysely";
import { isListedProject } from "#content/projects/policy.js";
import { isNotQuarantined } from "#content/versions/policy.js";
import { collectionPage, organizationPage, projectPage, userPage, versionPage } from "#lib/page-urls.js";
import { placeholderId } from "#platform/db/placeholder.js";
import type { Db } from "#platform/db/tables.js";
import { timestamp } from "#platform/http/schemas.js";

export interface Link {
  url: string;
  /** The last change of the page. */
  lastChange?: string;
}

/** A range of ids: after the first, up to the second. */
export interface IdRange {
  after: string;
  /** Absent: to the end. */
  upTo?: string | undefined;
}

export interface SitemapKind {
  name: string;
  /**
   * Rows per page. With all links of a row a page stays below 25,000, with space for rows added before the next split.
   */
  rowsPerPage: number;
  /** The id of the row that is this many rows after `after`. */
  findBoundary(db: Db, after: string, rows: number): Promise<string | undefined>;
  /** The first listed rows of the range. */
  listRows(db: Db, siteUrl: string, range: IdRange, limit: number): Promise<{ id: string; links: Link[] }[]>;
}

interface Source<R> {
  name: string;
  rowsPerPage: number;
  table: "projects" | "versions" | "organizations" | "collections" | "team_members";
  /** The indexed id of that table. */
  id: string;
  columns: RawBuilder<unknown>;
  from: RawBuilder<unknown>;
  where: RawBuilder<boolean>;
  toLinks(siteUrl: string, row: R & { id: string }): Link[];
}

function kind<R>({ name, rowsPerPage, table, id, columns, from, where, toLinks }: Source<R>): SitemapKind {
  const column = sql.ref(`${table}.${id}`);
  return {
    name,
    rowsPerPage,
    async findBoundary(db, after, rows) {
      const { rows: found } = await sql<{ id: string }>`select ${column} as id from ${sql.table(table)}
        where ${column} > ${after} group by ${column} order by ${column} limit 1 offset ${rows - 1}`.execute(db);
      return found[0]?.id;
    },
    async listRows(db, siteUrl, { after, upTo }, limit) {
      const isInRange = upTo === undefined ? sql`1 = 1` : sql`${column} <= ${upTo}`;
      const { rows } = await sql<R & { id: string }>`select distinct ${column} as id, ${columns} from ${from}
        where ${column} > ${after} and ${isInRange} and ${where} order by ${column} limit ${limit}`.execute(db);
      return rows.map((row) => ({ id: row.id, links: toLinks(siteUrl, row) }));
    },
  };
}

const projects = kind<{ slug: string; date_updated: number }>({
  name: "projects",
  rowsPerPage: 7000,
  table: "projects",
  id: "id",
  columns: sql`slug, date_updated`,
  from: sql`projects`,
  where: isListedProject,
  toLinks: (siteUrl, { slug, date_updated }) =>
    [projectPage(siteUrl, slug), projectPage(siteUrl, slug, "versions"), projectPage(siteUrl, slug, "changelog")].map(
      (url) => ({ url, lastChange: timestamp(date_updated) }),
    ),
});

const versions = kind<{ slug: string; project_slug: string; date_published: number }>({
  name: "versions",
  rowsPerPage: 20_000,
  table: "versions",
  id: "id",
  columns: sql`versions.slug, projects.slug as project_slug, versions.date_published`,
  from: sql`versions join projects on projects.id = versions.project_id`,
  where: sql<boolean>`(${isListedProject} and ${isNotQuarantined} and versions.date_yanked is null)`,
  toLinks: (siteUrl, { slug, project_slug, date_published }) => [
    { url: versionPage(siteUrl, project_slug, slug), lastChange: timestamp(date_published) },
  ],
});

const organizations = kind<{ slug: string }>({
  name: "organizations",
  rowsPerPage: 20_000,
  table: "organizations",
  id: "id",
  columns: sql`slug`,
  from: sql`organizations`,
  where: sql<boolean>`exists (select 1 from projects where projects.org_id = organizations.id and ${isListedProject})`,
  toLinks: (siteUrl, { slug }) => [{ url: organizationPage(siteUrl, slug) }],
});

/** Users who have published something: accounts without content are not shown to search engines. */
const users = kind<{ user_name: string }>({
  name: "users",
  rowsPerPage: 20_000,
  table: "team_members",
  id: "user_id",
  columns: sql`users.user_name`,
  from: sql`team_members join users on users.id = team_members.user_id`,
  where: sql<boolean>`(team_members.accepted = 1 and users.id <> ${placeholderId} and users.date_suspended is null
    and exists (select 1 from projects where projects.team_id = team_members.team_id and ${isListedProject}))`,
  toLinks: (siteUrl, { user_name }) => [{ url: userPage(siteUrl, user_name) }],
});

const collections = kind<{ date_updated: number }>({
  name: "collections",
  rowsPerPage: 20_000,
  table: "collections",
  id: "id",
  columns: sql`date_updated`,
  from: sql`collections`,
  where: sql<boolean>`collections.visibility = 'public'`,
  toLinks: (siteUrl, { id, date_updated }) => [
    { url: collectionPage(siteUrl, id), lastChange: timestamp(date_updated) },
  ],
});

export const sitemapKinds: readonly SitemapKind[] = [projects, versions, organizations, users, collections];
