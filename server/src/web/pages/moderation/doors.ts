// Who gets in to the moderation desk and the administration: for all others these pages are not there.
import { fail } from "../../../errors.js";
import { readable, sessionOnly } from "../../../http/access.js";
import type { SignedIn } from "../../../http/viewer.js";
import { isStaff } from "../../../projects/policy.js";

/** Pages: who is not signed in is asked to. */
export const deskAccess = sessionOnly("user_session_read");

/** Forms: whose session ended in the middle gets back what he typed. */
export const deskFormAccess = readable("project_write", "version_write", "report_write", "thread_write");

/** A browser only: what tokens may do, they do at the API. */
export function staffOnly(viewer: SignedIn): void {
  if (viewer.kind !== "session" || !isStaff(viewer)) throw fail.notFound();
}

export function adminsOnly(viewer: SignedIn): void {
  if (viewer.kind !== "session" || viewer.user.role !== "admin") throw fail.notFound();
}
