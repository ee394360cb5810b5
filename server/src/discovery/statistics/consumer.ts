// Keeps the site's figures by following the change log: every project, user and team that changed is counted again.
import { sql } from "kysely";
import type { Change, ChangeKind } from "#platform/changes/change-log.js";
import type { Consumer } from "#platform/changes/consumer.js";
import { inList } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import { recountMembers, recountProjects, recountUsers } from "./recount.js";

export const statisticsConsumer: Consumer = {
  name: "statistics",
  kinds: new Set<ChangeKind>(["project", "user", "team", "organization"]),
  async consume({ db }, changes) {
    const idsOf = (kind: ChangeKind) => [...new Set(changes.filter(isOf(kind)).map(({ id }) => id))];
    const [projectIds, userIds] = [idsOf("project"), idsOf("user")];
    await recountProjects(db, projectIds);
    await recountUsers(db, userIds);
    // A new version changes no team.
    const others = changes.filter((change) => change.kind === "project" && !change.areAdded).map(({ id }) => id);
    const teamIds = [...idsOf("team"), ...(await listTeams(db, others, idsOf("organization")))];
    await recountMembers(db, { teamIds: [...new Set(teamIds)], userIds });
  },
};

const isOf = (kind: ChangeKind) => (change: Change) => change.kind === kind;

/**
 * The teams of these projects and organizations. A user who leaves an organization also leaves its projects, so their
 * teams are included.
 */
async function listTeams(db: Db, projectIds: readonly string[], orgIds: readonly string[]): Promise<string[]> {
  if (projectIds.length + orgIds.length === 0) return [];
  const { rows } = await sql<{ team_id: string }>`
    select team_id from projects where ${inList(db, sql.ref("id"), projectIds)}
    union select team_id from projects where ${inList(db, sql.ref("org_id"), orgIds)}
    union select team_id from organizations where ${inList(db, sql.ref("id"), orgIds)}`.execute(db);
  return rows.map((row) => row.team_id);
}
