// What moderators should know of a user before they act. Two statements, however much he has done.
import { sql } from "kysely";
import { findProfile, toUser } from "#accounts/users/read.js";
import { placeholderId } from "#platform/db/placeholder.js";
import type { Db, Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { timestamp } from "#platform/http/schemas.js";
import type { ModeratedUser } from "./people-contract.js";

type Counts = Record<
  "projects" | "made" | "open" | "acted" | "open_cases" | "closed_cases" | "approved" | "turned_down",
  number | string | null
> &
  Pick<Row<"users">, "date_suspended" | "suspension_reason">;

export async function getModeratedUser(db: Db, ref: string, cdnUrl: string): Promise<ModeratedUser> {
  const profile = await findProfile(db, ref);
  if (!profile || profile.id === placeholderId) throw fail.userNotFound();
  const { id } = profile;
  const owned = sql`(select projects.id from projects
    join team_members on team_members.team_id = projects.team_id
    where team_members.user_id = ${id} and team_members.is_owner = 1)`;
  const aboutHim = sql`(item_id = ${id} or item_id in ${owned}
    or item_id in (select versions.id from versions where versions.project_id in ${owned}))`;
  const { rows } = await sql<Counts>`
    select users.date_suspended, users.suspension_reason,
      (select count(*) from ${owned} as owned) as projects,
      (select count(*) from reports where reporter_id = users.id) as made,
      (select count(*) from reports where reporter_id = users.id and closed = 0) as open,
      (select count(*) from reports where reporter_id = users.id and outcome = 'action_taken') as acted,
      (select count(*) from report_cases where date_closed is null and ${aboutHim}) as open_cases,
      (select count(*) from report_cases where date_closed is not null and ${aboutHim}) as closed_cases,
      (select count(*) from reviews where status = 'approved' and project_id in ${owned}) as approved,
      (select count(*) from reviews where status <> 'approved' and project_id in ${owned}) as turned_down
    from users where users.id = ${id}`.execute(db);
  const found = rows[0];
  if (!found) throw fail.userNotFound();
  return {
    user: toUser(profile, cdnUrl),
    suspension:
      found.date_suspended === null
        ? null
        : { dateSuspended: timestamp(found.date_suspended), reason: found.suspension_reason ?? "" },
    projects: Number(found.projects),
    reports: { made: Number(found.made), open: Number(found.open), actionTaken: Number(found.acted) },
    cases: { open: Number(found.open_cases), closed: Number(found.closed_cases) },
    decisions: { approved: Number(found.approved), turnedDown: Number(found.turned_down) },
  };
}
