// Rules about the users over whom moderators and administrators have power.
import type { UserRole } from "#platform/db/tables.js";

/** Moderators act on users, administrators on moderators too; on other administrators, the command line. */
export const canSuspend = (actor: UserRole, target: UserRole): boolean =>
  target === "user" ? actor !== "user" : target === "moderator" && actor === "admin";
