// The members of an organization: inviting, changing, removing.

import Type from "typebox";
import { editMember as edition } from "#content/teams/contract.js";
import { editMember, type MemberEdit, removeMember } from "#content/teams/members.js";
import { write } from "#platform/changes/write.js";
import { needs, readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { Ref } from "#platform/http/schemas.js";
import { parse } from "#platform/http/validation.js";
import { attempt, type FormProblems, formFields, formLists } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import type { Page } from "#web/frame/layout.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { inviteFields, inviteFromPage } from "#web/shared/inviting.js";
import { loadWaiting } from "#web/shared/waiting.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { OrgMembers } from "./members.js";
import { type Granted, readGranted } from "./permission-ticks.js";
import { type RoleName, roleRights } from "./roles.js";
import { getManaged, type Managed } from "./settings-frame.js";

const org = { ref: Ref("Organization id or slug") };
const member = { ...org, memberId: Ref("Id of the member's entry") };
const errors = ["organizationNotFound", "permissionMissing", "memberNotFound"] as const;
const writing = { access: readable("organization_read", "organization_write"), errors } as const;
const ticks = formLists("project", "org").properties;

export const orgMemberRoutes: Route[] = [
  pageRoute(
    {
      id: "getOrganizationMembersPage",
      path: "/organization/:ref/settings/members",
      access: needs("organization_read"),
      summary: "The members of an organization",
      params: Type.Object(org),
      errors,
    },
    async ({ params, viewer, request }, resources) =>
      membersPage(resources, await getManaged(resources, viewer, params.ref), localeOf(request)),
  ),
  memberFormRoute(
    {
      ...writing,
      id: "inviteToOrganization",
      once: true,
      path: "/organization/:ref/settings/members",
      summary: "Invite a user to an organization",
      params: Type.Object(org),
      body: Type.Object({ ...formFields("userName", "role").properties, ...ticks }),
    },
    async ({ params, body, viewer, actor, request, reply }, resources) => {
      const managed = await getManaged(resources, viewer, params.ref);
      const locale = localeOf(request);
      const { userName = "", role = "viewer" } = body;
      const ticked = readGranted(body);
      const granted =
        role in roleRights ? roleRights[role as RoleName] : role === "custom" ? ticked : roleRights.viewer;
      const problems = await attempt(() => {
        // Members who may only invite cannot give permissions; the entry stays as the invitation creates it.
        const gives = managed.rights.isOwner || granted.project.length + granted.org.length > 0;
        const title =
          role in roleRights ? textsIn(texts.organizations.permissions, locale).roles[role as RoleName] : "Member";
        const edit = { role: title, permissions: granted.project, organisationPermissions: granted.org };
        const call = { viewer, actor, locale };
        return inviteFromPage(resources, call, managed.org.teamId, userName, gives ? edit : undefined);
      }, inviteFields);
      return problems
        ? membersPage(resources, managed, locale, { invite: { userName, role, granted: ticked }, problems })
        : seeOther(reply, `${managed.path}/members`);
    },
  ),
  memberFormRoute(
    {
      ...writing,
      id: "submitOrganizationMember",
      path: "/organization/:ref/settings/members/:memberId",
      summary: "Change a member's title and permissions",
      params: Type.Object(member),
      body: Type.Object({ ...formFields("title").properties, ...ticks }),
    },
    async ({ params: { ref, memberId }, body, viewer, actor, request, reply }, resources) => {
      const managed = await getManaged(resources, viewer, ref);
      const { title = "" } = body;
      const granted = readGranted(body);
      const problems = await attempt(async () => {
        const given = { role: title, permissions: granted.project, organisationPermissions: granted.org };
        const edit = parse<MemberEdit>("body", edition.body, given, "form");
        await write(resources, actor, (tx) => editMember(tx, viewer, managed.org.teamId, memberId, edit));
      });
      return problems
        ? membersPage(resources, managed, localeOf(request), { edited: { memberId, title, granted, problems } })
        : seeOther(reply, `${managed.path}/members`);
    },
  ),
  memberFormRoute(
    {
      ...writing,
      id: "removeFromOrganization",
      path: "/organization/:ref/settings/members/:memberId/remove",
      summary: "Remove a member, or withdraw an invitation",
      params: Type.Object(member),
    },
    async ({ params: { ref, memberId }, viewer, actor, reply }, resources) => {
      const { org: found, path } = await getManaged(resources, viewer, ref);
      await write(resources, actor, (tx) => removeMember(tx, viewer, found.teamId, memberId));
      return seeOther(reply, `${path}/members`);
    },
  ),
];

interface Tried {
  invite?: { userName: string; role: string; granted: Granted };
  problems?: FormProblems;
  edited?: { memberId: string; title: string; granted: Granted; problems: FormProblems };
}

async function membersPage(
  resources: Resources,
  managed: Managed,
  locale: Locale,
  { invite: given, problems, edited }: Tried = {},
): Promise<Page> {
  const t = textsIn(texts.organizations.settings, locale);
  const waiting = await loadWaiting(resources, managed.org.teamId, `${managed.path}/members`);
  return {
    title: `${t.members} · ${managed.org.name}`,
    status: (problems ?? edited?.problems)?.status,
    scripts: ["suggest"],
    content: (
      <OrgMembers
        managed={managed}
        waiting={waiting}
        invite={given ?? { granted: { project: [], org: [] } }}
        problems={problems}
        edited={edited}
      />
    ),
  };
}
