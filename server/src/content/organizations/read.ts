// The SELECTs of organizations, and the function that builds one for answers.
import { sql } from "kysely";
import { listMembers, membersFor } from "#content/members/read.js";
import { inList } from "#platform/db/dialect.js";
import { findIdsByRef } from "#platform/db/refs.js";
import type { Db, Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { Viewer } from "#platform/http/viewer.js";
import { pictureUrl } from "#platform/pictures/read.js";
import type { Organization } from "./shapes.js";

/** Finds an organization by its exact id, or by a current or old slug in any case. */
export async function getOrg(db: Db, ref: string): Promise<Row<"organizations">> {
  const slug = ref.toLowerCase();
  // One list: with conditions of several kinds, PostgreSQL would read all organizations.
  const ids = db
    .selectFrom("organizations")
    .select("id")
    .where("id", "=", ref)
    .union(db.selectFrom("organizations").select("id").where("slug", "=", slug))
    .union(db.selectFrom("organization_old_slugs").select("org_id as id").where("slug", "=", slug));
  const row = await db
    .selectFrom("organizations")
    .selectAll()
    .where("id", "in", ids)
    // If the slug of one organization equals the lower-case id of another, the id wins.
    .orderBy(sql`case when id = ${ref} then 0 when slug = ${slug} then 1 else 2 end`)
    .limit(1)
    .executeTakeFirst();
  if (!row) throw fail.organizationNotFound();
  return row;
}

const orgs = (db: Db) =>
  db
    .selectFrom("organizations")
    .leftJoin("images as icon", "icon.id", "organizations.icon_id")
    .select(["organizations.id", "organizations.team_id", "organizations.name", "organizations.slug"])
    .select(["organizations.description", "icon.file_name as icon_file"]);

type OrgRow = Awaited<ReturnType<ReturnType<typeof orgs>["execute"]>>[number];

export interface ReadContext {
  db: Db;
  viewer: Viewer;
  cdnUrl: string;
}

/** In the order of the ids; unknown ids are left out. */
export async function listOrgs(context: ReadContext, ids: readonly string[]): Promise<Organization[]> {
  const rows = await orgs(context.db)
    .where(inList(context.db, sql.ref("organizations.id"), ids))
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return withMembers(
    context,
    ids.flatMap((id) => byId.get(id) ?? []),
  );
}

/** By id or slug. Each organization appears once, in the order in which it is first named. */
export async function listNamedOrgs(context: ReadContext, refs: readonly string[]): Promise<Organization[]> {
  const ids = await findIdsByRef(context.db, "organizations", refs);
  return listOrgs(context, [...new Set(ids.values())]);
}

/** The organizations in which the user is an accepted member, in the order of joining. */
export async function listOrgsOfUser(context: ReadContext, userId: string): Promise<Organization[]> {
  const rows = await orgs(context.db)
    .innerJoin("team_members as own", "own.team_id", "organizations.team_id")
    .where("own.user_id", "=", userId)
    .where("own.accepted", "=", 1)
    .orderBy("own.date_accepted")
    .orderBy("organizations.id")
    .execute();
  return withMembers(context, rows);
}

/** Loads a list of any length with two statements: the organizations, and the members of all of them. */
async function withMembers({ db, viewer, cdnUrl }: ReadContext, rows: readonly OrgRow[]): Promise<Organization[]> {
  const teams = await listMembers(
    db,
    rows.map((row) => row.team_id),
    cdnUrl,
  );
  return rows.map((row) => ({
    id: row.id,
    teamId: row.team_id,
    name: row.name,
    slug: row.slug,
    icon: pictureUrl(cdnUrl, "organization", row.id, row.icon_file),
    description: row.description,
    members: membersFor(viewer, teams.get(row.team_id) ?? []),
  }));
}
