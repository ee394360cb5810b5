// Reads the index entries of projects from their rows: only listed projects, in a constant number of statements.
import { createHash } from "node:crypto";
import { sql } from "kysely";
import { isListedProject } from "#content/projects/policy.js";
import { tagsOf, toDisclosures } from "#content/shapes/disclosures.js";
import { isNotQuarantined } from "#content/versions/policy.js";
import { fromJson } from "#lib/json.js";
import { inList, type Statement } from "#platform/db/dialect.js";
import type { Channel, Db, Row } from "#platform/db/tables.js";
import type { SearchEntry } from "./entry.js";

export interface Document {
  projectId: string;
  entry: SearchEntry;
  description: string;
  /** The digest of the description: the full text is written again only if it has changed. */
  digest: string;
}

/** The compatibility of a project at an earlier moment, and the versions that are new since then. No others have changed. */
export interface EarlierFits {
  fits: SearchEntry["fits"];
  added: readonly string[];
}

/** The rows of some projects and of their new versions: statements that can be sent together with others. */
export const documentRows = (db: Db, ids: readonly string[], added: readonly string[]) =>
  [listedRows(db, ids), categoryRows(db, ids), fitRows(db, "id", added)] as const;

type Rows<S> = { [K in keyof S]: S[K] extends Statement<infer R> ? { rows: R[] } : never };

/** All versions of a project are read, unless it is in `earlier`: some projects have thousands. */
export async function toDocuments(
  db: Db,
  [{ rows }, inCategories, ofAdded]: Rows<ReturnType<typeof documentRows>>,
  earlier: ReadonlyMap<string, EarlierFits>,
): Promise<Document[]> {
  const listed = rows.map(({ id }) => id);
  const others = listed.filter((id) => !earlier.has(id));
  const ofOthers = others.length > 0 ? await fitRows(db, "project_id", others).execute() : [];
  const categories = Map.groupBy(inCategories.rows, (row) => row.project_id);
  const added = ofAdded.rows.filter((row) => earlier.has(row.project_id));
  const byProject = Map.groupBy([...added, ...ofOthers], (row) => row.project_id);
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
      categories: (categories.get(row.id) ?? []).map(({ category }) => category),
      clientSide: row.client_side,
      serverSide: row.server_side,
      hasSource: row.source_url !== null,
      ...(row.license_id !== "" && { license: row.license_id }),
      ...(row.disclosures !== "{}" && { disclosed: tagsOf(toDisclosures(row.disclosures)) }),
      fits: toFits(earlier.get(row.id)?.fits ?? [], byProject.get(row.id) ?? []),
    },
  }));
}

const listedRows = (db: Db, ids: readonly string[]) =>
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
    .where(isListedProject);

const categoryRows = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom("project_categories")
    .select(["project_id", "category"])
    .where(inList(db, sql.ref("project_id"), ids))
    .orderBy("category");

/** Withdrawn and quarantined versions are left out. */
const fitRows = (db: Db, column: "id" | "project_id", values: readonly string[]) =>
  db
    .selectFrom("versions")
    .select(["project_id", "channel", "loaders", "game_versions"])
    .distinct()
    .where(inList(db, sql.ref(column), values))
    .where("date_yanked", "is", null)
    .where(isNotQuarantined);

/** By channel and set of loaders, always in the same order: equal entries are recognised by their text. */
function toFits(
  known: SearchEntry["fits"],
  rows: readonly Pick<Row<"versions">, "channel" | "loaders" | "game_versions">[],
): SearchEntry["fits"] {
  const groups = new Map<string, Set<string>>();
  const add = (channel: Channel, loaders: readonly string[], gameVersions: readonly string[]) => {
    const key = [channel, ...loaders.toSorted()].join(",");
    const group = groups.get(key) ?? new Set();
    groups.set(key, group);
    for (const each of gameVersions) group.add(each);
  };
  for (const { channel, loaders, gameVersions } of known) add(channel, loaders, gameVersions);
  for (const row of rows) add(row.channel, fromJson(row.loaders), fromJson(row.game_versions));
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, gameVersions]) => {
      const [channel, ...loaders] = key.split(",");
      return { channel: channel as Channel, loaders, gameVersions: [...gameVersions].sort() };
    });
}
