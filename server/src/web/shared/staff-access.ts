// Who gets in to the moderation desk and the administration: for all others these pages are not there.

import { fail } from "#platform/errors.js";
import { readable, type StaffRole, sessionOnly } from "#platform/http/access.js";
import { canConfirm, hasPowers } from "#platform/http/staff-powers.js";
import type { SignedIn } from "#platform/http/viewer.js";

/** Pages: who is not signed in is asked to. */
export const deskAccess = sessionOnly("user_session_read");

/** Forms: whose session ended in the middle gets back what he typed. */
export const deskFormAccess = readable("project_write", "version_write", "report_write", "thread_write");

/** Sessions only: tokens use the API. Staff whose powers are not in force are asked to confirm their identity. */
export const staffOnly = (viewer: SignedIn): void => needDoor(viewer, "moderator");

export const adminsOnly = (viewer: SignedIn): void => needDoor(viewer, "admin");

function needDoor(viewer: SignedIn, needed: StaffRole): void {
  if (viewer.kind === "session" && hasPowers(viewer.user, needed)) return;
  throw canConfirm(viewer, needed) ? fail.confirmationNeeded() : fail.notFound();
}

export const adminAccess = sessionOnly("analytics_read");
