// Collections as the start page shows them: with the icons of a few projects. Only what everyone may see is read.
import { type SqlBool, sql } from "kysely";
import { isListedProject } from "#content/projects/policy.js";
import { inList } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import { pictureUrl } from "#platform/pictures/read.js";

export interface CollectionTile {
  id: string;
  name: string;
  description: string;
  curator: string;
  /** The number of its projects. */
  projects: number;
  /** The most downloaded projects come first. */
  icons: readonly string[];
}

const mostIcons = 4;

/** Public ones that have projects, in the order of the ids. Two statements. */
export async function listCollectionTiles(db: Db, cdnUrl: string, ids: readonly string[]): Promise<CollectionTile[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("collections")
    .innerJoin("users", "users.id", "collections.user_id")
    .select(["collections.id", "collections.name", "collections.description", "users.user_name", "users.name as full"])
    .where(inList(db, sql.ref("collections.id"), ids))
    .where("collections.visibility", "=", "public")
    .execute();
  const first = await listFirstProjects(
    db,
    rows.map(({ id }) => id),
  );
  const tiles = new Map<string, CollectionTile>();
  for (const { id, name, description, user_name, full } of rows) {
    const projects = first.filter(({ collection_id }) => collection_id === id);
    if (projects.length === 0) continue;
    const icons = projects.map((each) => pictureUrl(cdnUrl, "project", each.id, each.icon_file));
    tiles.set(id, { id, name, description, curator: full ?? user_name, projects: Number(projects[0]!.total), icons });
  }
  return ids.flatMap((id) => tiles.get(id) ?? []);
}

const listFirstProjects = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom("collection_projects as part")
        .innerJoin("projects", "projects.id", "part.project_id")
        .leftJoin("images as icon", "icon.id", "projects.icon_id")
        .select([
          "part.collection_id",
          "projects.id",
          "icon.file_name as icon_file",
          sql<number>`count(*) over (partition by part.collection_id)`.as("total"),
          sql<number>`row_number() over (partition by part.collection_id order by projects.downloads desc, projects.id)`.as(
            "place",
          ),
        ])
        .where(inList(db, sql.ref("part.collection_id"), ids))
        .where(isListedProject)
        .as("ranked"),
    )
    .selectAll()
    .where(sql<SqlBool>`place <= ${mostIcons}`)
    .orderBy("place")
    .execute();
