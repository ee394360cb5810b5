// Resetting a password with a one-time code, for the API routes and the website's forms.
import { type Actor, write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { mayMail } from "./mail-quota.js";
import { type PasswordSet, resetPasswordWithCode } from "./password.js";
import type { CredentialKind } from "./password-contract.js";
import { hashPassword } from "./passwords.js";

/** Returns the message for the caller, which is the same whether or not the address belongs to an account. */
export async function requestPasswordReset(resources: Resources, actor: Actor, address: string): Promise<string> {
  if (!resources.mailer.enabled) return "This site sends no mail; ask its operator for a reset code";
  const email = address.toLowerCase();
  // The look-up and the mail happen in a job, so that the response time reveals nothing. Over the quota no mail is
  // sent, and the answer is still the same.
  if (await mayMail(resources, actor, "reset", email))
    await write(resources, actor, async (tx) => {
      tx.enqueue("mail-password-reset", { email }, { dedupeKey: `reset ${email}` });
    });
  return "If the address belongs to an account, a code is on its way. Codes of the last hour keep working";
}

export interface PasswordReset {
  code: string;
  newPassword: string;
  confirmNewPassword?: string;
  keepTokens?: string[];
  drop?: CredentialKind[];
}

export async function resetPassword(resources: Resources, actor: Actor, input: PasswordReset): Promise<PasswordSet> {
  const { code, newPassword, confirmNewPassword, keepTokens, drop } = input;
  checkRepeated(newPassword, confirmNewPassword);
  const hash = await hashPassword(newPassword, resources.random);
  const options = { keepTokens, drop, network: actor.network };
  return write(resources, actor, (tx) => resetPasswordWithCode(tx, code, hash, options));
}

export function checkRepeated(password: string, repeated: string | undefined): void {
  if (repeated !== undefined && repeated !== password) throw fail.passwordsDiffer();
}
