// Routes of plans and previews.

import { parseChannels } from "#content/versions/channels.js";
import { invalid } from "#platform/errors.js";
import { type Route, route } from "#platform/http/endpoint.js";
import { say } from "#words/said.js";
import * as contract from "./contract.js";
import type { Setup } from "./graph.js";
import { makePlan } from "./plan.js";
import { cachedPlan } from "./plan-cache.js";
import { makePreview } from "./preview.js";

interface SetupBody {
  gameVersion?: string;
  loader?: string;
  releaseChannel?: string;
}

const toSetup = ({ gameVersion, loader, releaseChannel }: SetupBody): Setup => ({
  gameVersion,
  loader,
  channels: parseChannels(releaseChannel),
});

export const resolveRoutes: Route[] = [
  route(contract.resolveDependencies, async ({ body, viewer }, resources) => {
    const { projects: wanted = [], installed: hashes = [], algorithm = "sha512" } = body;
    if (wanted.length === 0 && hashes.length === 0)
      throw invalid({ path: "projects", message: say.problems.atLeastOneProject });
    const setup = toSetup(body);
    return cachedPlan(resources, viewer, ["plan", body], () =>
      makePlan(resources, viewer, { wanted, hashes, algorithm, setup }),
    );
  }),

  route(contract.previewUpdate, async ({ body, viewer }, resources) => {
    const { hashes, algorithm = "sha512" } = body;
    const setup = toSetup(body);
    return cachedPlan(resources, viewer, ["preview", body], () =>
      makePreview(resources, viewer, { hashes, algorithm, setup }),
    );
  }),
];
