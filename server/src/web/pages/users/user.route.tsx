// The page of a user: profile, projects, organizations and collections.

import type { FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import { findProfile, toUser } from "#accounts/users/read.js";
import { listCollectionsOf } from "#community/collections/read.js";
import { listOrgsOfUser } from "#content/organizations/read.js";
import { listProjectIdsOfUser } from "#content/projects/read.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { userPage } from "#lib/page-urls.js";
import { placeholderId } from "#platform/db/placeholder.js";
import { fail } from "#platform/errors.js";
import { readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { Ref } from "#platform/http/schemas.js";
import type { Viewer } from "#platform/http/viewer.js";
import { movedTo, pathOf, seeOther } from "#web/context/paths.js";
import { localeOf, setupOf } from "#web/context/preferences.js";
import type { Page } from "#web/frame/layout.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { findFollowing, followAuthorBody, submitFollowAuthor } from "#web/shared/follow-author.js";
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
import { type UserPageData, UserView } from "./user.js";

const shared = {
  access: readable("user_read", "project_read", "organization_read", "collection_read"),
  query: Type.Object(projectPagesQuery),
  errors: ["userNotFound"],
} as const;
const userRef = { ref: Ref("User id or username", "ada") };

export const userPageRoutes: Route[] = [
  pageRoute(
    { ...shared, id: "getUserPage", path: "/user/:ref", summary: "A user's page", params: Type.Object(userRef) },
    ({ params, query, viewer, request, reply }, resources) =>
      show(resources, viewer, { ...params, ...query, request, reply }),
  ),
  pageRoute(
    {
      ...shared,
      id: "getUserTypePage",
      path: "/user/:ref/:types",
      summary: "A user's projects of one type",
      params: Type.Object({ ...userRef, ...typesParam }),
    },
    ({ params, query, viewer, request, reply }, resources) =>
      show(resources, viewer, { ...params, ...query, request, reply }),
  ),
  memberFormRoute(
    {
      id: "submitFollowUser",
      path: "/user/:ref/follow",
      access: readable("user_write"),
      summary: "Follow a user, or stop following them",
      params: Type.Object(userRef),
      body: followAuthorBody,
      errors: ["userNotFound", "wrongState", "limitReached"],
    },
    async ({ params, reply, ...call }, resources) => {
      const profile = await findProfile(resources.db, params.ref);
      if (!profile) throw fail.userNotFound();
      const author = { kind: "user", id: profile.id } as const;
      return seeOther(reply, await submitFollowAuthor(resources, call, author, `/user/${profile.user_name}`));
    },
  ),
];

interface Asked {
  ref: string;
  types?: string;
  page?: string;
  request: FastifyRequest;
  reply: FastifyReply;
}

async function show(resources: Resources, viewer: Viewer, { ref, request, reply, ...asked }: Asked) {
  const profile = await findProfile(resources.db, ref);
  if (!profile) throw fail.userNotFound();
  const base = `/user/${profile.user_name}`;
  const path = pathOf(request);
  // Redirects from an id or another spelling, because the page has one URL.
  if (ref !== profile.user_name)
    return movedTo(reply, `${base}${asked.types ? `/${asked.types}` : ""}${request.url.slice(path.length)}`);
  const isOwn = viewer.kind !== "anonymous" && viewer.user.id === profile.id;
  const context = { db: resources.db, viewer, cdnUrl: resources.config.http.cdnUrl };
  const ids = await listProjectIdsOfUser(resources.db, viewer, profile.id, !isOwn);
  const data: UserPageData = {
    user: toUser(profile, resources.config.http.cdnUrl),
    list: await withFits(
      resources,
      setupOf(request),
      toProjectPages(base, await listItems(resources, ids), asked, await getTaxonomy(resources)),
    ),
    organizations: await listOrgsOfUser(context, profile.id),
    collections: await listCollectionsOf(context, profile.id),
    isOwn,
    isDeleted: profile.id === placeholderId,
    following: await findFollowing(resources.db, viewer, { kind: "user", id: profile.id }, profile.followers),
  };
  return toPage(data, resources.config.http.url, localeOf(request));
}

function toPage(data: UserPageData, siteUrl: string, locale: Locale): Page {
  const { user, list, isDeleted } = data;
  const t = textsIn(texts.users.user, locale);
  const name = isDeleted ? t.deletedName : user.name;
  return {
    title: name,
    status: isPastTheEnd(list) ? 404 : undefined,
    ...(!isDeleted && {
      description: user.bio || t.description(name, list.all.length),
      image: `/og/user/${user.id}.png`,
    }),
    ...projectPagesLinks(list),
    feeds: [
      {
        href: `${list.base}/feed.atom`,
        type: "application/atom+xml",
        title: `${name}: ${textsIn(texts.users.shared, locale).feed}`,
      },
    ],
    ...(!isDeleted && {
      jsonLd: [
        {
          "@type": "ProfilePage",
          dateCreated: user.dateJoined,
          mainEntity: {
            "@type": "Person",
            name,
            alternateName: user.userName,
            identifier: user.id,
            url: userPage(siteUrl, user.userName),
            image: user.avatar,
            ...(user.bio && { description: user.bio }),
          },
        },
      ],
    }),
    content: <UserView data={data} />,
  };
}
