// Getting back in with a one-time code: what the API routes and the website's forms do alike.
import { type Actor, write } from "../changes/write.js";
import { fail } from "../errors.js";
import type { Resources } from "../http/resources.js";
import { hashPassword } from "../lib/passwords.js";
import { resetPasswordWithCode } from "./write.js";

/** Returns what to tell the caller: the same whether or not the address belongs to an account. */
export async function requestPasswordReset(resources: Resources, actor: Actor, address: string): Promise<string> {
  if (!resources.mailer.enabled) return "This site sends no mail; ask its operator for a reset code";
  const email = address.toLowerCase();
  // The look-up and the mail happen in a job: the answer tells nothing, not even by the time it takes. Past the quota of
  // a mailbox nothing is sent, and the answer still says the same.
  if ((await resources.limiter.take("mail", email)).allowed)
    await write(resources, actor, async (tx) => {
      tx.enqueue("mail-password-reset", { email }, { dedupeKey: `reset ${email}` });
    });
  return "If the address belongs to an account, a code is on its way";
}

export interface PasswordReset {
  code: string;
  newPassword: string;
  confirmNewPassword?: string;
}

export async function resetPassword(resources: Resources, actor: Actor, input: PasswordReset): Promise<void> {
  checkRepeated(input.newPassword, input.confirmNewPassword);
  const hash = await hashPassword(input.newPassword, resources.random);
  await write(resources, actor, (tx) => resetPasswordWithCode(tx, input.code, hash));
}

export function checkRepeated(password: string, repeated: string | undefined): void {
  if (repeated !== undefined && repeated !== password) throw fail.passwordsDiffer();
}
