// How every change of an organization begins: find it, lock its team, and check the permission.

import type { OrgPermission } from "#content/members/permissions.js";
import { allow, findOrgRights } from "#content/members/rights.js";
import { lockTeam } from "#content/teams/change.js";
import type { Tx } from "#platform/changes/write.js";
import type { Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { getOrg } from "./read.js";

/** Organizations are public: 404 only if it does not exist, 403 if the permission is missing. */
export async function getEditableOrg(
  tx: Tx,
  viewer: SignedIn,
  ref: string,
  permission: OrgPermission,
): Promise<Row<"organizations">> {
  const found = await getOrg(tx.db, ref);
  await lockTeam(tx, found.team_id);
  // Read again under the lock. Its row is locked too, because creating a project in it locks only the row.
  const org = await tx.db
    .updateTable("organizations")
    .set((column) => ({ date_created: column.ref("date_created") }))
    .where("id", "=", found.id)
    .returningAll()
    .executeTakeFirst();
  if (!org) throw fail.organizationNotFound();
  allow(await findOrgRights(tx.db, viewer.user, org.id), permission);
  return org;
}

export async function getOwnerId({ db }: Tx, org: Row<"organizations">): Promise<string> {
  const owner = await db
    .selectFrom("team_members")
    .select("user_id")
    .where("team_id", "=", org.team_id)
    .where("is_owner", "=", 1)
    .executeTakeFirstOrThrow();
  return owner.user_id;
}
