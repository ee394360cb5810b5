// Routes for submitting a project for review and withdrawing it.

import { needConfirmedAddress } from "#accounts/users/policy.js";
import { changeProject } from "#content/projects/change.js";
import { type Route, route } from "#platform/http/endpoint.js";
import { done } from "#platform/http/schemas.js";
import * as contract from "./contract.js";
import { submitProject, withdrawProject } from "./submit.js";

export const submissionRoutes: Route[] = [
  route(contract.submitProject, async (call, resources) => {
    const { review } = resources.config;
    const status = await changeProject(resources, call, "owner", (tx, project) => {
      needConfirmedAddress(call.viewer);
      return submitProject(tx, project, call.viewer.user.id, { review });
    });
    return {
      ...done(status === "approved" ? "The project is now public" : "Submitted for review"),
      status,
    };
  }),

  route(contract.withdrawProject, async (call, resources) => {
    const status = await changeProject(resources, call, "owner", (tx, project) =>
      withdrawProject(tx, project, call.viewer.user.id),
    );
    return { ...done("Submission withdrawn; the project is a draft again"), status };
  }),
];
