// Who is a moderator here, and over whom.
import type { UserRole } from "../db/tables.js";
import { fail } from "../errors.js";
import type { SignedIn } from "../http/viewer.js";
import { isStaff } from "../projects/policy.js";

/** Asked first on every route of theirs: to all others it tells nothing, not even what there is. */
export function allowStaff(viewer: SignedIn): void {
  if (!isStaff(viewer)) throw fail.moderatorOnly();
}

export function allowAdmin(viewer: SignedIn): void {
  if (viewer.user.role !== "admin") throw fail.adminOnly();
}

/** Moderators act on users, administrators on moderators too; on other administrators, the command line. */
export const canSuspend = (actor: UserRole, target: UserRole): boolean =>
  target === "user" ? actor !== "user" : target === "moderator" && actor === "admin";
