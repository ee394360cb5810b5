// Reads the index entries of projects from their rows: only listed projects, in a constant number of statements.
import { createHash } from "node:crypto";
import { sql } from "kysely";
import { isListedProject } from "#content/projects/policy.js";
import { tagsOf, toDisclosures } from "#content/shapes/disclosures.js";
import { isNotQuarantined } from "#content/versions/policy.js";
import { fromJson } from "#lib/json.js";
import { inList } from "#platform/db/dialect.js";
import type { Channel, Db } from "#platform/db/tables.js";
import type { SearchEntry } from "./entry.js";

export interface Document {
  projectId: string;
  entry: SearchEntry;
  description: string;
  /** The digest of the description: the full text is written again only if it has changed. */
  digest: string;
}

export async function readDocuments(db: Db, ids: readonly string[]): Promise<Document[]> {
  const rows = await selectListed(db, ids);
  const listed = rows.map(({ id }) => id);
  const categories = await selectCategories(db, listed);
  const fits = await selectFits(db, listed);
  return rows.map((row) => ({
    projectId: row.id,
    description: row.description,
    digest: createHash("sha256").update(row.description).digest("base64url"),
    entry: {
      name: row.name,
      slug: row.slug,
      author: row.org_slug ?? row.owner_name ?? "",
      summary: row.summary,
      types: fromJson(row.types),
      categories: categories.get(row.id) ?? [],
      clientSide: row.client_side,
      serverSide: row.server_side,
      hasSource: row.source_url !== null,
      ...(row.license_id !== "" && { license: row.license_id }),
      ...(row.disclosures !== "{}" && { disclosed: tagsOf(toDisclosures(row.disclosures)) }),
      fits: fits.get(row.id) ?? [],
    },
  }));
}

const selectListed = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom("projects")
    .leftJoin("organizations as org", "org.id", "projects.org_id")
    .leftJoin("team_members as owner", (join) =>
      join.onRef("owner.team_id", "=", "projects.team_id").on("owner.is_owner", "=", 1),
    )
    .leftJoin("users", "users.id", "owner.user_id")
    .select(["projects.id", "projects.name", "projects.slug", "projects.summary", "projects.description"])
    .select(["projects.types", "projects.client_side", "projects.server_side", "projects.source_url"])
    .select(["projects.disclosures", "projects.license_id"])
    .select(["org.slug as org_slug", "users.user_name as owner_name"])
    .where(inList(db, sql.ref("projects.id"), ids))
    .where(isListedProject)
    .execute();

async function selectCategories(db: Db, ids: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom("project_categories")
    .select(["project_id", "category"])
    .where(inList(db, sql.ref("project_id"), ids))
    .orderBy("category")
    .execute();
  const byProject = Map.groupBy(rows, (row) => row.project_id);
  return new Map([...byProject].map(([id, own]) => [id, own.map(({ category }) => category)]));
}

/** By project, channel and set of loaders. Withdrawn and quarantined versions are left out. */
async function selectFits(db: Db, ids: readonly string[]): Promise<Map<string, SearchEntry["fits"]>> {
  const rows = await db
    .selectFrom("versions")
    .select(["project_id", "channel", "loaders", "game_versions"])
    .distinct()
    .where(inList(db, sql.ref("project_id"), ids))
    .where("date_yanked", "is", null)
    .where(isNotQuarantined)
    .execute();
  const byProject = Map.groupBy(rows, (row) => row.project_id);
  return new Map(
    [...byProject].map(([id, versions]) => {
      const groups = Map.groupBy(versions, ({ channel, loaders }) => [channel, ...fromJson(loaders).sort()].join(","));
      // Always in the same order: equal entries are recognised by their text.
      const fits = [...groups]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, alike]) => {
          const [channel, ...loaders] = key.split(",");
          const gameVersions = new Set(alike.flatMap((version) => fromJson(version.game_versions)));
          return { channel: channel as Channel, loaders, gameVersions: [...gameVersions].sort() };
        });
      return [id, fits];
    }),
  );
}
