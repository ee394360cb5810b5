// The routes of the page in named-list.tsx.
import { listProfiles, toUser } from "#accounts/users/read.js";
import { listPublicCollections } from "#community/collections/read.js";
import { listOrgs } from "#content/organizations/read.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { countNamed, listNamedIds, type NamedKind, namedKinds, toNamedText } from "#discovery/search/named.js";
import { searchProjects } from "#discovery/search/read.js";
import { readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import { localeOf } from "#web/context/preferences.js";
import { pageRoute } from "#web/frame/page.js";
import { pageLinks } from "#web/parts/pagination.js";
import { PastTheEnd } from "#web/parts/past-the-end.js";
import { drawnPicture } from "#web/parts/picture.js";
import { texts, textsIn } from "#words/texts.js";
import { type Query, readFilters, toProjectQuery } from "./filters.js";
import { type FoundThing, NamedList, namedFormId } from "./named-list.js";

const perPage = 20;

const specs = {
  users: { id: "getUserSearchPage", access: readable("user_read") },
  organizations: { id: "getOrganizationSearchPage", access: readable("organization_read") },
  collections: { id: "getCollectionSearchPage", access: readable("collection_read") },
} as const;

export const namedListRoutes: Route[] = namedKinds.map((kind) =>
  pageRoute(
    { ...specs[kind], path: `/search/${kind}`, rate: "search", summary: `The results of a search among ${kind}` },
    async ({ viewer, request }, resources) => {
      const taxonomy = await getTaxonomy(resources);
      const { filters } = readFilters(request.query as Query, taxonomy);
      const { q, page } = filters;
      const t = textsIn(texts.browse.list, localeOf(request));
      const title = q === "" ? t.named[kind] : t.resultsFor(q);
      const path = `/search/${kind}`;
      const hrefOf = (number: number) =>
        `${path}?${new URLSearchParams({ q, ...(number > 1 && { page: String(number) }) })}`;
      const text = toNamedText(q);
      const named = text === undefined ? undefined : await countNamed(resources, text);
      const pages = Math.max(1, Math.ceil((named?.[kind] ?? 0) / perPage));
      if (page > pages) return { title, status: 404, content: <PastTheEnd lastPage={hrefOf(pages)} /> };
      const found =
        text === undefined ? [] : await listFound(resources, viewer, { kind, text, offset: (page - 1) * perPage });
      const question = { ...readFilters({ q }, taxonomy).filters, perPage: 1 };
      const { facets } = await searchProjects(resources, toProjectQuery(question, taxonomy, { countFacets: true }));
      const tabs = { q, path, types: facets?.type ?? {}, named, taxonomy };
      return {
        title,
        search: { query: q, form: namedFormId, label: t.searchNamed },
        ...pageLinks({ page, pages, hrefOf }),
        content: <NamedList {...{ kind, title, tabs, found, page, pages, hrefOf }} />,
      };
    },
  ),
);

interface Asked {
  kind: NamedKind;
  text: string;
  offset: number;
}

async function listFound(resources: Resources, viewer: Viewer, { kind, text, offset }: Asked): Promise<FoundThing[]> {
  const { db, config } = resources;
  const { cdnUrl } = config.http;
  const ids = await listNamedIds(resources, kind, text, { limit: perPage, offset });
  if (kind === "users")
    return (await listProfiles(db, ids)).map((row) => {
      const { userName, name, bio, avatar } = toUser(row, cdnUrl);
      return { href: `/user/${userName}`, name, aside: `@${userName}`, text: bio, picture: avatar };
    });
  if (kind === "organizations")
    return (await listOrgs({ db, viewer, cdnUrl }, ids)).map(({ slug, name, description, icon }) => ({
      href: `/organization/${slug}`,
      name,
      aside: undefined,
      text: description,
      picture: icon,
    }));
  const collections = await listPublicCollections({ db, viewer, cdnUrl }, ids);
  const curators = await listProfiles(db, [...new Set(collections.map(({ userId }) => userId))]);
  const nameOf = new Map(curators.map(({ id, name, user_name }) => [id, name ?? user_name]));
  return collections.map(({ id, userId, name, description, icon, projects }) => ({
    href: `/collection/${id}`,
    name,
    aside: { by: nameOf.get(userId) ?? "" },
    text: description,
    picture: icon ?? drawnPicture("collection", id),
    projects: projects.length,
  }));
}
