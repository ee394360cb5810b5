// Users: one function a route.
import { write } from "../changes/write.js";
import type { Row } from "../db/tables.js";
import { fail } from "../errors.js";
import { type Route, route } from "../http/endpoint.js";
import type { Resources } from "../http/resources.js";
import { done } from "../http/schemas.js";
import type { SignedIn } from "../http/viewer.js";
import { parseIds } from "../lib/id-list.js";
import { hashPassword, verifyPassword } from "../lib/passwords.js";
import { addPicture, type StoredPicture, storeBackground, storeIcon } from "../pictures/write.js";
import * as contract from "./contract.js";
import { isFresh } from "./policy.js";
import { findAccount, findAccountByLogin, findProfile, listProfiles, toUser } from "./read.js";
import { checkRepeated, requestPasswordReset, resetPassword } from "./reset.js";
import { confirmEmailWithCode, createFirstAdmin, editProfile, removeAccount, setEmail, setPassword } from "./write.js";

export const userRoutes: Route[] = [
  route(contract.getUser, async ({ params }, { db, config }) => {
    const row = await findProfile(db, params.ref);
    if (!row) throw fail.userNotFound();
    return toUser(row, config.http.cdnUrl);
  }),

  route(contract.getUsers, async ({ query }, { db, config }) => {
    const rows = await listProfiles(db, parseIds(query.ids));
    return rows.map((row) => toUser(row, config.http.cdnUrl));
  }),

  route(contract.getOwnUser, ({ viewer }, resources) => getOwnProfile(resources, viewer.user.id)),

  route(contract.updateProfile, async ({ body, files, viewer, actor }, resources) => {
    const { id } = viewer.user;
    // Pictures are decoded and stored before the transaction: it stays short, and a bad picture changes nothing.
    const avatar = files.avatar && (await storeIcon(resources, files.avatar.bytes));
    const background = files.profilePageBg && (await storeBackground(resources, files.profilePageBg.bytes));
    await write(resources, actor, async (tx) => {
      const pictureId = async (stored: StoredPicture | undefined, text: string | null | undefined) => {
        if (stored) return addPicture(tx, resources.blobs, { kind: "user", id }, stored);
        // Empty removes the picture; any other text is its present address sent back, which keeps it.
        return text === null || text === "" ? null : undefined;
      };
      await editProfile(tx, id, {
        name: body.name,
        userName: body.userName,
        bio: body.bio,
        avatarId: await pictureId(avatar, body.avatar),
        backgroundId: await pictureId(background, body.profilePageBg),
      });
    });
    return { ...done("Profile saved"), profileData: await getOwnProfile(resources, id) };
  }),

  route(contract.changeEmail, async ({ body, viewer, actor }, resources) => {
    await proveIdentity(resources, viewer, body.password);
    const email = body.email.toLowerCase();
    if (await findAccountByLogin(resources.db, email)) throw fail.emailTaken();
    const confirmed = !resources.mailer.enabled;
    await write(resources, actor, async (tx) => {
      if (confirmed) return setEmail(tx, viewer.user.id, email, false);
      tx.enqueue("mail-email-change", { userId: viewer.user.id, email });
      tx.audit("user.email.request", { kind: "user", id: viewer.user.id });
    });
    return { ...done(confirmed ? "E-mail address changed" : "A code is on its way to the new address"), confirmed };
  }),

  route(contract.confirmEmail, async ({ body, actor }, resources) => {
    await write(resources, actor, (tx) => confirmEmailWithCode(tx, body.code));
    return done("E-mail address changed");
  }),

  route(contract.changePassword, async ({ body, viewer, actor }, resources) => {
    checkRepeated(body.newPassword, body.confirmNewPassword);
    await proveIdentity(resources, viewer, body.currentPassword);
    const hash = await hashPassword(body.newPassword, resources.random);
    await write(resources, actor, (tx) => setPassword(tx, viewer.user.id, hash, viewer.sessionId));
    return done("Password changed; all other sessions are signed out");
  }),

  route(contract.removePassword, async ({ body, viewer, actor }, resources) => {
    const account = await getAccount(resources, viewer.user.id);
    if (!account.password_hash) throw fail.passwordMissing();
    await checkPassword(account, body.password);
    await write(resources, actor, async (tx) => {
      // First the change, which holds the user's row: a provider that is being unlinked right now does not count.
      await setPassword(tx, account.id, null, viewer.sessionId);
      const linked = await tx.db
        .selectFrom("linked_accounts")
        .select("id")
        .where("user_id", "=", account.id)
        .executeTakeFirst();
      if (!linked) throw fail.lastSignInMethod();
    });
    return done("Password removed");
  }),

  route(contract.requestPasswordReset, async ({ body, actor }, resources) =>
    done(await requestPasswordReset(resources, actor, body.email)),
  ),

  route(contract.resetPassword, async ({ body, actor }, resources) => {
    await resetPassword(resources, actor, body);
    return done("Password set; sign in with it");
  }),

  route(contract.deleteAccount, async ({ body, viewer, actor }, resources) => {
    await proveIdentity(resources, viewer, body.password);
    await write(resources, actor, (tx) => removeAccount(tx, viewer.user.id));
    return done("Account deleted");
  }),

  route(contract.createFirstAdmin, async ({ body, actor }, resources) => {
    const passwordHash = await hashPassword(body.password, resources.random);
    await write(resources, { ...actor, credential: "setup code" }, (tx) =>
      createFirstAdmin(tx, body.code, { userName: body.userName, email: body.email, passwordHash }),
    );
    return done("The administrator is made; sign in");
  }),
];

async function getOwnProfile({ db, config }: Resources, id: string): Promise<contract.User> {
  const row = await findProfile(db, id);
  if (!row) throw fail.userNotFound();
  return toUser(row, config.http.cdnUrl);
}

async function getAccount({ db }: Resources, id: string): Promise<Row<"users">> {
  const account = await findAccount(db, id);
  if (!account) throw fail.userNotFound();
  return account;
}

/** The password where there is one, else a session that was signed in just now. A token alone is never enough. */
async function proveIdentity(resources: Resources, viewer: SignedIn, password: string | undefined): Promise<void> {
  const account = await getAccount(resources, viewer.user.id);
  if (account.password_hash) return checkPassword(account, password ?? "");
  if (!isFresh(viewer, resources.clock.now())) throw fail.freshSessionNeeded();
}

async function checkPassword(account: Row<"users">, password: string): Promise<void> {
  const { ok } = await verifyPassword(account.password_hash ?? undefined, password);
  if (!ok) throw fail.passwordWrong();
}
