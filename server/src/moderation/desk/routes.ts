// The routes of moderating projects. The website calls the same functions.
import { write } from "#platform/changes/write.js";
import { type Route, route } from "#platform/http/endpoint.js";
import { done, timestamp } from "#platform/http/schemas.js";
import { releaseClaim } from "./claims.js";
import * as contract from "./contract.js";
import { getReview, listQueue } from "./read.js";
import { reasons } from "./reasons.js";
import { readSummary } from "./summary.js";
import { claimProject, decideStatus, lockVisibleProject } from "./write.js";

export const moderationRoutes: Route[] = [
  route(contract.getModerationSummary, async ({ viewer }, resources) => {
    return readSummary(resources, viewer);
  }),

  route(contract.getModerationQueue, async ({ query, viewer }, resources) => {
    return listQueue(resources, viewer, query);
  }),

  route(contract.getDecisionReasons, async () =>
    reasons.map((reason) => ({ ...reason, statuses: [...reason.statuses] })),
  ),

  route(contract.setProjectStatus, async ({ params, body, viewer, actor }, resources) => {
    const { status, reason = null } = body;
    await write(resources, actor, async (tx) => {
      const decision = { status, reason, message: body.message ?? "" };
      await decideStatus(tx, await lockVisibleProject(tx, viewer, params.ref), viewer.user.id, decision);
    });
    return { ...done(`The project is ${status} now`), status };
  }),

  route(contract.claimProject, async ({ params, viewer, actor }, resources) => {
    const { id, userName } = viewer.user;
    const dateExpires = await write(resources, actor, async (tx) =>
      claimProject(tx, await lockVisibleProject(tx, viewer, params.ref), id),
    );
    return {
      ...done("You have claimed this project"),
      claim: { userId: id, userName, dateExpires: timestamp(dateExpires) },
    };
  }),

  route(contract.releaseProject, async ({ params, viewer, actor }, resources) => {
    await write(resources, actor, async (tx) => {
      const project = await lockVisibleProject(tx, viewer, params.ref);
      await releaseClaim(tx, "project", project.id, viewer.user);
    });
    return done("Project released");
  }),

  route(contract.getProjectReview, ({ params, viewer }, resources) => getReview(resources, viewer, params.ref)),
];
