// The page of a user for moderators: their activity, and the actions suspend, sign out and, for administrators, change
// the role.

import Type from "typebox";
import { listSessionRows, toSession } from "#accounts/sessions/read.js";
import { listProjectIdsOfUser, listVisibleProjects } from "#content/projects/read.js";
import { listNotes } from "#moderation/desk/notes.js";
import { suspendUser as contract, type ModeratedUser } from "#moderation/desk/people-contract.js";
import { getModeratedUser } from "#moderation/desk/people-read.js";
import { changeRole, endSessions, suspendUser, unsuspendUser } from "#moderation/desk/people-write.js";
import { canSuspend } from "#moderation/desk/policy.js";
import { listReportsOf, toReport } from "#moderation/reports/read.js";
import { write } from "#platform/changes/write.js";
import type { UserRole } from "#platform/db/tables.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { Ref } from "#platform/http/schemas.js";
import { parse } from "#platform/http/validation.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { attempt, type FormProblems, formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import type { Page } from "#web/frame/layout.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { ConfirmForm } from "#web/parts/confirm-form.js";
import { forAdmins, forModerators } from "#web/shared/staff-access.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { deskPage } from "./desk-frame.js";
import { Person, type PersonView, SuspendForm } from "./person.js";
import type { TypedNote } from "./person-notes.js";

const params = Type.Object({ name: Ref("Username or id") });
const form = { access: forModerators, params, errors: ["userNotFound", "staffProtected", "wrongState"] } as const;
export const pathOf = (name: string): string => `/moderation/user/${encodeURIComponent(name)}`;
const roles: readonly UserRole[] = ["user", "moderator", "admin"];

export async function loadPerson(resources: Resources, viewer: SignedIn, name: string): Promise<PersonView> {
  const { db, clock, config } = resources;
  const person = await getModeratedUser(db, name, config.http.cdnUrl);
  const { id, role } = person.user;
  const ids = await listProjectIdsOfUser(db, viewer, id, false);
  return {
    person,
    projects: (await listVisibleProjects(resources, viewer, ids.slice(0, 50))).map(({ project }) => project),
    reports: (await listReportsOf(db, id)).slice(0, 20).map((row) => toReport(row, viewer)),
    sessions: (await listSessionRows(db, id, clock.now())).map((row) => toSession(row, "")),
    notes: await listNotes(db, id),
    canAct: canSuspend(viewer.user.role, role as UserRole),
    isAdmin: viewer.user.role === "admin",
  };
}

export const personPage = (view: PersonView, note?: TypedNote): Page =>
  deskPage({ title: view.person.user.userName, status: note?.problems.status }, <Person view={view} note={note} />);

const suspendPage = (person: ModeratedUser, locale: Locale, typed?: { reason: string; problems: FormProblems }): Page =>
  deskPage(
    {
      title: textsIn(texts.moderation.people, locale).suspendTitle(person.user.userName),
      status: typed?.problems.status,
    },
    <SuspendForm person={person} {...(typed && { typed })} />,
  );

export const personRoutes: Route[] = [
  pageRoute(
    {
      id: "getModeratedUserPage",
      path: "/moderation/user/:name",
      access: forModerators,
      summary: "A user as moderators see them",
      params,
      errors: ["userNotFound"],
    },
    async ({ viewer, params: { name } }, resources) => {
      return personPage(await loadPerson(resources, viewer, name));
    },
  ),

  pageRoute(
    {
      id: "getSuspensionPage",
      path: "/moderation/user/:name/suspend",
      access: forModerators,
      summary: "Ask for confirmation and a reason before a user is suspended",
      params,
      errors: ["userNotFound"],
    },
    async ({ viewer, params: { name }, request, reply }, { db, config }) => {
      const person = await getModeratedUser(db, name, config.http.cdnUrl);
      const { role, userName } = person.user;
      if (person.suspension || !canSuspend(viewer.user.role, role as UserRole))
        return seeOther(reply, pathOf(userName));
      return suspendPage(person, localeOf(request));
    },
  ),

  memberFormRoute(
    {
      ...form,
      id: "submitSuspension",
      once: true,
      path: "/moderation/user/:name/suspend",
      summary: "Suspend a user",
      body: formFields("reason"),
    },
    async ({ viewer, actor, params: { name }, body, request, reply }, resources) => {
      const reason = body.reason ?? "";
      const problems = await attempt(
        async () => {
          const checked = parse<{ reason: string }>("body", contract.body, { reason }, "body");
          await write(resources, actor, (tx) => suspendUser(tx, viewer, name, checked.reason));
        },
        { wrongState: "reason" },
      );
      if (!problems) return seeOther(reply, pathOf(name));
      const person = await getModeratedUser(resources.db, name, resources.config.http.cdnUrl);
      return suspendPage(person, localeOf(request), { reason, problems });
    },
  ),

  memberFormRoute(
    { ...form, id: "submitUnsuspension", path: "/moderation/user/:name/unsuspend", summary: "End a suspension" },
    async ({ viewer, actor, params: { name }, reply }, resources) => {
      await write(resources, actor, (tx) => unsuspendUser(tx, viewer, name));
      return seeOther(reply, pathOf(name));
    },
  ),

  pageRoute(
    {
      id: "getEndSessionsPage",
      path: "/moderation/user/:name/sign-out",
      access: forModerators,
      summary: "Ask for confirmation before a user's sessions are ended",
      params,
      errors: ["userNotFound"],
    },
    async ({ params: { name }, request }, { db, config }) => {
      const { user } = await getModeratedUser(db, name, config.http.cdnUrl);
      const t = textsIn(texts.moderation.people, localeOf(request));
      return deskPage(
        { title: t.endTitle(user.userName) },
        <ConfirmForm action={`${pathOf(user.userName)}/sign-out`} button={t.endSessions} back={pathOf(user.userName)}>
          <p>{t.endLead}</p>
        </ConfirmForm>,
      );
    },
  ),

  memberFormRoute(
    {
      ...form,
      id: "submitEndSessions",
      path: "/moderation/user/:name/sign-out",
      summary: "End all sessions of a user",
    },
    async ({ viewer, actor, params: { name }, reply }, resources) => {
      await write(resources, actor, (tx) => endSessions(tx, viewer, name));
      return seeOther(reply, pathOf(name));
    },
  ),

  pageRoute(
    {
      id: "getRolePage",
      path: "/moderation/user/:name/role",
      access: forAdmins,
      summary: "Ask for confirmation before a user's role is changed",
      params,
      query: formFields("role"),
      errors: ["userNotFound"],
    },
    async ({ params: { name }, query, request, reply }, { db, config }) => {
      const { user } = await getModeratedUser(db, name, config.http.cdnUrl);
      const role = roles.find((each) => each === query.role);
      if (!role || role === user.role) return seeOther(reply, pathOf(user.userName));
      const t = textsIn(texts.moderation.people, localeOf(request));
      return deskPage(
        { title: t.roleTitle(user.userName) },
        <ConfirmForm action={`${pathOf(user.userName)}/role`} button={t.setRole} back={pathOf(user.userName)}>
          <input type="hidden" name="role" value={role} />
          <p>{t.roleLead(textsIn(texts.moderation.desk, localeOf(request)).roles[role])}</p>
          {role === "admin" && <p>{t.adminWarning}</p>}
        </ConfirmForm>,
      );
    },
  ),

  memberFormRoute(
    {
      ...form,
      access: forAdmins,
      id: "submitRole",
      path: "/moderation/user/:name/role",
      summary: "Change a user's role",
      body: Type.Object({ role: Type.Enum([...roles]) }),
    },
    async ({ viewer, actor, params: { name }, body, reply }, resources) => {
      await write(resources, actor, (tx) => changeRole(tx, viewer, name, body.role as UserRole));
      return seeOther(reply, pathOf(name));
    },
  ),
];
