// Routes of plans, exports and previews.

import { toArchiveName } from "#content/bundles/entry-names.js";
import { sendBundle } from "#content/bundles/send-bundle.js";
import type { HashAlgorithm } from "#content/hashes/file-projects.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { parseChannels } from "#content/versions/channels.js";
import { Failure, fail, invalid } from "#platform/errors.js";
import { type Route, route } from "#platform/http/endpoint.js";
import { say } from "#words/said.js";
import { bundlePlan } from "./bundled-files.js";
import * as contract from "./contract.js";
import { exportPlan } from "./export-plan.js";
import type { Setup } from "./graph.js";
import type { ResolveQuery, Wanted } from "./loaded-request.js";
import { makePlan } from "./plan.js";
import { cachedPlan } from "./plan-cache.js";
import { makePreview } from "./preview.js";
import type { Plan } from "./shapes.js";

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

interface QuestionBody extends SetupBody {
  projects?: readonly Wanted[];
  installed?: readonly string[];
  algorithm?: HashAlgorithm;
}

function toQuestion(body: QuestionBody): Omit<ResolveQuery, "mode"> {
  const { projects: wanted = [], installed: hashes = [], algorithm = "sha512" } = body;
  if (wanted.length === 0 && hashes.length === 0)
    throw invalid({ path: "projects", message: say.problems.atLeastOneProject });
  return { wanted, hashes, algorithm, setup: toSetup(body) };
}

const mostIssues = 20;

/** A pack that silently lacks something would be found out only in the game. */
function refuseGaps({ resolved, clash, unknown }: Plan, installed: readonly string[]): void {
  if (resolved && unknown.length === 0) return;
  const { code, status, said } = fail.wrongState(say.states.planUnresolved);
  const issues = [
    ...(clash?.reasons ?? []).map(({ message }) => ({ path: "projects", message })),
    ...unknown.map((hash) => ({ path: `installed.${installed.indexOf(hash)}`, message: say.problems.unknownHash })),
  ];
  throw new Failure(code, status, said, { issues: issues.slice(0, mostIssues) });
}

export const resolveRoutes: Route[] = [
  route(contract.resolveDependencies, async ({ body, viewer }, resources) => {
    const question = toQuestion(body);
    return cachedPlan(resources, viewer, ["plan", body], () => makePlan(resources, viewer, question));
  }),

  route(contract.exportPlan, async (call, resources) => {
    const { body, viewer } = call;
    const { format, gameVersion, loader, releaseChannel, name = "Mod list", loaderVersion = "" } = body;
    const plan = await makePlan(resources, viewer, toQuestion(body));
    refuseGaps(plan, body.installed ?? []);
    const bundled = await bundlePlan(resources, plan);
    const about = { gameVersion: gameVersion ?? null, loader: loader ?? null, releaseChannel: releaseChannel ?? null };
    const fileName = toArchiveName(name) || "pack";
    if (format === "zip") return sendBundle(call, resources, { ...bundled, name: fileName, about });
    return exportPlan(call, resources, {
      ...{ format, plan: bundled, taxonomy: await getTaxonomy(resources), gameVersion, loaderVersion, fileName, name },
      loaders: loader ? [loader] : [],
    });
  }),

  route(contract.previewUpdate, async ({ body, viewer }, resources) => {
    const { hashes, algorithm = "sha512" } = body;
    const setup = toSetup(body);
    return cachedPlan(resources, viewer, ["preview", body], () =>
      makePreview(resources, viewer, { hashes, algorithm, setup }),
    );
  }),
];
