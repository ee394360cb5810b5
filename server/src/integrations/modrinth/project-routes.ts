// Reads of projects in Modrinth's form: the same reads as in our own interface, mapped.
import { listProfiles, toUser } from "#accounts/users/read.js";
import { listDependencies } from "#content/dependencies/read.js";
import { listMembers, membersFor } from "#content/members/read.js";
import type { Member } from "#content/members/shapes.js";
import type { ProjectEntry } from "#content/projects/entries.js";
import {
  findPrepared,
  getVisibleProject,
  listPrepared,
  listProjectIds,
  listRandomProjectIds,
  listVisibleProjects,
} from "#content/projects/read.js";
import { findVisibleTeam } from "#content/teams/read.js";
import { versionEntries } from "#content/versions/entries.js";
import { showVersionsTo } from "#content/versions/read.js";
import type { Memory } from "#lib/gzip-join.js";
import { fail } from "#platform/errors.js";
import { type Route, route } from "#platform/http/endpoint.js";
import type { JoinedAnswer } from "#platform/http/joined-answer.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import { answer, draftList, draftOne } from "./drafts.js";
import { projectItem } from "./items.js";
import { parseIdTexts } from "./lists.js";
import { toModrinthMember, toModrinthProject, toModrinthUser, toModrinthVersion } from "./mapping.js";
import * as contract from "./project-contract.js";
import type { ModrinthMember, ModrinthProject } from "./shapes.js";

export const modrinthProjectRoutes: Route[] = [
  route(contract.modrinthGetProject, async ({ params, viewer }, resources) => {
    if (viewer.kind === "anonymous") return publicProject(resources, params.ref);
    const [project] = await toProjects(resources, [await getVisibleProject(resources, viewer, params.ref)]);
    return project!;
  }),

  route(contract.modrinthGetProjects, async ({ query, viewer }, resources) =>
    viewer.kind === "anonymous"
      ? publicProjects(resources, parseIdTexts(query.ids))
      : projectsWithIds(resources, viewer, await listProjectIds(resources, parseIdTexts(query.ids))),
  ),

  route(contract.modrinthGetRandomProjects, async ({ query }, resources) => {
    const ids = await listRandomProjectIds(resources, query.count ?? 1);
    return answer(resources, draftList((await listPrepared(resources, ids)).map(projectItem)));
  }),

  route(contract.modrinthCheckProject, async ({ params, viewer }, resources) => {
    const { id } = await getVisibleProject(resources, viewer, params.ref);
    return { id };
  }),

  route(contract.modrinthGetDependencies, async ({ params, viewer }, resources) => {
    const { id } = await getVisibleProject(resources, viewer, params.ref);
    const { projects, versions } = await listDependencies(resources, viewer, id);
    const shown = await showVersionsTo(resources.db, viewer, versions);
    return {
      projects: await toProjects(resources, projects),
      versions: versions.map((version) => toModrinthVersion(shown(version).bulk.value)),
    };
  }),

  route(contract.modrinthGetMembers, async ({ params, viewer }, resources) => {
    const { members, organisation } = (await getVisibleProject(resources, viewer, params.ref)).project;
    return toMembers(resources, viewer, members, [...members, ...(organisation?.members ?? [])]);
  }),

  route(contract.modrinthGetTeamMembers, async ({ params, viewer }, resources) => {
    const { db, config } = resources;
    const team = await findVisibleTeam(db, viewer, params.teamId);
    if (!team) throw fail.teamNotFound();
    const teams = await listMembers(db, [team.id, team.org?.teamId ?? team.id], config.http.cdnUrl);
    return toMembers(resources, viewer, teams.get(team.id) ?? [], [...teams.values()].flat());
  }),
];

/** For callers who see only public projects. */
async function publicProject(resources: Resources, ref: string): Promise<JoinedAnswer> {
  const project = await findPrepared(resources, ref);
  if (!project) throw fail.projectNotFound();
  return answer(resources, draftOne(projectItem(project)));
}

export const publicProjects = async (
  resources: Resources,
  refs: readonly string[],
  memory?: Memory,
): Promise<JoinedAnswer> =>
  answer(resources, draftList((await listPrepared(resources, refs)).map(projectItem)), memory);

export const projectsWithIds = async (
  resources: Resources,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ModrinthProject[]> => toProjects(resources, await listVisibleProjects(resources, viewer, ids));

/** Projects that the caller may see. */
async function toProjects(resources: Resources, entries: readonly ProjectEntry[]): Promise<ModrinthProject[]> {
  const versions = await versionEntries(resources).load(entries.map(({ id }) => id));
  return entries.map(({ id, project }) => {
    const offered = (versions.get(id) ?? []).filter(({ yanked }) => !yanked);
    return toModrinthProject(
      project,
      offered.map((version) => version.id),
    );
  });
}

/** One statement, however many members there are. */
async function toMembers(
  { db, config }: Resources,
  viewer: Viewer,
  all: Member[],
  insiders: readonly Member[],
): Promise<ModrinthMember[]> {
  const members = membersFor(viewer, all, insiders);
  // Outsiders get other objects, without the permissions.
  const isInsider = members === all;
  const rows = await listProfiles(
    db,
    members.map(({ userId }) => userId),
  );
  const users = new Map(rows.map((row) => [row.id, toModrinthUser(toUser(row, config.http.cdnUrl))]));
  return members.flatMap((member, at) => {
    const user = users.get(member.userId);
    return user ? [toModrinthMember(member, user, at, isInsider)] : [];
  });
}
