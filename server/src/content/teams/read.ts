// Finds teams that the caller may see.
import { sql } from "kysely";
import { findTeam, type Team } from "#content/members/read.js";
import { visibleTo } from "#content/projects/policy.js";
import type { Db } from "#platform/db/tables.js";
import type { Viewer } from "#platform/http/viewer.js";

/** Includes the teams of all organizations, and of the projects that the caller may see. */
export const findVisibleTeam = (db: Db, viewer: Viewer, teamId: string): Promise<Team | undefined> =>
  findTeam(db, teamId, sql`(teams.kind = 'organization' or ${visibleTo(viewer)})`);
