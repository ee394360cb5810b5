// Which projects take the most room.
import { sql } from "kysely";
import type { Db } from "#platform/db/tables.js";

export interface LargeProject {
  id: string;
  slug: string;
  name: string;
  files: number;
  bytes: number;
}

/** A file that several versions share counts for each of them: the list shows how much is uploaded. */
export async function listLargestProjects(db: Db, limit = 20): Promise<LargeProject[]> {
  const { rows } = await sql<Omit<LargeProject, "files" | "bytes"> & Record<"files" | "bytes", number | string>>`
    select projects.id, projects.slug, projects.name, used.files, used.bytes
    from (
      select project_id, count(*) as files, sum(size) as bytes from version_files
      group by project_id order by sum(size) desc limit ${limit}
    ) as used
    join projects on projects.id = used.project_id
    order by used.bytes desc, projects.id`.execute(db);
  return rows.map((row) => ({ ...row, files: Number(row.files), bytes: Number(row.bytes) }));
}
