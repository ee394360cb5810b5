// Users' actions on their own accounts, for the API routes and the website's forms.
import { type Actor, write } from "#platform/changes/write.js";
import type { Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { UploadedFile } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { SessionViewer, SignedIn } from "#platform/http/viewer.js";
import { addPicture, type StoredPicture, storeBackground, storeIcon } from "#platform/pictures/write.js";
import { setEmail } from "./address.js";
import type { User } from "./contract.js";
import { namesOf, takeAttempt } from "./failures.js";
import { mayMail } from "./mail-quota.js";
import { type PasswordSet, setPassword } from "./password.js";
import type { CredentialKind } from "./password-contract.js";
import { hashPassword, verifyPassword } from "./passwords.js";
import { isFresh } from "./policy.js";
import { findAccount, findAccountByLogin, findProfile, hasOtherCredential, toUser } from "./read.js";
import { checkRepeated } from "./reset.js";
import { editProfile, removeAccount } from "./write.js";

export async function getOwnProfile({ db, config }: Resources, id: string): Promise<User> {
  const row = await findProfile(db, id);
  if (!row) throw fail.userNotFound();
  return toUser(row, config.http.cdnUrl);
}

export interface ProfileChange {
  name?: string | null;
  userName?: string;
  bio?: string | null;
  avatar?: string | null;
  profilePageBg?: string | null;
}

export async function changeProfile(
  resources: Resources,
  actor: Actor,
  id: string,
  change: ProfileChange,
  files: { avatar?: UploadedFile; profilePageBg?: UploadedFile },
): Promise<void> {
  // Pictures are decoded and stored before the transaction: it stays short, and a bad picture changes nothing.
  const avatar = files.avatar && (await storeIcon(resources, files.avatar.bytes));
  const background = files.profilePageBg && (await storeBackground(resources, files.profilePageBg.bytes));
  await write(resources, actor, async (tx) => {
    const pictureId = async (stored: StoredPicture | undefined, text: string | null | undefined) => {
      if (stored) return addPicture(tx, resources, { kind: "user", id }, stored);
      // Empty removes the picture; any other text is its present address sent back, which keeps it.
      return text === null || text === "" ? null : undefined;
    };
    await editProfile(tx, id, {
      name: change.name,
      userName: change.userName,
      bio: change.bio,
      avatarId: await pictureId(avatar, change.avatar),
      backgroundId: await pictureId(background, change.profilePageBg),
    });
  });
}

/** Returns whether the new address counts already; else a code is on its way to it. */
export async function changeEmail(
  resources: Resources,
  actor: Actor,
  viewer: SignedIn,
  input: { email: string; password?: string },
): Promise<boolean> {
  await proveIdentity(resources, actor, viewer, input.password);
  const email = input.email.toLowerCase();
  const { id } = viewer.user;
  const holder = await findAccountByLogin(resources.db, email);
  if (!resources.mailer.enabled) {
    if (holder) throw fail.emailTaken();
    await write(resources, actor, (tx) => setEmail(tx, id, email, false));
    return true;
  }
  // Users may give their own address again to confirm it, if it is not confirmed yet.
  if (holder?.id === id && holder.email_verified === 1) throw fail.emailTaken();
  // Only the mail tells the owner of the address that another account has it.
  await mailConfirmation(resources, actor, id, email);
  return false;
}

/** Mails again to the address that the account was created with. */
export async function requestConfirmation(resources: Resources, actor: Actor, viewer: SignedIn): Promise<void> {
  const { id, email, email_verified } = await getAccount(resources, viewer.user.id);
  if (email === null || email_verified === 1 || !resources.mailer.enabled) throw fail.addressConfirmed();
  await mailConfirmation(resources, actor, id, email);
}

async function mailConfirmation(resources: Resources, actor: Actor, userId: string, email: string): Promise<void> {
  const isAllowed = await mayMail(resources, actor, "confirmation", email);
  await write(resources, actor, async (tx) => {
    if (isAllowed) tx.enqueue("mail-email-change", { userId, email });
    tx.audit("user.email.request", { kind: "user", id: userId });
  });
}

export interface PasswordChange {
  currentPassword?: string;
  newPassword: string;
  confirmNewPassword?: string;
  keepTokens?: string[];
  drop?: CredentialKind[];
}

export async function changePassword(
  resources: Resources,
  actor: Actor,
  viewer: SessionViewer,
  { currentPassword, newPassword, confirmNewPassword, ...choice }: PasswordChange,
): Promise<PasswordSet> {
  checkRepeated(newPassword, confirmNewPassword);
  await proveIdentity(resources, actor, viewer, currentPassword);
  const hash = await hashPassword(newPassword, resources.random);
  return write(resources, actor, (tx) =>
    setPassword(tx, viewer.user.id, hash, { ...choice, keepSessionId: viewer.sessionId }),
  );
}

export async function removePassword(
  resources: Resources,
  actor: Actor,
  viewer: SessionViewer,
  { password, keepTokens }: { password: string; keepTokens?: string[] },
): Promise<PasswordSet> {
  const account = await getAccount(resources, viewer.user.id);
  if (!account.password_hash) throw fail.passwordMissing();
  await checkPassword(resources, actor, account, password);
  return write(resources, actor, async (tx) => {
    // The change comes first, because it locks the user's row: a provider that is being unlinked at the same time does
    // not count.
    const set = await setPassword(tx, account.id, null, { keepTokens, keepSessionId: viewer.sessionId });
    if (!(await hasOtherCredential(tx.db, account.id))) throw fail.lastSignInMethod();
    return set;
  });
}

export async function deleteOwnAccount(
  resources: Resources,
  actor: Actor,
  viewer: SessionViewer,
  password: string | undefined,
): Promise<void> {
  await proveIdentity(resources, actor, viewer, password);
  await write(resources, actor, (tx) => removeAccount(tx, viewer.user.id, resources.accountRemovals));
}

export async function getAccount({ db }: Resources, id: string): Promise<Row<"users">> {
  const account = await findAccount(db, id);
  if (!account) throw fail.userNotFound();
  return account;
}

/**
 * Asks for the password if there is one, otherwise for a session that was signed in recently. A token alone is never
 * enough.
 */
export async function proveIdentity(
  resources: Resources,
  actor: Actor,
  viewer: SignedIn,
  password: string | undefined,
): Promise<void> {
  const account = await getAccount(resources, viewer.user.id);
  if (account.password_hash) return checkPassword(resources, actor, account, password ?? "");
  if (!isFresh(viewer, resources.clock.now())) throw fail.freshSessionNeeded();
}

async function checkPassword(
  resources: Resources,
  actor: Actor,
  account: Row<"users">,
  password: string,
): Promise<void> {
  const giveBack = await takeAttempt(resources, actor, namesOf(account), account.id);
  const { ok } = await verifyPassword(account.password_hash ?? undefined, password);
  if (!ok) throw fail.passwordWrong();
  await giveBack();
}
