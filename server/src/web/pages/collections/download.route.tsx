// Downloading a collection: choose a set-up, see the files for it, and get them as one archive or pack.

import Type from "typebox";
import { getFollowedCollection, getFollower } from "#community/collections/followed.js";
import { followsId } from "#community/collections/policy.js";
import { getCollection } from "#community/collections/read.js";
import { toArchiveName } from "#content/bundles/entry-names.js";
import { sendBundle } from "#content/bundles/send-bundle.js";
import { bundlePlan } from "#content/resolve/bundled-files.js";
import { exportPlan } from "#content/resolve/export-plan.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { collectionPage } from "#lib/page-urls.js";
import { fail } from "#platform/errors.js";
import { readable } from "#platform/http/access.js";
import { endpoint, type Route, route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { Ref } from "#platform/http/schemas.js";
import type { Viewer } from "#platform/http/viewer.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf, type Setup, setupOf } from "#web/context/preferences.js";
import { pageRoute } from "#web/frame/page.js";
import { findPackOffer, readPackQuery } from "#web/shared/pack-offer.js";
import { listItems } from "#web/shared/projects-by-type.js";
import type { Query } from "#web/shared/version-filter.js";
import { say } from "#words/said.js";
import { texts, textsIn } from "#words/texts.js";
import { DownloadView } from "./download.js";
import { isPlaced, loadersOf, planCollection, readCollectionWish, readContents } from "./plan.js";

const shared = {
  access: readable("collection_read", "project_read", "version_read"),
  rate: "bulk",
  params: Type.Object({ id: Ref("Collection id") }),
} as const;

const getCollectionArchive = endpoint({
  ...shared,
  id: "getCollectionArchive",
  method: "GET",
  path: "/collection/:id/download.zip",
  tag: "Website",
  summary: "The fitting files of a collection with their dependencies, as one archive or pack",
  answer: { raw: "application/zip", description: "The files as they are, and manifest.json with their hashes" },
  errors: ["collectionNotFound", "versionNotFound", "wrongState"],
  internal: true,
});

export const collectionDownloadRoutes: Route[] = [
  pageRoute(
    {
      ...shared,
      id: "getCollectionDownloadPage",
      path: "/collection/:id/download",
      summary: "The files of a collection that fit a set-up, with their dependencies",
      errors: ["collectionNotFound"],
    },
    async ({ params, viewer, request }, resources) => {
      const found = await read(resources, viewer, params.id, request.query as Query, setupOf(request));
      const t = textsIn(texts.collections.collection, localeOf(request));
      const { planned, taxonomy, choice } = found;
      const place = { gameVersion: choice.gameVersion, loaders: loadersOf(choice) };
      const packs = planned?.plan && (await findPackOffer(resources, taxonomy, planned.plan, place));
      return { title: t.take.title(found.collection.name), content: <DownloadView {...found} packs={packs} /> };
    },
  ),

  route(getCollectionArchive, async (call, resources) => {
    const { params, viewer, request, reply } = call;
    const query = request.query as Query;
    const found = await read(resources, viewer, params.id, query, setupOf(request));
    const { collection, choice, planned, taxonomy } = found;
    if (!planned) return seeOther(reply, `/collection/${collection.id}/download`);
    if (!planned.plan) throw fail.wrongState(say.states.planEmpty);
    const plan = await bundlePlan(resources, planned.plan);
    const isPrivate = collection.visibility !== "public";
    const { gameVersion, channel } = choice;
    const loaders = loadersOf(choice);
    const fileName = toArchiveName(collection.name) || `collection-${collection.id}`;
    const url = collectionPage(resources.config.http.url, collection.id);
    const leftOut = planned.leftOut.map(({ project: { id, slug, name } }) => ({ id, slug, name }));
    const pack = readPackQuery(query);
    if (pack)
      return exportPlan(call, resources, {
        ...{ ...pack, taxonomy, plan, gameVersion, loaders, fileName, name: collection.name },
        ...{ origin: url, leftOut: leftOut.map(({ name }) => name), isPrivate },
      });
    return sendBundle(call, resources, {
      files: plan.files,
      isPublic: plan.isPublic && !isPrivate,
      name: fileName,
      about: {
        collection: { id: collection.id, name: collection.name, url },
        gameVersion: gameVersion || null,
        // The first one for programs that know no others.
        ...{ loader: loaders[0] ?? null, loaders },
        releaseChannel: channel,
        leftOut,
      },
    });
  }),
];

async function read(resources: Resources, viewer: Viewer, id: string, query: Query, setup: Setup) {
  const { db, config } = resources;
  // The followed projects are a collection too: the library links here.
  const collection =
    id === followsId
      ? await getFollowedCollection(db, getFollower(viewer))
      : await getCollection({ db, viewer, cdnUrl: config.http.cdnUrl }, id);
  const contents = await readContents(resources, await listItems(resources, collection.projects));
  const taxonomy = await getTaxonomy(resources);
  const choice = readCollectionWish(contents, query, setup, taxonomy);
  const planned = isPlaced(choice) ? await planCollection(resources, viewer, contents, choice) : undefined;
  return { collection, contents, taxonomy, choice, planned };
}
