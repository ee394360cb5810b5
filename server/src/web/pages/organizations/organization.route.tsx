// The page of an organization, and the answer to an invitation on it.

import type { FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import { getOrg, listOrgs } from "#content/organizations/read.js";
import { wasPublic } from "#content/projects/missing.js";
import { listProjectIdsOfOrg } from "#content/projects/read.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { answerInvite } from "#content/teams/answer-invitation.js";
import { organizationPage } from "#lib/page-urls.js";
import { write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import { readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { Ref } from "#platform/http/schemas.js";
import type { Viewer } from "#platform/http/viewer.js";
import { formFields } from "#web/context/form.js";
import { movedTo, pathOf, seeOther } from "#web/context/paths.js";
import { localeOf, setupOf } from "#web/context/preferences.js";
import type { Page } from "#web/frame/layout.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { explainMissing } from "#web/shared/explain-missing.js";
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
import { type OrgPageData, OrgView } from "./organization.js";

const shared = {
  access: readable("organization_read", "project_read"),
  query: Type.Object(projectPagesQuery),
  errors: ["organizationNotFound", "organizationGone"],
} as const;
const orgRef = { ref: Ref("Organization id or slug") };

export const organizationPageRoutes: Route[] = [
  pageRoute(
    {
      ...shared,
      id: "getOrganizationPage",
      path: "/organization/:ref",
      summary: "An organization's page",
      params: Type.Object(orgRef),
    },
    ({ params, query, viewer, request, reply }, resources) =>
      show(resources, viewer, { ...params, ...query, request, reply }),
  ),
  pageRoute(
    {
      ...shared,
      id: "getOrganizationTypePage",
      path: "/organization/:ref/:types",
      summary: "An organization's projects of one type",
      params: Type.Object({ ...orgRef, ...typesParam }),
    },
    ({ params, query, viewer, request, reply }, resources) =>
      show(resources, viewer, { ...params, ...query, request, reply }),
  ),
  memberFormRoute(
    {
      id: "answerOrganizationInvitation",
      path: "/organization/:ref/invitation",
      access: readable("organization_write"),
      summary: "Accept or decline an invitation to an organization",
      params: Type.Object(orgRef),
      body: formFields("answer"),
      errors: ["organizationNotFound", "inviteNotFound"],
    },
    async ({ params, body, viewer, actor, reply }, resources) => {
      const org = await getOrg(resources.db, params.ref);
      await write(resources, actor, (tx) => answerInvite(tx, viewer, org.team_id, body.answer === "accept"));
      return seeOther(reply, `/organization/${org.slug}`);
    },
  ),
  memberFormRoute(
    {
      id: "submitFollowOrganization",
      path: "/organization/:ref/follow",
      access: readable("user_write"),
      summary: "Follow an organization, or stop following it",
      params: Type.Object(orgRef),
      body: followAuthorBody,
      errors: ["organizationNotFound", "limitReached"],
    },
    async ({ params, reply, ...call }, resources) => {
      const { id, slug } = await getOrg(resources.db, params.ref);
      const author = { kind: "organization", id } as const;
      return seeOther(reply, await submitFollowAuthor(resources, call, author, `/organization/${slug}`));
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
  const { db } = resources;
  const row = await explainMissing(
    "organizationNotFound",
    () => getOrg(db, ref),
    // An organization that was public is reported as gone.
    async () => {
      const isGone = await wasPublic(db, { kind: "organization", scope: "", name: ref });
      return isGone ? fail.organizationGone() : undefined;
    },
  );
  const base = `/organization/${row.slug}`;
  if (ref !== row.slug) {
    const query = request.url.slice(pathOf(request).length);
    return movedTo(reply, `${base}${asked.types ? `/${asked.types}` : ""}${query}`);
  }
  const context = { db: resources.db, viewer, cdnUrl: resources.config.http.cdnUrl };
  const [org] = await listOrgs(context, [row.id]);
  if (!org) throw fail.organizationNotFound();
  const own = org.members.find(({ userId }) => viewer.kind !== "anonymous" && userId === viewer.user.id);
  const isMember = own?.accepted === true;
  const ids = await listProjectIdsOfOrg(resources.db, viewer, row.id, !isMember);
  const data: OrgPageData = {
    org,
    members: org.members,
    list: await withFits(
      resources,
      setupOf(request),
      toProjectPages(base, await listItems(resources, ids), asked, await getTaxonomy(resources)),
    ),
    isInvited: own?.accepted === false,
    following: await findFollowing(db, viewer, { kind: "organization", id: row.id }, row.followers),
    canManage: isMember || (viewer.kind !== "anonymous" && viewer.user.role === "admin"),
  };
  return toPage(data, resources.config.http.url, localeOf(request));
}

function toPage(data: OrgPageData, siteUrl: string, locale: Locale): Page {
  const { org, list, members } = data;
  const t = textsIn(texts.organizations.organization, locale);
  return {
    title: org.name,
    status: isPastTheEnd(list) ? 404 : undefined,
    description: org.description || t.description(org.name, list.all.length),
    image: `/og/organization/${org.id}.png`,
    ...projectPagesLinks(list),
    feeds: [
      {
        href: `${list.base}/feed.atom`,
        type: "application/atom+xml",
        title: `${org.name}: ${textsIn(texts.users.shared, locale).feed}`,
      },
    ],
    jsonLd: [
      {
        "@type": "Organization",
        name: org.name,
        url: organizationPage(siteUrl, org.slug),
        logo: org.icon,
        ...(org.description && { description: org.description }),
        member: members
          .filter(({ accepted }) => accepted)
          .map(({ userName }) => ({ "@type": "Person", name: userName, url: `${siteUrl}/user/${userName}` })),
      },
    ],
    content: <OrgView data={data} />,
  };
}
