// Moderation: one function a route.
import { write } from "../changes/write.js";
import { fail } from "../errors.js";
import { type Route, route } from "../http/endpoint.js";
import { done } from "../http/schemas.js";
import { getEditableProject } from "../projects/editing.js";
import { lockProject } from "../projects/locking.js";
import { isStaff } from "../projects/policy.js";
import * as contract from "./contract.js";
import { decideStatus } from "./write.js";

export const moderationRoutes: Route[] = [
  route(contract.setProjectStatus, async ({ params, body, viewer, actor }, resources) => {
    // Asked first: to all others the route tells nothing, not even which projects there are.
    if (!isStaff(viewer)) throw fail.moderatorOnly();
    await write(resources, actor, async (tx) => {
      const { project } = await getEditableProject(tx.db, viewer, params.ref);
      await decideStatus(tx, await lockProject(tx, project.id), viewer.user.id, body.status, body.message ?? "");
    });
    return { ...done(`The project is ${body.status} now`), status: body.status };
  }),
];
