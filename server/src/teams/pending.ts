// The invitations that wait for a user's word.
import type { Db } from "../db/tables.js";

export interface PendingInvite {
  teamId: string;
  kind: "project" | "organization";
  name: string;
  slug: string;
  role: string;
  invitedBy: string | null;
  date: number;
}

/** Newest first. Whoever is invited is told to what, whether or not he could see it otherwise. */
export async function listPendingInvites(db: Db, userId: string): Promise<PendingInvite[]> {
  const rows = await db
    .selectFrom("team_members")
    .leftJoin("projects", "projects.team_id", "team_members.team_id")
    .leftJoin("organizations", "organizations.team_id", "team_members.team_id")
    .leftJoin("users as inviter", "inviter.id", "team_members.invited_by")
    .select(["team_members.team_id", "team_members.role", "team_members.date_invited", "inviter.user_name"])
    .select(["projects.name as project_name", "projects.slug as project_slug"])
    .select(["organizations.name as org_name", "organizations.slug as org_slug"])
    .where("team_members.user_id", "=", userId)
    .where("team_members.accepted", "=", 0)
    .orderBy("team_members.date_invited", "desc")
    .orderBy("team_members.id")
    .execute();
  return rows.map((row) => ({
    teamId: row.team_id,
    kind: row.project_slug === null ? "organization" : "project",
    name: row.project_name ?? row.org_name ?? "",
    slug: row.project_slug ?? row.org_slug ?? "",
    role: row.role,
    invitedBy: row.user_name,
    date: row.date_invited,
  }));
}
