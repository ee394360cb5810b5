// Turns choices into answers: names for ids, and a sentence for each obstacle.

import type { File } from "#content/shapes/version.js";
import { fileUrl, type VersionEntry } from "#content/versions/entries.js";
import { timestamp } from "#platform/http/schemas.js";
import type { Clash as FoundClash } from "./clash.js";
import { fits, fitsPlace } from "./graph.js";
import type { LoadedRequest } from "./loaded-request.js";
import type { Clash, ClashReason, Demand, ProjectSummary, VersionSummary } from "./shapes.js";
import type { Obstacle } from "./solve.js";

export const toVersionSummary = (version: VersionEntry): VersionSummary => ({
  id: version.id,
  projectId: version.projectId,
  versionNumber: version.versionNumber,
  slug: version.slug,
  releaseChannel: version.channel,
  datePublished: timestamp(version.datePublished),
  gameVersions: [...version.gameVersions],
  loaders: [...version.loaders],
  yanked: version.yanked,
});

export function toProjectSummary({ projects }: LoadedRequest, projectId: string): ProjectSummary {
  const { id, slug, project } = projects.get(projectId)!;
  return { id, slug, name: project.name };
}

export function toFile(version: VersionEntry, cdnUrl: string): File {
  const { id, isPrimary, name, size, type, sha1, sha512 } = version.files[0]!;
  const url = fileUrl(cdnUrl, version.projectId, version.id, name);
  return { id, isPrimary, name, size, type, url, sha1_hash: sha1, sha512_hash: sha512 };
}

interface Asked {
  kind: Demand["kind"];
  /** Absent if it is the caller's own request. */
  by?: VersionEntry | undefined;
  onProjectId: string;
  onVersionId: string | null;
}

export function toDemand(request: LoadedRequest, { kind, by, onProjectId, onVersionId }: Asked): Demand {
  const slugOf = (projectId: string) => request.projects.get(projectId)?.slug ?? null;
  // Not even the id of a project is shown if the caller may not see it.
  const isSeen = request.projects.has(onProjectId);
  const on = onVersionId && request.versions.get(onProjectId)?.find(({ id }) => id === onVersionId);
  return {
    kind,
    projectId: by?.projectId ?? null,
    projectSlug: by ? slugOf(by.projectId) : null,
    versionId: by?.id ?? null,
    versionNumber: by?.versionNumber ?? null,
    onProjectId: isSeen ? onProjectId : null,
    onProjectSlug: slugOf(onProjectId),
    onVersionId: isSeen ? onVersionId : null,
    onVersionNumber: on ? on.versionNumber : null,
  };
}

export function toRootDemand(request: LoadedRequest, number: number): Demand {
  const { kind, projectId, versionIds } = request.roots.get(number)!;
  const [only = null] = versionIds?.size === 1 ? versionIds : [];
  return toDemand(request, { kind, onProjectId: projectId, onVersionId: only });
}

export const toClash = (request: LoadedRequest, { roots, isSmallest, obstacles }: FoundClash): Clash => ({
  demands: roots.map((number) => toRootDemand(request, number)),
  isSmallest,
  reasons: obstacles.map((obstacle) => toReason(request, obstacle)),
});

const mostDemands = 20;

function toReason(request: LoadedRequest, { projectId, demands }: Obstacle): ClashReason {
  const shown = demands.slice(0, mostDemands).map(({ source, candidateId, versionId, isBan }) =>
    typeof source === "number"
      ? toRootDemand(request, source)
      : toDemand(request, {
          kind: isBan ? "incompatible" : "required",
          by: request.entries.get(candidateId ?? ""),
          onProjectId: projectId,
          onVersionId: versionId,
        }),
  );
  const pins = new Set(demands.flatMap(({ versionId, isBan }) => (isBan || versionId === null ? [] : [versionId])));
  const kind = demands.some(({ isBan }) => isBan) ? "incompatible" : pins.size > 1 ? "pinsDiffer" : "noVersion";
  const versions = request.versions.get(projectId);
  const missing = kind === "noVersion" ? whatIsMissing(request, versions, [...pins][0]) : null;
  const newest = kind === "noVersion" ? versions?.find((version) => !version.yanked) : undefined;
  const project = request.projects.get(projectId);
  const message = sentence(request, { kind, missing, name: project?.slug ?? "A project that you cannot see" });
  return {
    kind,
    projectId: project?.id ?? null,
    projectSlug: project?.slug ?? null,
    missing,
    newest: newest ? toVersionSummary(newest) : null,
    demands: shown,
    message,
  };
}

/** The part of the setup without which there would be a version, if there is exactly one. */
function whatIsMissing(
  { setup }: LoadedRequest,
  versions: readonly VersionEntry[] | undefined,
  pinned: string | undefined,
): NonNullable<ClashReason["missing"]> {
  if (!versions) return "project";
  const offered = versions.filter((version) => !version.yanked);
  if (offered.length === 0 || pinned !== undefined) return "version";
  if (!offered.some((version) => fits(version, { gameVersion: setup.gameVersion }))) return "gameVersion";
  if (!offered.some((version) => fits(version, { ...setup, gameVersion: undefined, channels: undefined })))
    return "loader";
  if (!offered.some((version) => fitsPlace(version, setup))) return "setup";
  return offered.some((version) => fits(version, setup)) ? "version" : "releaseChannel";
}

interface Told {
  kind: ClashReason["kind"];
  missing: ClashReason["missing"];
  name: string;
}

function sentence({ setup }: LoadedRequest, { kind, missing, name }: Told): string {
  if (kind === "incompatible") return `${name} is required, but something else is incompatible with it`;
  if (kind === "pinsDiffer") return `Different versions of ${name} are required, but only one can be installed`;
  switch (missing) {
    case "project":
      return `${name} is required, but it is not available here`;
    case "gameVersion":
      return `${name} has no version for ${setup.gameVersion}`;
    case "loader":
      return `${name} has no version for ${setup.loader}`;
    case "setup":
      return `${name} has no version for ${setup.gameVersion} and ${setup.loader}`;
    case "releaseChannel":
      return `${name} has no version that is stable enough; allow a less stable channel`;
    default:
      return `The version of ${name} does not exist or was withdrawn`;
  }
}
