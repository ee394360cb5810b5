// All files of a download page as one archive, or as a pack that names them.
import { sendBundle } from "#content/bundles/send-bundle.js";
import { projectRef } from "#content/projects/contract.js";
import { bundlePlan } from "#content/resolve/bundled-files.js";
import { exportPlan } from "#content/resolve/export-plan.js";
import { projectPage } from "#lib/page-urls.js";
import { fail } from "#platform/errors.js";
import { endpoint, type Route, route } from "#platform/http/endpoint.js";
import { movedTo } from "#web/context/paths.js";
import { setupOf } from "#web/context/preferences.js";
import { readPackQuery } from "#web/shared/pack-offer.js";
import { canonicalUrl, getProjectView } from "#web/shared/project-view.js";
import type { Query } from "#web/shared/version-filter.js";
import { say } from "#words/said.js";
import { findPlan, readDownloadChoice } from "./download-plan.js";
import { readsProject } from "./project-page.js";

const getDownloadArchive = endpoint({
  id: "getDownloadArchive",
  method: "GET",
  path: "/project/:ref/download.zip",
  access: readsProject,
  rate: "bulk",
  tag: "Website",
  summary: "A version of a project with all its dependencies, as one archive or pack",
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
  const query = request.query as Query;
  const choice = readDownloadChoice(view, query, setupOf(request));
  if (!choice.match) throw fail.versionNotFound();
  const plan = await findPlan(resources, viewer, view, choice);
  if (!plan?.resolved) throw fail.wrongState(say.states.planIncomplete);
  const bundled = await bundlePlan(resources, plan);
  const root = bundled.files.find(({ projectId }) => projectId === entry.id)!;
  const { gameVersion, loader, channel } = choice;
  const fileName = `${entry.slug}-${root.versionNumber}`;
  const url = projectPage(resources.config.http.url, entry.slug);
  const pack = readPackQuery(query);
  if (pack)
    return exportPlan(call, resources, {
      ...{ ...pack, taxonomy: view.taxonomy, plan: bundled, gameVersion, loaders: loader ? [loader] : [] },
      ...{ fileName, name: view.project.name, version: root.versionNumber, origin: url },
    });
  return sendBundle(call, resources, {
    ...bundled,
    name: fileName,
    about: {
      project: { id: entry.id, slug: entry.slug, name: view.project.name, url },
      gameVersion: gameVersion || null,
      loader: loader || null,
      releaseChannel: channel,
    },
  });
});
