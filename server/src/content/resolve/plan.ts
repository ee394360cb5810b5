// The plan of an installation: every file, in order, with the reason for it; or the reasons why there is no plan.

import { listVisibleProjects } from "#content/projects/read.js";
import { inSlices } from "#lib/slices.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import { fitsPlace } from "./graph.js";
import { type LoadedRequest, loadRequest, newBudgets, type ResolveQuery } from "./loaded-request.js";
import { orderForInstallation } from "./order.js";
import { solveCached } from "./outcome-cache.js";
import type { Demand, Plan, PlannedFile } from "./shapes.js";
import { toClash, toDemand, toFile, toProjectSummary, toRootDemand, toVersionSummary } from "./show.js";
import type { Candidate } from "./solve.js";

/** A library may have hundreds of dependents; no user reads them all. */
const mostReasons = 20;
const mostSuggestions = 200;

/** A caller that makes several plans for one request passes the same budgets to all of them. */
export async function makePlan(
  resources: Resources,
  viewer: Viewer,
  question: Omit<ResolveQuery, "mode">,
  budgets = newBudgets(),
): Promise<Plan> {
  const request = await loadRequest(resources, viewer, { ...question, mode: "keep" });
  const unknown = request.installed.flatMap(({ hash, projectId }) => (projectId === undefined ? [hash] : []));
  const outcome = await inSlices(solveCached(resources, request, request.roots, budgets));
  if (outcome.kind === "tooHard") throw fail.planTooHard();
  if (outcome.kind === "clash") {
    const clash = toClash(request, outcome.clash);
    return { resolved: false, files: [], downloadSize: 0, clash, optional: [], unmet: [], unknown };
  }
  const files = toPlannedFiles(resources, request, outcome.chosen);
  const chosen = new Set(files.map(({ version }) => version.id));
  return {
    resolved: true,
    files,
    downloadSize: downloadSize(files),
    clash: null,
    optional: await listSuggestions(resources, viewer, request, chosen),
    unmet: request.unmet
      .filter(({ entry }) => chosen.has(entry.id))
      .map(({ entry, need }) =>
        toDemand(request, { kind: "required", by: entry, onProjectId: need.projectId, onVersionId: need.versionId }),
      ),
    unknown,
  };
}

export const downloadSize = (files: readonly PlannedFile[]): number =>
  files.reduce((sum, { action, file }) => (action === "keep" ? sum : sum + file.size), 0);

export function toPlannedFiles(
  { config }: Resources,
  request: LoadedRequest,
  chosen: ReadonlyMap<string, Candidate>,
): PlannedFile[] {
  const reasons = reasonsOf(request, chosen);
  const byProject = Map.groupBy(request.installed, ({ projectId }) => projectId);
  return orderForInstallation(chosen).map((projectId) => {
    const version = request.entries.get(chosen.get(projectId)!.id)!;
    const [primary] = version.files;
    const there = byProject.get(projectId) ?? [];
    const isThere = there.some(({ hash }) => hash.toLowerCase() === primary![request.algorithm]);
    const replaces = isThere ? [] : there.flatMap((file) => replaced(file, request.algorithm));
    return {
      action: isThere ? "keep" : replaces.length > 0 ? "replace" : "add",
      project: toProjectSummary(request, projectId),
      version: toVersionSummary(version),
      file: toFile(version, config.http.cdnUrl),
      fits: fitsPlace(version, request.setup),
      reasons: reasons.get(projectId) ?? [],
      replaces,
    };
  });
}

/** Additional files, such as sources, are not replaced. */
const replaced = ({ hash, versions }: LoadedRequest["installed"][number], algorithm: LoadedRequest["algorithm"]) => {
  const owner = versions.find(({ files: [primary] }) => primary?.[algorithm] === hash.toLowerCase());
  return owner ? [{ hash, versionId: owner.id }] : [];
};

/** The demands on each project that the plan meets, roots first. */
function reasonsOf(request: LoadedRequest, chosen: ReadonlyMap<string, Candidate>): Map<string, Demand[]> {
  const reasons = new Map([...chosen.keys()].map((projectId) => [projectId, [] as Demand[]]));
  const add = (projectId: string, toReason: () => Demand) => {
    const known = reasons.get(projectId);
    if (known && known.length < mostReasons) known.push(toReason());
  };
  for (const [number, { projectId }] of request.roots) add(projectId, () => toRootDemand(request, number));
  for (const { id, requires } of chosen.values())
    for (const { projectId, versionId } of requires)
      add(projectId, () =>
        toDemand(request, {
          kind: "required",
          by: request.entries.get(id),
          onProjectId: projectId,
          onVersionId: versionId,
        }),
      );
  return reasons;
}

/** Optional dependencies that are not in the plan, each project once, if the caller may see them. */
async function listSuggestions(
  resources: Resources,
  viewer: Viewer,
  { entries }: LoadedRequest,
  chosen: ReadonlySet<string>,
): Promise<Plan["optional"]> {
  const versions = [...chosen].map((id) => entries.get(id)!);
  const planned = new Set(versions.map(({ projectId }) => projectId));
  const offers = versions.flatMap((version) =>
    version.dependencies
      .filter(({ type, on_project_id }) => type === "optional" && !planned.has(on_project_id))
      .map((dependency) => ({ ...dependency, by: version.id })),
  );
  const byProject = Map.groupBy(offers, ({ on_project_id }) => on_project_id);
  const seen = await listVisibleProjects(resources, viewer, [...byProject.keys()].slice(0, mostSuggestions));
  return seen.map(({ id, slug, project }) => {
    const mine = byProject.get(id)!;
    const [pin, ...others] = new Set(mine.map(({ on_version_id }) => on_version_id));
    return {
      project: { id, slug, name: project.name },
      versionId: others.length === 0 ? (pin ?? null) : null,
      forVersionIds: mine.slice(0, mostReasons).map(({ by }) => by),
    };
  });
}
