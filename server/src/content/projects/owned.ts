// The projects that somebody owns himself, not through an organization: those that he could give to one.
import type { Db } from "#platform/db/tables.js";

export interface OwnedProject {
  id: string;
  slug: string;
  name: string;
}

export const listOwnedProjects = (db: Db, userId: string): Promise<OwnedProject[]> =>
  db
    .selectFrom("projects")
    .innerJoin("team_members as owner", "owner.team_id", "projects.team_id")
    .select(["projects.id", "projects.slug", "projects.name"])
    .where("owner.user_id", "=", userId)
    .where("owner.is_owner", "=", 1)
    .where("projects.org_id", "is", null)
    .orderBy("projects.name")
    .orderBy("projects.id")
    .execute();
