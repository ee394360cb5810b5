// The data of every page of a project: the project as the visitor may see it, its versions, and the visitor's relation
// to it.
import type { FastifyRequest } from "fastify";
import { findFollow } from "#community/follows/read.js";
import type { FollowPreferences } from "#community/follows/shapes.js";
import type { ProjectPermission } from "#content/members/permissions.js";
import { findProjectRights } from "#content/members/rights.js";
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
  /** The visitor's permissions; empty for users outside of the team. */
  permissions: ReadonlySet<ProjectPermission>;
  isStaff: boolean;
  /** The first part of its Maven coordinates. */
  mavenGroup: string;
  /** Without a slash at the end. */
  siteUrl: string;
  isInvited: boolean;
  /** The events that the visitor follows; undefined if they do not follow the project. */
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
  const { permissions } = await findProjectRights(resources.db, user, entry.id);
  const isInvited = entry.project.members.some(({ userId, accepted }) => userId === user.id && !accepted);
  const follow = (await findFollow(resources.db, user.id, entry.id))?.preferences;
  return { ...shared, permissions, isInvited, follow };
}

/** The same page under the project's current slug, with the rest of the URL. */
export function canonicalUrl(request: FastifyRequest, slug: string): string {
  const path = pathOf(request);
  const rest = path.split("/").slice(3).join("/");
  return `/project/${slug}${rest === "" ? "" : `/${rest}`}${request.url.slice(path.length)}`;
}
