// All files of a download page as one archive.

import { type BundledFile, sendBundle } from "#content/bundles/send-bundle.js";
import { projectRef } from "#content/projects/contract.js";
import { projectEntries } from "#content/projects/entries.js";
import type { Plan } from "#content/resolve/shapes.js";
import { versionEntries } from "#content/versions/entries.js";
import { projectPage } from "#lib/page-urls.js";
import { fail } from "#platform/errors.js";
import { endpoint, type Route, route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { movedTo } from "#web/paths.js";
import { setupOf } from "#web/preferences.js";
import { say } from "#words/said.js";
import { findPlan, readWish } from "./download-plan.js";
import { readsProject } from "./project-page.js";
import { canonicalUrl, getProjectView } from "./project-view.js";
import type { Query } from "./version-filter.js";

const getDownloadArchive = endpoint({
  id: "getDownloadArchive",
  method: "GET",
  path: "/project/:ref/download.zip",
  access: readsProject,
  rate: "bulk",
  tag: "Website",
  summary: "A version of a project with everything it needs, as one archive",
  params: projectRef,
  answer: { raw: "application/zip", description: "The files as they are, and manifest.json with their hashes" },
  errors: ["projectNotFound", "versionNotFound", "wrongState"],
  internal: true,
});

export const downloadZipRoute: Route = route(getDownloadArchive, async (call, resources) => {
  const { request, reply, viewer, params } = call;
  const view = await getProjectView(resources, viewer, params.ref);
  const { entry } = view;
  if (params.ref !== entry.slug) return movedTo(reply, canonicalUrl(request, entry.slug));
  const wish = readWish(view, request.query as Query, setupOf(request));
  if (!wish.match) throw fail.versionNotFound();
  const plan = await findPlan(resources, viewer, view, wish);
  if (!plan?.resolved) throw fail.wrongState(say.states.planIncomplete);
  const files = await toBundledFiles(resources, plan);
  const root = files.find(({ projectId }) => projectId === entry.id)!;
  const { gameVersion, loader, channel } = wish;
  return sendBundle(call, resources, {
    name: `${entry.slug}-${root.versionNumber}`,
    about: {
      project: {
        id: entry.id,
        slug: entry.slug,
        name: view.project.name,
        url: projectPage(resources.config.http.url, entry.slug),
      },
      gameVersion: gameVersion || null,
      loader: loader || null,
      releaseChannel: channel,
    },
    files,
    isPublic: await arePublic(resources, files),
  });
});

/** In the order of the plan. What was deleted since it was made is a reason to begin anew. */
export async function toBundledFiles(resources: Resources, plan: Plan): Promise<BundledFile[]> {
  const versions = await versionEntries(resources).load(plan.files.map(({ project }) => project.id));
  return plan.files.map(({ project, version, file: { url } }) => {
    const entry = versions.get(project.id)?.find(({ id }) => id === version.id);
    const file = entry?.files[0];
    if (!entry || !file) throw fail.versionNotFound();
    return {
      projectId: project.id,
      projectSlug: project.slug,
      projectName: project.name,
      versionId: entry.id,
      versionNumber: entry.versionNumber,
      datePublished: entry.datePublished,
      file,
      url,
    };
  });
}

export async function arePublic(resources: Resources, files: readonly BundledFile[]): Promise<boolean> {
  const projects = await projectEntries(resources).load(files.map(({ projectId }) => projectId));
  return files.every(({ projectId }) => projects.get(projectId)?.isPublic ?? false);
}
