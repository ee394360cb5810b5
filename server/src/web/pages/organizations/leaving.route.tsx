// Transferring an organization to another member, and leaving one.

import Type from "typebox";
import { isFresh } from "#accounts/users/policy.js";
import { allowOwner } from "#content/members/rights.js";
import { leaveTeam } from "#content/teams/invitations.js";
import { offerOwnership } from "#content/teams/ownership.js";
import { write } from "#platform/changes/write.js";
import { needs, readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { Ref } from "#platform/http/schemas.js";
import { attempt, type FormProblems, formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import type { Page } from "#web/frame/layout.js";
import { narrowPage } from "#web/frame/narrow-page.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { ConfirmForm } from "#web/parts/confirm-form.js";
import { FreshNeeded } from "#web/parts/fresh-needed.js";
import { SelectField } from "#web/parts/input-fields.js";
import { Notice } from "#web/parts/notice.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { confirmed } from "./general.route.js";
import { getManaged, type Managed } from "./settings-frame.js";

const params = Type.Object({ ref: Ref("Organization id or slug") });
const reading = {
  params,
  access: needs("organization_read"),
  errors: ["organizationNotFound", "permissionMissing"],
} as const;
const writing = { ...reading, access: readable("organization_read", "organization_write") } as const;

export const orgLeavingRoutes: Route[] = [
  pageRoute(
    {
      ...reading,
      id: "getOrganizationTransferPage",
      path: "/organization/:ref/settings/members/transfer",
      summary: "The form to transfer an organization",
    },
    async ({ params: { ref }, viewer, request }, resources) => {
      const managed = await getManaged(resources, viewer, ref);
      allowOwner(managed.rights);
      return transferPage(managed, localeOf(request), isFresh(viewer, resources.clock.now()));
    },
  ),
  memberFormRoute(
    {
      ...writing,
      id: "submitOrganizationTransfer",
      once: true,
      path: "/organization/:ref/settings/members/transfer",
      summary: "Offer an organization to another member",
      body: formFields("userId", "confirm"),
    },
    async ({ params: { ref }, body, viewer, actor, request, reply }, resources) => {
      const managed = await getManaged(resources, viewer, ref);
      allowOwner(managed.rights);
      const locale = localeOf(request);
      if (!isFresh(viewer, resources.clock.now())) return { ...transferPage(managed, locale, false), status: 403 };
      const problems = await attempt(
        async () => {
          confirmed(body.confirm, managed.org.slug, locale);
          await write(resources, actor, (tx) => offerOwnership(tx, viewer, managed.org.teamId, body.userId ?? ""));
        },
        { memberNotFound: "userId", alreadyOwner: "userId" },
      );
      return problems
        ? transferPage(managed, locale, true, problems, body.userId)
        : seeOther(reply, `${managed.path}/members`);
    },
  ),
  pageRoute(
    {
      ...reading,
      id: "getOrganizationLeavePage",
      path: "/organization/:ref/settings/leave",
      summary: "Ask for confirmation before a member leaves an organization",
    },
    async ({ params: { ref }, viewer, request }, resources) => {
      const { org, path } = await getManaged(resources, viewer, ref);
      const t = textsIn(texts.organizations.members, localeOf(request));
      return narrowPage(
        { title: t.leaveTitle(org.name), lead: t.leaveLead },
        <ConfirmForm action={`${path}/leave`} button={t.leave} back={`${path}/members`} />,
      );
    },
  ),
  memberFormRoute(
    {
      ...writing,
      id: "submitOrganizationLeave",
      once: true,
      path: "/organization/:ref/settings/leave",
      summary: "Leave an organization",
    },
    async ({ params: { ref }, viewer, actor, reply }, resources) => {
      const { org } = await getManaged(resources, viewer, ref);
      await write(resources, actor, (tx) => leaveTeam(tx, viewer, org.teamId));
      return seeOther(reply, `/organization/${org.slug}`);
    },
  ),
];

function transferPage(
  managed: Managed,
  locale: Locale,
  fresh: boolean,
  problems?: FormProblems,
  chosen?: string,
): Page {
  const { org, path } = managed;
  const t = textsIn(texts.organizations.members, locale);
  const heirs = org.members.filter(({ isOwner, accepted }) => accepted && !isOwner);
  const back = `${path}/members`;
  if (!fresh)
    return narrowPage({ title: t.transferTitle, lead: t.transferLead }, <FreshNeeded next={`${back}/transfer`} />);
  return narrowPage(
    { title: t.transferTitle, lead: t.transferLead, status: problems?.status },
    heirs.length === 0 ? (
      <Notice title={t.transferNone}>
        <p>
          <a href={back}>{t.members}</a>
        </p>
      </Notice>
    ) : (
      <ConfirmForm
        action={`${path}/members/transfer`}
        button={t.transferButton}
        back={back}
        word={org.slug}
        problems={problems}
      >
        <SelectField
          name="userId"
          label={t.transferTo}
          value={chosen}
          options={heirs.map(({ userId, userName }) => ({ value: userId, text: userName }))}
          problems={problems}
        />
      </ConfirmForm>
    ),
  );
}
