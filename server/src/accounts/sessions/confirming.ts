// A signed-in user confirms their identity again, so that the powers of their role are in force
// (platform/http/staff-powers.ts). The session stays the same: forms that are open in the browser keep working.

import { listPasskeys } from "#accounts/passkeys/read.js";
import { checkSecondFactor } from "#accounts/second-factor/check.js";
import { hasSecondFactor } from "#accounts/second-factor/read.js";
import { getAccount, proveIdentity } from "#accounts/users/own-account.js";
import { type Actor, write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import type { SessionViewer } from "#platform/http/viewer.js";
import { confirmSession } from "./write.js";

/** The ways in which the user can prove their identity. If all are false, only a new sign-in does. */
export interface Proofs {
  code: boolean;
  passkey: boolean;
  password: boolean;
  /** The settings require a second factor, and the user has none. */
  isIncomplete: boolean;
}

export async function listProofs(resources: Resources, userId: string): Promise<Proofs> {
  const rule = resources.config.staff.secondFactor;
  const { password_hash } = await getAccount(resources, userId);
  const code = await hasSecondFactor(resources.db, userId);
  const passkey = (await listPasskeys(resources.db, userId)).length > 0;
  const isIncomplete = rule === "always" && !code && !passkey;
  const isPasswordEnough = !code && (rule === "off" || !passkey) && !isIncomplete;
  return { code, passkey, password: password_hash !== null && isPasswordEnough, isIncomplete };
}

/** Wrong codes and passwords count as failed sign-ins. */
export async function confirmIdentity(
  resources: Resources,
  actor: Actor,
  viewer: SessionViewer,
  given: { code?: string | undefined; password?: string | undefined },
): Promise<void> {
  const proofs = await listProofs(resources, viewer.user.id);
  if (proofs.code) await checkSecondFactor(resources, actor, viewer.user.id, given.code ?? "");
  else if (proofs.password) await proveIdentity(resources, actor, viewer, given.password);
  else throw fail.confirmationNeeded();
  await write(resources, actor, (tx) => confirmSession(tx, viewer, proofs.code));
}
