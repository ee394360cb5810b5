// Actions that a user confirms with a mailed code, for the API routes and the website's form.
import { type Actor, write } from "#platform/changes/write.js";
import type { CodePurpose, Db, Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import type { SessionViewer, Viewer } from "#platform/http/viewer.js";
import type { actionTypes } from "./action-contract.js";
import { createCode, findCode, takeUserCode } from "./codes.js";
import { mayMail } from "./mail-quota.js";
import { getAccount } from "./own-account.js";
import { type PasswordSet, setPassword } from "./password.js";
import { hashPassword } from "./passwords.js";
import { checkRepeated } from "./reset.js";
import { removeAccount } from "./write.js";

export type ActionType = (typeof actionTypes)[number];
type ActionPurpose = Exclude<CodePurpose, "setup" | "email_change">;

const purposes: Record<ActionPurpose, ActionType> = {
  password_add: "confirm-new-password",
  password_reset: "change-account-password",
  account_deletion: "delete-user-account",
};

export async function requestAccountDeletion(
  resources: Resources,
  actor: Actor,
  { user }: SessionViewer,
): Promise<void> {
  const account = await getAccount(resources, user.id);
  await mailCode(resources, actor, account, "account_deletion", account.email);
}

export async function requestPassword(
  resources: Resources,
  actor: Actor,
  { user }: SessionViewer,
  { newPassword, confirmNewPassword }: { newPassword: string; confirmNewPassword?: string },
): Promise<void> {
  checkRepeated(newPassword, confirmNewPassword);
  const account = await getAccount(resources, user.id);
  if (account.password_hash) throw fail.passwordExists();
  await mailCode(resources, actor, account, "password_add", await hashPassword(newPassword, resources.random));
}

/** The mailed code is created when the mail is sent (jobs.ts); the code created here is never shown. */
async function mailCode(
  resources: Resources,
  actor: Actor,
  { id, email, email_verified }: Row<"users">,
  purpose: "account_deletion" | "password_add",
  detail: string | null,
): Promise<void> {
  if (!resources.mailer.enabled || email === null || email_verified !== 1) throw fail.confirmationImpossible();
  if (!(await mayMail(resources, actor, "confirmation", email))) throw fail.rateLimited(60 * 60);
  await write(resources, actor, async (tx) => {
    await createCode(tx, purpose, id, detail);
    tx.enqueue("mail-action", { userId: id, purpose });
    tx.audit("user.action.request", { kind: "user", id }, { purpose });
  });
}

export async function deleteAccountWithCode(resources: Resources, actor: Actor, code: string): Promise<void> {
  await write(resources, actor, async (tx) => {
    const { userId } = await takeUserCode(tx, "account_deletion", code);
    await removeAccount(tx, userId, resources.accountRemovals);
  });
}

/** Ends all sessions except the calling one, if it belongs to the user. */
export async function addPasswordWithCode(
  resources: Resources,
  actor: Actor,
  viewer: Viewer,
  code: string,
): Promise<PasswordSet> {
  return write(resources, actor, async (tx) => {
    const { userId, detail } = await takeUserCode(tx, "password_add", code);
    const account = await tx.db.selectFrom("users").select("password_hash").where("id", "=", userId).executeTakeFirst();
    // The account was given another password since.
    if (!detail || account?.password_hash) throw fail.codeInvalid();
    const isOwn = viewer.kind === "session" && viewer.user.id === userId;
    return setPassword(tx, userId, detail, isOwn ? { keepSessionId: viewer.sessionId } : {});
  });
}

/** The action that the code would carry out now; undefined if it does not work. */
export async function findAction(db: Db, code: string, now: number) {
  for (const purpose of Object.keys(purposes) as ActionPurpose[]) {
    const found = await findCode(db, purpose, code, now);
    if (found?.user_id) return { purpose, type: purposes[purpose], userId: found.user_id };
  }
  return undefined;
}

export async function cancelAction(resources: Resources, actor: Actor, code: string): Promise<void> {
  const found = await findAction(resources.db, code, resources.clock.now());
  if (!found) throw fail.codeInvalid();
  await write(resources, actor, async (tx) => {
    await takeUserCode(tx, found.purpose, code);
    await tx.db
      .deleteFrom("one_time_codes")
      .where("user_id", "=", found.userId)
      .where("purpose", "=", found.purpose)
      .execute();
    tx.audit("user.action.cancel", { kind: "user", id: found.userId }, { purpose: found.purpose });
  });
}
