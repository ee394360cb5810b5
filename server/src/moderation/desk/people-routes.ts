// The routes of moderating users.
import { write } from "#platform/changes/write.js";
import { type Route, route } from "#platform/http/endpoint.js";
import { done } from "#platform/http/schemas.js";
import * as contract from "./people-contract.js";
import { getModeratedUser } from "./people-read.js";
import { suspendUser, unsuspendUser } from "./people-write.js";

export const peopleRoutes: Route[] = [
  route(contract.getModeratedUser, async ({ params }, { db, config }) => {
    return getModeratedUser(db, params.ref, config.http.cdnUrl);
  }),

  route(contract.suspendUser, async ({ params, body, viewer, actor }, resources) => {
    await write(resources, actor, (tx) => suspendUser(tx, viewer, params.ref, body.reason));
    return done("Account suspended; its sessions and tokens no longer work");
  }),

  route(contract.unsuspendUser, async ({ params, viewer, actor }, resources) => {
    await write(resources, actor, (tx) => unsuspendUser(tx, viewer, params.ref));
    return done("Account reinstated");
  }),
];
