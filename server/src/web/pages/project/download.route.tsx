// The routes of the page in download.tsx.
import { setupOf } from "#web/context/preferences.js";
import { findPackOffer } from "#web/shared/pack-offer.js";
import { texts, textsIn } from "#words/texts.js";
import { Download } from "./download.js";
import { findPlan, readDownloadChoice } from "./download-plan.js";
import { toHandOver } from "./launchers.js";
import { listNamedDependencies } from "./named-dependencies.js";
import { projectPageRoute } from "./project-page.js";

export const downloadRoute = projectPageRoute(
  {
    id: "getDownloadPage",
    below: "/download",
    summary: "The files of a project that fit what somebody plays with, and what they need",
    rate: "bulk",
  },
  async (view, { query, viewer, request, locale }, resources) => {
    const choice = readDownloadChoice(view, query, setupOf(request));
    const plan = await findPlan(resources, viewer, view, choice);
    const named = choice.match ? await listNamedDependencies(resources, viewer, choice.match) : [];
    const planned = plan?.files.find(({ project }) => project.id === view.entry.id);
    // Programs have no session, and should not install what its author has withdrawn.
    const handOver =
      planned && view.entry.isPublic && !choice.pinned?.yanked
        ? toHandOver({
            ...{ planned, place: choice, types: view.project.type, taxonomy: view.taxonomy, siteUrl: view.siteUrl },
            launchers: resources.config.launchers,
          })
        : undefined;
    const place = { gameVersion: choice.gameVersion, loaders: choice.loader ? [choice.loader] : [] };
    const packs = plan?.resolved ? await findPackOffer(resources, view.taxonomy, plan, place) : undefined;
    const conflicts = named.filter(({ type }) => type === "incompatible");
    return {
      title: textsIn(texts.project.download, locale).title,
      side: null,
      isUnindexed: true,
      content: <Download {...{ view, choice, plan, conflicts, handOver, packs }} />,
    };
  },
);
