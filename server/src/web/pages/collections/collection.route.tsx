// The page of a collection.

import type { FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import { findProfile } from "#accounts/users/read.js";
import { canEditCollection, followsId } from "#community/collections/policy.js";
import { countProjectsIn, getCollection } from "#community/collections/read.js";
import type { ProjectListItem } from "#content/shapes/project.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { versionEntries } from "#content/versions/entries.js";
import { collectionPage, userPage } from "#lib/page-urls.js";
import { listFeaturedIds } from "#operations/administration/featured-collections.js";
import { fail } from "#platform/errors.js";
import { readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { Ref } from "#platform/http/schemas.js";
import type { Viewer } from "#platform/http/viewer.js";
import { seeOther } from "#web/context/paths.js";
import { hasSetup, localeOf, type Setup, setupOf } from "#web/context/preferences.js";
import { projectPath } from "#web/context/project-path.js";
import type { Page } from "#web/frame/layout.js";
import { pageRoute } from "#web/frame/page.js";
import { toBreadcrumbs } from "#web/parts/json-ld.js";
import { fitsSetup, setupFor } from "#web/shared/fits.js";
import {
  isPastTheEnd,
  listItems,
  projectPagesLinks,
  projectPagesQuery,
  toProjectPages,
  typesParam,
  withFits,
} from "#web/shared/projects-by-type.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { type CollectionPageData, CollectionView } from "./collection.js";

const shared = {
  access: readable("collection_read", "project_read"),
  query: Type.Object({ ...projectPagesQuery, setup: Type.Optional(Type.String({ maxLength: 16 })) }),
  errors: ["collectionNotFound"],
} as const;
const collectionRef = { id: Ref("Collection id") };

export const collectionPageRoutes: Route[] = [
  pageRoute(
    {
      ...shared,
      id: "getCollectionPage",
      path: "/collection/:id",
      summary: "A collection's page",
      params: Type.Object(collectionRef),
    },
    ({ params, query, viewer, request, reply }, resources) =>
      show(resources, viewer, { ...params, ...query, request, reply }),
  ),
  pageRoute(
    {
      ...shared,
      id: "getCollectionTypePage",
      path: "/collection/:id/:types",
      summary: "A collection's projects of one type",
      params: Type.Object({ ...collectionRef, ...typesParam }),
    },
    ({ params, query, viewer, request, reply }, resources) =>
      show(resources, viewer, { ...params, ...query, request, reply }),
  ),
];

interface Asked {
  id: string;
  types?: string;
  page?: string;
  setup?: string;
  request: FastifyRequest;
  reply: FastifyReply;
}

async function show(resources: Resources, viewer: Viewer, { id, request, reply, ...asked }: Asked) {
  // The followed projects are a collection too; its page is the library.
  if (id === followsId && viewer.kind !== "anonymous") return seeOther(reply, "/dashboard/library");
  const { db, config } = resources;
  const collection = await getCollection({ db, viewer, cdnUrl: config.http.cdnUrl }, id);
  const curator = await findProfile(db, collection.userId);
  if (!curator) throw fail.collectionNotFound();
  const base = `/collection/${collection.id}`;
  const setup = setupOf(request);
  const isFiltered = asked.setup === "on" && hasSetup(setup);
  const items = await listItems(resources, collection.projects);
  const data: CollectionPageData = {
    collection,
    curator: { userName: curator.user_name, name: curator.name ?? curator.user_name },
    list: await withFits(resources, setup, {
      ...toProjectPages(
        base,
        isFiltered ? await listFitting(resources, items, setup) : items,
        asked,
        await getTaxonomy(resources),
      ),
      ...(isFiltered && { query: "setup=on" }),
    }),
    hidden: (await countProjectsIn(db, collection.id)) - items.length,
    isFiltered,
    isFeatured: (await listFeaturedIds(resources)).includes(collection.id),
    canEdit: viewer.kind !== "anonymous" && canEditCollection(viewer, { user_id: collection.userId }),
  };
  return toPage(data, config.http.url, localeOf(request));
}

/** Projects with one version that fits the whole set-up; two versions that fit a part each are of no use. */
async function listFitting(resources: Resources, items: ProjectListItem[], setup: Setup): Promise<ProjectListItem[]> {
  const versions = await versionEntries(resources).load(items.map(({ id }) => id));
  const taxonomy = await getTaxonomy(resources);
  return items.filter(({ id, type }) => {
    const mine = setupFor(setup, taxonomy, type);
    return versions.get(id)?.some((version) => !version.yanked && fitsSetup(version, mine));
  });
}

function toPage(data: CollectionPageData, siteUrl: string, locale: Locale): Page {
  const { collection, curator, list } = data;
  const t = textsIn(texts.collections.collection, locale);
  const description = collection.description || t.description(collection.name, curator.name, list.all.length);
  return {
    title: collection.name,
    status: isPastTheEnd(list) ? 404 : undefined,
    ...(collection.visibility === "public" && { description }),
    image: `/og/collection/${collection.id}.png`,
    ...projectPagesLinks(list),
    feeds: [
      {
        href: `${list.base}/feed.atom`,
        type: "application/atom+xml",
        title: `${collection.name}: ${textsIn(texts.users.shared, locale).feed}`,
      },
    ],
    jsonLd: [
      {
        "@type": "CollectionPage",
        name: collection.name,
        url: collectionPage(siteUrl, collection.id),
        dateModified: collection.dateUpdated,
        author: { "@type": "Person", name: curator.name, url: userPage(siteUrl, curator.userName) },
        hasPart: list.shown.map(({ name, slug }) => ({
          "@type": "SoftwareApplication",
          name,
          url: siteUrl + projectPath(slug),
        })),
      },
      toBreadcrumbs(siteUrl, [
        [curator.name, `/user/${curator.userName}`],
        [collection.name, list.base],
      ]),
    ],
    content: <CollectionView data={data} />,
  };
}
