// Teams and their members, and the function that builds a member for answers.
import { type RawBuilder, sql } from "kysely";
import { fromJson } from "#lib/json.js";
import { inList } from "#platform/db/dialect.js";
import type { Db, Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { anonymous, isStaff, type Viewer } from "#platform/http/viewer.js";
import { pictureUrl } from "#platform/pictures/read.js";
import type { OrgPermission, ProjectPermission } from "./permissions.js";
import type { Member } from "./shapes.js";

/** A team with the project or organization that it belongs to. */
export interface Team {
  id: string;
  /** Null for the team of an organization. */
  projectId: string | null;
  /** The organization of the team, or the organization that the project belongs to. */
  org: { id: string; teamId: string } | null;
}

/** Finds a team regardless of the visibility of its project, unless `isSeen` is given (content/teams/read.ts). */
export async function findTeam(
  db: Db,
  teamId: string,
  isSeen: RawBuilder<boolean> = sql`1 = 1`,
): Promise<Team | undefined> {
  const row = await db
    .selectFrom("teams")
    .leftJoin("projects", "projects.team_id", "teams.id")
    .leftJoin("organizations as org", (join) =>
      join.on(sql<boolean>`org.team_id = teams.id or org.id = projects.org_id`),
    )
    .select(["teams.id", "projects.id as project_id", "org.id as org_id", "org.team_id as org_team_id"])
    .where("teams.id", "=", teamId)
    .where(isSeen)
    .executeTakeFirst();
  if (!row) return undefined;
  const org = row.org_id === null || row.org_team_id === null ? null : { id: row.org_id, teamId: row.org_team_id };
  return { id: row.id, projectId: row.project_id, org };
}

/** The row of a user in a team. It gives them rights once it is accepted. */
export const findEntry = (db: Db, teamId: string, userId: string): Promise<Row<"team_members"> | undefined> =>
  db
    .selectFrom("team_members")
    .selectAll()
    .where("team_id", "=", teamId)
    .where("user_id", "=", userId)
    .executeTakeFirst();

/** Members of several teams in one statement: accepted members in the order in which they joined, then invitees. */
export async function listMembers(db: Db, teamIds: readonly string[], cdnUrl: string): Promise<Map<string, Member[]>> {
  const rows = await members(db, cdnUrl, inList(db, sql.ref("member.team_id"), teamIds));
  const teams = new Map<string, Member[]>(teamIds.map((id) => [id, []]));
  for (const member of rows) teams.get(member.teamId)?.push(member);
  return teams;
}

export async function getMember(db: Db, memberId: string, cdnUrl: string): Promise<Member> {
  const [member] = await members(db, cdnUrl, sql`member.id = ${memberId}`);
  if (!member) throw fail.memberNotFound();
  return member;
}

async function members(db: Db, cdnUrl: string, isWanted: RawBuilder<boolean>): Promise<Member[]> {
  const rows = await db
    .selectFrom("team_members as member")
    .innerJoin("users", "users.id", "member.user_id")
    .leftJoin("images as avatar", "avatar.id", "users.avatar_id")
    .select(["member.id", "member.user_id", "member.team_id", "member.role", "member.is_owner", "member.accepted"])
    .select(["member.permissions", "member.org_permissions", "users.user_name", "avatar.file_name as avatar_file"])
    .where(isWanted)
    .orderBy("member.accepted", "desc")
    .orderBy("member.date_accepted")
    .orderBy("member.date_invited")
    .orderBy("member.id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    userId: row.user_id,
    teamId: row.team_id,
    userName: row.user_name,
    avatar: pictureUrl(cdnUrl, "user", row.user_id, row.avatar_file),
    role: row.role,
    isOwner: row.is_owner === 1,
    accepted: row.accepted === 1,
    permissions: fromJson(row.permissions) as ProjectPermission[],
    organisationPermissions: fromJson(row.org_permissions) as OrgPermission[],
  }));
}

/** Outsiders do not see the permissions of members. */
const withoutPermissions = (member: Member): Member => ({
  ...member,
  permissions: [],
  organisationPermissions: [],
});

/**
 * Members as the caller may see them; `insiders` are the members of the team or of its organization. Outsiders do not
 * see invitees, except for themselves.
 */
export function membersFor(viewer: Viewer, members: Member[], insiders: readonly Member[] = members): Member[] {
  if (isStaff(viewer) || isAcceptedIn(insiders, viewer)) return members;
  const isOwn = ({ userId }: Member) => viewer.kind !== "anonymous" && viewer.user.id === userId;
  return members.filter((member) => member.accepted || isOwn(member)).map(withoutPermissions);
}

/** The members as everyone may see them. */
export const publicMembers = (members: Member[]): Member[] => membersFor(anonymous, members);

const isAcceptedIn = (members: readonly Member[], viewer: Viewer): boolean =>
  viewer.kind !== "anonymous" && members.some((member) => member.userId === viewer.user.id && member.accepted);
