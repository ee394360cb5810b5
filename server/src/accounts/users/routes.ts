// The routes of users.
import { write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import { type Route, route } from "#platform/http/endpoint.js";
import { parseIds } from "#platform/http/id-list.js";
import { done } from "#platform/http/schemas.js";
import { parse } from "#platform/http/validation.js";
import { needSession } from "#platform/http/viewer.js";
import { addPasswordWithCode } from "./actions.js";
import { confirmEmailWithCode } from "./address.js";
import * as contract from "./contract.js";
import {
  changeEmail,
  changePassword,
  changeProfile,
  getOwnProfile,
  removePassword,
  requestConfirmation,
} from "./own-account.js";
import * as passwords from "./password-contract.js";
import { hashPassword } from "./passwords.js";
import { findProfile, listProfiles, toUser } from "./read.js";
import { requestPasswordReset, resetPassword } from "./reset.js";
import { createFirstAdmin } from "./write.js";

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
    await changeProfile(resources, actor, id, body, files);
    return { ...done("Profile saved"), profileData: await getOwnProfile(resources, id) };
  }),

  route(contract.changeEmail, async ({ body, viewer, actor }, resources) => {
    const confirmed = await changeEmail(resources, actor, viewer, body);
    return { ...done(confirmed ? "Email address changed" : "A code has been sent to the new address"), confirmed };
  }),

  route(contract.confirmEmail, async ({ body, actor }, resources) => {
    await write(resources, actor, (tx) => confirmEmailWithCode(tx, body.code));
    return done("Email address changed");
  }),

  route(contract.requestConfirmation, async ({ viewer, actor }, resources) => {
    await requestConfirmation(resources, actor, viewer);
    return done("A link has been sent to your email address");
  }),

  route(passwords.changePassword, async ({ body, viewer, actor }, resources) => {
    const { code, ...change } = body;
    const set =
      code !== undefined
        ? await addPasswordWithCode(resources, actor, viewer, code)
        : await changePassword(
            resources,
            actor,
            needSession(viewer),
            parse("body", passwords.PasswordChange, change, "body"),
          );
    return { ...done("Password changed; all other sessions are signed out"), ...set };
  }),

  route(passwords.removePassword, async ({ body, viewer, actor }, resources) => {
    const set = await removePassword(resources, actor, viewer, body);
    return { ...done("Password removed"), ...set };
  }),

  route(passwords.requestPasswordReset, async ({ body, actor }, resources) =>
    done(await requestPasswordReset(resources, actor, body.email)),
  ),

  route(passwords.resetPassword, async ({ body, actor }, resources) => {
    const set = await resetPassword(resources, actor, body);
    return { ...done("Password set; sign in with it"), ...set };
  }),

  route(contract.createFirstAdmin, async ({ body, actor }, resources) => {
    const passwordHash = await hashPassword(body.password, resources.random);
    await write(resources, { ...actor, credential: "setup code" }, (tx) =>
      createFirstAdmin(tx, body.code, { userName: body.userName, email: body.email, passwordHash }),
    );
    return done("Administrator created; you can sign in now");
  }),
];
