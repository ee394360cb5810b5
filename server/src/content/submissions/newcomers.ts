// Projects of users who have no approved project yet: moderators review these more carefully.
import { type RawBuilder, sql } from "kysely";
import { inList } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";

/** A condition for queries over projects with this alias: no owner of the team owns an approved project. */
export const isByNewcomer = (projects: string): RawBuilder<boolean> => sql<boolean>`not exists (
  select 1 from team_members as owner
    join team_members as elsewhere on elsewhere.user_id = owner.user_id and elsewhere.is_owner = 1
    join projects as other on other.team_id = elsewhere.team_id and other.date_approved is not null
  where owner.team_id = ${sql.ref(`${projects}.team_id`)} and owner.is_owner = 1)`;

/** The projects among these that are by newcomers. */
export async function listByNewcomers(db: Db, projectIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("projects")
    .select("id")
    .where(inList(db, sql.ref("projects.id"), projectIds))
    .where(isByNewcomer("projects"))
    .execute();
  return new Set(rows.map(({ id }) => id));
}
