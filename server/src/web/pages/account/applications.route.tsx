// The routes of the pages in applications.tsx.
import Type from "typebox";
import { parseApplication } from "#accounts/applications/policy.js";
import { type Application, countUsers, findApplication, listOwnApplications } from "#accounts/applications/read.js";
import { createApplication, deleteApplication, renewSecret, updateApplication } from "#accounts/applications/write.js";
import { isFresh, needConfirmedAddress } from "#accounts/users/policy.js";
import { write } from "#platform/changes/write.js";
import type { Db } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { sessionOnly } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { Ref } from "#platform/http/schemas.js";
import type { SessionViewer } from "#platform/http/viewer.js";
import { attempt, type FormProblems, formFields, withPlainLines } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { formRoute, pageRoute } from "#web/frame/page.js";
import { ConfirmForm } from "#web/parts/confirm-form.js";
import { texts } from "#words/texts.js";
import { ApplicationForm } from "./application-form.js";
import { ApplicationList, OwnApplication, path, ShownSecret, UserCount } from "./applications.js";
import { settingsPage, signInAgainPath, wordsFor } from "./settings-frame.js";
import { scopeFields, scopesOf } from "./token-scopes.js";

const params = Type.Object({ id: Ref("The application's id") });
const fieldNames = ["name", "description", "homepage", "redirectUris", ...scopeFields] as const;
const words = texts.applications.own;

type Form = Record<string, string | undefined>;

const parseInput = (body: Form) =>
  parseApplication({
    name: body.name?.trim() ?? "",
    description: body.description?.trim() ?? "",
    homepage: body.homepage?.trim() ?? "",
    redirectUris: withPlainLines(body.redirectUris)
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
    scopes: [...scopesOf(body)],
  });

/** The names of the fields of a refusal for lists have the position of the entry. */
function ofFields(problems: FormProblems | undefined): FormProblems | undefined {
  if (!problems) return undefined;
  const entries = Object.entries(problems.fields).map(([name, problem]) => [name.split(".", 1)[0], problem]);
  return { ...problems, fields: Object.fromEntries(entries) };
}

const fieldOf = { limitReached: "name", freshSessionNeeded: "name", unknownScopes: "scopes" } as const;

const typedIn = (body: Form) => ({ ...body, scopes: scopesOf(body) });

async function getOwn(db: Db, { user }: SessionViewer, id: string): Promise<Application> {
  const application = await findApplication(db, id);
  if (application?.ownerId !== user.id) throw fail.applicationNotFound();
  return application;
}

export const applicationPageRoutes: Route[] = [
  pageRoute(
    {
      id: "getApplicationsPage",
      path,
      access: sessionOnly("pat_read"),
      summary: "The user's applications",
      query: Type.Object({ done: Type.Optional(Type.String()) }),
    },
    async ({ request, viewer, query }, { db }) => {
      const t = wordsFor(request, words);
      return settingsPage({
        title: t.title,
        lead: t.lead,
        done: { made: t.made, deleted: t.deleted }[query.done ?? ""],
        children: <ApplicationList applications={await listOwnApplications(db, viewer.user.id)} />,
      });
    },
  ),

  pageRoute(
    {
      id: "getNewApplicationPage",
      path: `${path}/new`,
      access: sessionOnly("pat_create"),
      summary: "The form for a new application",
    },
    async ({ request, viewer, reply }, { clock }) => {
      if (!isFresh(viewer, clock.now())) return seeOther(reply, signInAgainPath(`${path}/new`));
      const t = wordsFor(request, words);
      const form = <ApplicationForm action={`${path}/new`} button={t.make} fields={{ scopes: [] }} isNew />;
      return settingsPage({ title: t.making, lead: t.lead, children: form });
    },
  ),

  formRoute(
    {
      id: "submitNewApplication",
      once: true,
      path: `${path}/new`,
      access: sessionOnly("pat_create"),
      summary: "Register an application",
      body: formFields(...fieldNames, "type"),
      errors: ["addressUnconfirmed"],
    },
    async ({ request, reply, viewer, actor, body }, resources) => {
      const t = wordsFor(request, words);
      needConfirmedAddress(viewer);
      let made: Awaited<ReturnType<typeof createApplication>> | undefined;
      const problems = await attempt(async () => {
        const input = parseInput(body);
        if (!isFresh(viewer, resources.clock.now())) throw fail.freshSessionNeeded();
        const isConfidential = body.type === "confidential";
        made = await write(resources, actor, (tx) => createApplication(tx, viewer.user.id, input, isConfidential));
      }, fieldOf);
      if (made?.secret !== undefined)
        return settingsPage({
          title: t.secretTitle,
          lead: t.secretLead,
          children: <ShownSecret id={made.id} secret={made.secret} />,
        });
      if (made) return seeOther(reply, `${path}?done=made`);
      return settingsPage({
        title: t.making,
        status: problems?.status,
        children: (
          <ApplicationForm
            action={`${path}/new`}
            button={t.make}
            fields={typedIn(body)}
            problems={ofFields(problems)}
            isNew
          />
        ),
      });
    },
  ),

  pageRoute(
    {
      id: "getApplicationPage",
      path: `${path}/:id`,
      access: sessionOnly("pat_read"),
      summary: "The form to change an application",
      params,
      query: Type.Object({ done: Type.Optional(Type.String()) }),
      errors: ["applicationNotFound"],
    },
    async ({ request, viewer, params: { id }, query }, { db }) => {
      const application = await getOwn(db, viewer, id);
      const fields = { ...application, redirectUris: application.redirectUris.join("\n") };
      return settingsPage({
        title: application.name,
        done: query.done === undefined ? undefined : wordsFor(request, words).saved,
        children: <OwnApplication application={application} users={await countUsers(db, id)} fields={fields} />,
      });
    },
  ),

  formRoute(
    {
      id: "submitApplication",
      path: `${path}/:id`,
      access: sessionOnly("pat_write"),
      summary: "Change an application",
      params,
      body: formFields(...fieldNames),
      errors: ["applicationNotFound"],
    },
    async ({ reply, viewer, actor, body, params: { id } }, resources) => {
      const application = await getOwn(resources.db, viewer, id);
      const problems = await attempt(async () => {
        const input = parseInput(body);
        await write(resources, actor, (tx) => updateApplication(tx, viewer.user.id, id, input));
      }, fieldOf);
      if (!problems) return seeOther(reply, `${path}/${id}?done`);
      const form = { fields: typedIn(body), problems: ofFields(problems) };
      return settingsPage({
        title: application.name,
        status: problems.status,
        children: <OwnApplication application={application} users={await countUsers(resources.db, id)} {...form} />,
      });
    },
  ),

  formRoute(
    {
      id: "submitApplicationSecret",
      once: true,
      path: `${path}/:id/secret`,
      access: sessionOnly("pat_write"),
      summary: "Create a new secret of an application and show it once",
      params,
      errors: ["applicationNotFound"],
    },
    async ({ request, reply, viewer, actor, params: { id } }, resources) => {
      if (!isFresh(viewer, resources.clock.now())) return seeOther(reply, signInAgainPath(`${path}/${id}`));
      const secret = await write(resources, actor, (tx) => renewSecret(tx, viewer.user.id, id));
      const t = wordsFor(request, words);
      return settingsPage({
        title: t.secretTitle,
        lead: t.secretLead,
        children: <ShownSecret id={id} secret={secret} />,
      });
    },
  ),

  pageRoute(
    {
      id: "getApplicationDeletionPage",
      path: `${path}/:id/delete`,
      access: sessionOnly("pat_delete"),
      summary: "Ask for confirmation before an application is deleted",
      params,
      errors: ["applicationNotFound"],
    },
    async ({ request, viewer, params: { id } }, { db }) => {
      const { name } = await getOwn(db, viewer, id);
      const users = await countUsers(db, id);
      const t = wordsFor(request, words);
      const { colon } = wordsFor(request, texts.parts.common);
      return settingsPage({
        title: t.deleteTitle(name),
        children: (
          <ConfirmForm action={`${path}/${id}/delete`} button={t.delete} back={`${path}/${id}`}>
            <p>{t.deleteText}</p>
            <p>
              {t.usersTitle}
              {colon}
              <UserCount users={users} />
            </p>
          </ConfirmForm>
        ),
      });
    },
  ),

  formRoute(
    {
      id: "submitApplicationDeletion",
      path: `${path}/:id/delete`,
      access: sessionOnly("pat_delete"),
      summary: "Delete an application and end all its connections",
      params,
      errors: ["applicationNotFound"],
    },
    async ({ reply, viewer, actor, params: { id } }, resources) => {
      await write(resources, actor, (tx) => deleteApplication(tx, viewer.user.id, id));
      return seeOther(reply, `${path}?done=deleted`);
    },
  ),
];
