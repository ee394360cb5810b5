// What every page of a project is made from: the project as the visitor may see it, its versions, and what the visitor is
// to it.
import type { FastifyRequest } from "fastify";
import { findFollow } from "#community/follows/read.js";
import type { FollowPreferences } from "#community/follows/shapes.js";
import type { ProjectPermission } from "#content/members/permissions.js";
import { findProjectStanding } from "#content/members/standing.js";
import type { ProjectEntry } from "#content/projects/entries.js";
import { getVisibleProject } from "#content/projects/read.js";
import type { Project } from "#content/shapes/project.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { type VersionEntry, versionEntries } from "#content/versions/entries.js";
import type { Resources } from "#platform/http/resources.js";
import { isStaff, type Viewer } from "#platform/http/viewer.js";
import { pathOf } from "#web/context/paths.js";

export interface ProjectView {
  entry: ProjectEntry;
  project: Project;
  /** Newest first. */
  versions: readonly VersionEntry[];
  taxonomy: Taxonomy;
  /** What the visitor may do to it; nothing for strangers. */
  permissions: ReadonlySet<ProjectPermission>;
  isStaff: boolean;
  /** The first part of its Maven coordinates. */
  mavenGroup: string;
  /** Without a slash at the end. */
  siteUrl: string;
  isInvited: boolean;
  /** What the visitor wants to be told of; undefined where he does not follow it. */
  follow: FollowPreferences | undefined;
}

export async function getProjectView(resources: Resources, viewer: Viewer, ref: string): Promise<ProjectView> {
  const entry = await getVisibleProject(resources, viewer, ref);
  const versions = (await versionEntries(resources).load([entry.id])).get(entry.id) ?? [];
  const taxonomy = await getTaxonomy(resources);
  const { mavenGroup, http } = resources.config;
  const project = entry.publicProject.value;
  const shared = { entry, project, versions, taxonomy, mavenGroup, siteUrl: http.url, isStaff: isStaff(viewer) };
  if (viewer.kind === "anonymous") return { ...shared, permissions: new Set(), isInvited: false, follow: undefined };
  const { user } = viewer;
  const { permissions } = await findProjectStanding(resources.db, user, entry.id);
  const isInvited = entry.project.members.some(({ userId, accepted }) => userId === user.id && !accepted);
  const follow = (await findFollow(resources.db, user.id, entry.id))?.preferences;
  return { ...shared, permissions, isInvited, follow };
}

/** The same page under the project's present slug, with what follows in the address. */
export function canonicalUrl(request: FastifyRequest, slug: string): string {
  const path = pathOf(request);
  const rest = path.split("/").slice(3).join("/");
  return `/project/${slug}${rest === "" ? "" : `/${rest}`}${request.url.slice(path.length)}`;
}
