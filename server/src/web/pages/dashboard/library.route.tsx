// The routes of the page in library.tsx.
import { listFollows } from "#community/follows/read.js";
import { unfollowProject } from "#community/follows/write.js";
import { listVisibleProjects } from "#content/projects/read.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { versionEntries } from "#content/versions/entries.js";
import { write } from "#platform/changes/write.js";
import { Failure } from "#platform/errors.js";
import { needs, readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { hasSetup, type Setup, setupOf } from "#web/context/preferences.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { fitsSetup, setupFor } from "#web/shared/fits.js";
import { downloadPath } from "#web/shared/version-paths.js";
import { dashboardPage, dashboardWords } from "./dashboard-frame.js";
import { libraryPath as path } from "./followed-authors.js";
import { type Followed, Library } from "./library.js";

async function load(resources: Resources, viewer: SignedIn, setup: Setup): Promise<Followed[]> {
  const follows = await listFollows(resources.db, viewer);
  const ids = follows.map(({ projectId }) => projectId);
  const entries = new Map((await listVisibleProjects(resources, viewer, ids)).map((entry) => [entry.id, entry]));
  const taxonomy = await getTaxonomy(resources);
  const versions = hasSetup(setup) ? await versionEntries(resources).load(ids) : undefined;
  const followed = follows.flatMap((follow): Followed[] => {
    const project = entries.get(follow.projectId)?.listItem.value;
    if (!project) return [];
    const mine = setupFor(setup, taxonomy, project.type);
    const best = versions?.get(project.id)?.find((version) => !version.yanked && fitsSetup(version, mine));
    const newest = best && {
      number: best.versionNumber,
      href: downloadPath(project.slug, best),
      date: best.datePublished,
    };
    return [{ follow, project, newest: hasSetup(setup) ? (newest ?? null) : undefined }];
  });
  return followed.sort((a, b) => b.project.dateUpdated.localeCompare(a.project.dateUpdated));
}

export const libraryRoutes: Route[] = [
  pageRoute(
    {
      id: "getLibraryPage",
      path,
      access: needs("user_read", "project_read"),
      summary: "The followed projects",
    },
    async ({ request, viewer }, resources) =>
      dashboardPage({
        title: dashboardWords(request).library,
        children: <Library followed={await load(resources, viewer, setupOf(request))} />,
      }),
  ),

  memberFormRoute(
    {
      id: "submitLibraryUnfollow",
      path,
      access: readable("user_write"),
      summary: "Stop following a project",
      body: formFields("projectId"),
      errors: ["projectNotFound"],
    },
    async ({ reply, viewer, actor, body }, resources) => {
      try {
        await write(resources, actor, (tx) => unfollowProject(tx, viewer, body.projectId ?? ""));
      } catch (error) {
        // Sent twice or in another tab: the project is no longer followed, as requested.
        if (!(error instanceof Failure) || error.code !== "notFollowing") throw error;
      }
      return seeOther(reply, path);
    },
  ),
];
