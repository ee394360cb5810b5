// References: rows that point to missing rows, and rows that are no longer referenced.
import { sql } from "kysely";
import { type Breach, error, leftover } from "#operations/checks/check.js";
import { type Tx, write } from "#platform/changes/write.js";
import { engineOf } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import { byRepair, check, type RegistryCheck } from "./registry-check.js";

/** PostgreSQL never lets one in; a SQLite file may have been written to without its checks. */
const references = check({
  name: "references",
  find: async ({ db }): Promise<Breach[]> => {
    if (engineOf(db) === "postgres") return [];
    const { rows } = await sql<{
      table: string;
      rowid: number | null;
      parent: string;
    }>`pragma foreign_key_check`.execute(db);
    return rows.map(({ table, rowid, parent }) =>
      error(`row ${rowid} of ${table}`, `names a row of ${parent} that is gone`),
    );
  },
});

interface Loose extends Breach {
  table: "teams" | "images" | "threads";
  id: string;
}

const isShown = sql<boolean>`exists (select 1 from users where users.avatar_id = images.id or users.background_id = images.id)
  or exists (select 1 from organizations where organizations.icon_id = images.id)
  or exists (select 1 from projects where projects.icon_id = images.id)
  or exists (select 1 from collections where collections.icon_id = images.id)
  or exists (select 1 from gallery_items where gallery_items.image_id = images.id or gallery_items.thumbnail_id = images.id)`;

async function listLoose(db: Db): Promise<Loose[]> {
  const { rows } = await sql<{ table_name: Loose["table"]; id: string; message: string }>`
    select 'teams' as table_name, id, 'belongs to no project or organization' as message from teams
      where not exists (select 1 from projects where projects.team_id = teams.id)
        and not exists (select 1 from organizations where organizations.team_id = teams.id)
    union all
    select 'threads', id, 'belongs to a project that is gone' from threads
      where type = 'project' and not exists (select 1 from projects where projects.id = threads.entity_id)
    union all
    select 'images', id, 'belongs to a ' || owner_kind || ' that is gone' from images
      where not (${isShown}) and case owner_kind
        when 'user' then not exists (select 1 from users where users.id = images.owner_id)
        when 'project' then not exists (select 1 from projects where projects.id = images.owner_id)
        when 'organization' then not exists (select 1 from organizations where organizations.id = images.owner_id)
        else not exists (select 1 from collections where collections.id = images.owner_id) end`.execute(db);
  return rows.map(({ table_name: table, id, message }) => ({
    ...leftover(`${table.slice(0, -1)} ${id}`, message),
    table,
    id,
  }));
}

const looseRows = check<Loose>({
  name: "loose records",
  find: ({ db }) => listLoose(db),
  mend: {
    what: "delete the records that nothing leads to",
    act: (subject, found) =>
      write(subject, byRepair, async (tx) => {
        for (const { table, id } of await stillLoose(tx, found))
          await tx.db.deleteFrom(table).where("id", "=", id).execute();
      }),
  },
});

async function stillLoose(tx: Tx, found: readonly Loose[]): Promise<Loose[]> {
  const now = new Set((await listLoose(tx.db)).map(({ about }) => about));
  return found.filter(({ about }) => now.has(about));
}

export const referenceChecks: readonly RegistryCheck[] = [references, looseRows];
