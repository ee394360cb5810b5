// Actions that are confirmed with a mailed code: one function a route.
import { fail } from "#platform/errors.js";
import { type Route, route } from "#platform/http/endpoint.js";
import { done } from "#platform/http/schemas.js";
import { needSession } from "#platform/http/viewer.js";
import * as contract from "./action-contract.js";
import { cancelAction, deleteAccountWithCode, findAction, requestAccountDeletion, requestPassword } from "./actions.js";
import { deleteOwnAccount } from "./own-account.js";

const onItsWay = "A code is on its way to your email address";

export const userActionRoutes: Route[] = [
  route(contract.requestAccountDeletion, async ({ viewer, actor }, resources) => {
    await requestAccountDeletion(resources, actor, viewer);
    return done(onItsWay);
  }),

  route(contract.deleteAccount, async ({ body, viewer, actor }, resources) => {
    if (body.code !== undefined) await deleteAccountWithCode(resources, actor, body.code);
    else await deleteOwnAccount(resources, actor, needSession(viewer), body.password);
    return done("Account deleted");
  }),

  route(contract.requestPassword, async ({ body, viewer, actor }, resources) => {
    await requestPassword(resources, actor, viewer, body);
    return done(onItsWay);
  }),

  route(contract.getConfirmationAction, async ({ body }, { db, clock }) => {
    const action = await findAction(db, body.code, clock.now());
    if (!action) throw fail.codeInvalid();
    return { success: true as const, actionType: action.type };
  }),

  route(contract.cancelConfirmationAction, async ({ body, actor }, resources) => {
    await cancelAction(resources, actor, body.code);
    return done("Code revoked");
  }),
];
