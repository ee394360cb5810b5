// The user's projects, and changes to several of them at once: links and visibility.

import Type, { type Static } from "typebox";
import { listProjectRights } from "#content/members/rights.js";
import { setLinks } from "#content/projects/attributes.js";
import { changeProject, type ProjectCall } from "#content/projects/change.js";
import { editDetails } from "#content/projects/edit.js";
import { updateProject, updateProjectLinks } from "#content/projects/edit-contract.js";
import type { ProjectListItem } from "#content/shapes/project.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { versionEntries } from "#content/versions/entries.js";
import { listRequestedChanges } from "#moderation/desk/requested-changes.js";
import { Failure } from "#platform/errors.js";
import { needs, readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { parse } from "#platform/http/validation.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { attempt, formFields, formLists, listOf } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { listOwnProjects } from "#web/shared/own-projects.js";
import { texts, textsIn } from "#words/texts.js";
import { dashboardPage, dashboardWords } from "./dashboard-frame.js";
import { type BulkTyped, linkNames, type OwnProject, OwnProjects } from "./projects.js";

const path = "/dashboard/projects";
const mostAtOnce = 100;

const body = Type.Object({
  ...formFields("visibility", ...linkNames).properties,
  ...formLists("project", "clear").properties,
});

async function load(resources: Resources, viewer: SignedIn): Promise<OwnProject[]> {
  const projects = await listOwnProjects(resources, viewer);
  const ids = projects.map(({ id }) => id);
  const rights = await listProjectRights(resources.db, viewer.user, ids);
  const versions = await versionEntries(resources).load(ids);
  const changes = await listRequestedChanges(resources.db, projects);
  return projects.map((project) => ({
    project,
    needsChanges: project.status === "draft" && changes.has(project.id),
    canEdit: rights.get(project.id)?.permissions.has("edit_details") ?? false,
    lastVersion: versions.get(project.id)?.[0],
  }));
}

export const ownProjectRoutes: Route[] = [
  pageRoute(
    {
      id: "getOwnProjectsPage",
      path,
      access: needs("user_read", "project_read"),
      summary: "The user's projects",
      query: Type.Object({ done: Type.Optional(Type.String({ maxLength: 16 })) }),
    },
    async ({ request, viewer, query }, resources) => {
      const t = dashboardWords(request);
      const words = textsIn(texts.dashboard.ownProject, localeOf(request));
      const count = Number.parseInt(query.done ?? "", 10);
      const ended = { deleted: words.deleted, left: words.left }[query.done ?? ""];
      return dashboardPage({
        title: t.projects,
        done: Number.isNaN(count) ? ended : words.bulkDone(count),
        children: <OwnProjects projects={await load(resources, viewer)} />,
      });
    },
  ),

  memberFormRoute(
    {
      id: "submitOwnProjects",
      path,
      access: readable("project_read", "project_write"),
      summary: "Change links and visibility of several projects",
      body,
    },
    async ({ request, reply, viewer, actor, body: typed }, resources) => {
      const t = dashboardWords(request);
      const chosen = listOf(typed.project).slice(0, mostAtOnce);
      const failed: { id: string; failure: Failure }[] = [];
      const problems = await attempt(async () => {
        const change = toChange(typed);
        for (const ref of chosen) {
          const failure = await tryChange(resources, { params: { ref }, viewer, actor }, change);
          if (failure) failed.push({ id: ref, failure });
        }
      });
      if (!problems && chosen.length > 0 && failed.length === 0)
        return seeOther(reply, `${path}?done=${chosen.length}`);
      const projects = await load(resources, viewer);
      return dashboardPage({
        title: t.projects,
        status: problems?.status ?? (chosen.length === 0 ? 400 : 409),
        children: (
          <OwnProjects
            projects={projects}
            typed={typed}
            problems={problems}
            isNoneChosen={chosen.length === 0}
            failed={failed.map(({ id, failure }) => ({
              name: nameOf(projects, id),
              message: failure.in(localeOf(request)),
            }))}
          />
        ),
      });
    },
  ),
];

const nameOf = (projects: readonly OwnProject[], id: string): string =>
  projects.find(({ project }) => project.id === id)?.project.name ?? id;

interface Change {
  visibility?: ProjectListItem["visibility"];
  links: Static<typeof updateProjectLinks.body>;
}

/** Empty fields stay as they are in each project; fields that are ticked to be cleared are removed. */
function toChange(typed: BulkTyped): Change {
  const cleared = new Set(listOf(typed.clear));
  const given = linkNames.flatMap((name): [string, string][] => {
    const text = typed[name]?.trim() ?? "";
    if (cleared.has(name)) return [[name, ""]];
    return text === "" ? [] : [[name, text]];
  });
  const links = parse<Change["links"]>("body", updateProjectLinks.body, Object.fromEntries(given), "body");
  const visibility = typed.visibility ? { visibility: typed.visibility } : {};
  return { links, ...parse<Pick<Change, "visibility">>("body", updateProject.body, visibility, "body") };
}

/**
 * Returns the reason if it failed for this project. Problems of the form itself are thrown, because they are the same
 * for all.
 */
async function tryChange(
  resources: Resources,
  call: ProjectCall,
  { links, visibility }: Change,
): Promise<Failure | undefined> {
  const taxonomy = await getTaxonomy(resources);
  try {
    await changeProject(resources, call, "edit_details", async (tx, project) => {
      if (Object.keys(links).length > 0) await setLinks(tx, project, links as Parameters<typeof setLinks>[2]);
      if (visibility !== undefined) await editDetails(tx, project, taxonomy, { visibility });
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure) || error.issues) throw error;
    return error;
  }
}
