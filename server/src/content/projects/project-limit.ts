// How many projects one person may own. Those of organizations do not count: more than one answers for them.

import { lockUser } from "#accounts/users/locking.js";
import { countOwnedProjects } from "#accounts/users/read.js";
import type { Tx } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import type { ViewerUser } from "#platform/http/viewer.js";

/** One at a time for each user: two requests at once must not both find room for one. */
export async function allowAnotherProject(tx: Tx, user: ViewerUser, orgId: string | null, most: number): Promise<void> {
  if (orgId !== null || user.role === "admin") return;
  await lockUser(tx, user.id);
  if ((await countOwnedProjects(tx.db, user.id)) >= most) throw fail.projectLimitReached(most);
}
