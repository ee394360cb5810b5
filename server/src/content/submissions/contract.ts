// Submitting a project for review, and withdrawing it (interface §4, "Projects").
import { projectRef } from "#content/projects/contract.js";
import { Status } from "#content/shapes/project.js";
import { needs } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { DoneWith } from "#platform/http/schemas.js";

const shared = { tag: "Projects", rate: "write", access: needs("project_write"), params: projectRef } as const;

export const submitProject = endpoint({
  ...shared,
  id: "submitProject",
  method: "POST",
  path: "/api/project/:ref/submit-for-review",
  summary: "Submit a project for review",
  description:
    "For its owner. The project needs a version, a description and a license. After a refusal it can be submitted again 3 hours after the last submission. If this site has no review, the project is approved at once.",
  answer: DoneWith({ status: Status }),
  errors: ["projectNotFound", "ownerOnly", "addressUnconfirmed", "wrongState"],
});

export const withdrawProject = endpoint({
  ...shared,
  id: "withdrawProject",
  method: "POST",
  path: "/api/project/:ref/withdraw",
  summary: "Take a project back from review",
  description: "For its owner. The project becomes a draft again.",
  answer: DoneWith({ status: Status }),
  errors: ["projectNotFound", "ownerOnly", "wrongState"],
});
