// Creating a token, which is shown once, and changing one.
import Type from "typebox";
import { createToken as contract } from "#accounts/tokens/contract.js";
import { boundScopes, parseExpiry, parseScopes } from "#accounts/tokens/policy.js";
import { listTokenRows, toToken } from "#accounts/tokens/read.js";
import { createToken, updateToken } from "#accounts/tokens/write.js";
import { isFresh } from "#accounts/users/policy.js";
import { getBoundId } from "#content/projects/change.js";
import { write } from "#platform/changes/write.js";
import { fail, invalid } from "#platform/errors.js";
import { sessionOnly } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { timestamp } from "#platform/http/schemas.js";
import { accountRole } from "#platform/http/staff-powers.js";
import { parse } from "#platform/http/validation.js";
import type { SignedIn, ViewerUser } from "#platform/http/viewer.js";
import { attempt, formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { formRoute, pageRoute } from "#web/frame/page.js";
import { ShownOnce } from "#web/parts/shown-once.js";
import { listOwnProjects } from "#web/shared/own-projects.js";
import { lifetimes } from "#web/shared/token-lifetimes.js";
import { say } from "#words/said.js";
import { texts } from "#words/texts.js";
import { settingsPage, signInAgainPath, wordsFor } from "./settings-frame.js";
import { TokenForm } from "./token-form.js";
import { scopeFields, scopesOf } from "./token-scopes.js";
import { tokensPath } from "./tokens.js";

const day = 24 * 60 * 60 * 1000;

const newPath = `${tokensPath}/new`;

const params = Type.Object({ patId: Type.String({ maxLength: 64 }) });

type Form = Record<string, string | undefined>;

/** The chosen expiry: a number of days from now, or midnight of a date. */
function expiryOf({ days, date = "" }: Form, now: number): number {
  if (days !== undefined && (lifetimes as readonly string[]).includes(days)) return now + Number(days) * day;
  if (date === "") throw invalid({ path: "date", message: say.problems.chooseDate });
  return parseExpiry(date, now);
}

/** Checks as the API does, with the field names of the form. */
function parseInput(body: Form, user: ViewerUser, isBound = false) {
  const scopes = scopesOf(body);
  // For a token that is bound to one project, a preset is reduced to the scopes that allow that.
  const authScopes =
    isBound && body.preset !== "custom" ? scopes.filter((scope) => boundScopes.includes(scope)) : scopes;
  const given = { name: body.name?.trim() ?? "", dateExpires: "2099-12-31", authScopes: [...authScopes] };
  const input = parse<typeof given>("body", contract.body, given, "body");
  return { name: input.name, scopes: parseScopes(input.authScopes, user) };
}

const staffBox = ({ user }: SignedIn) => ({ isStaff: accountRole(user) !== "user" });

const fieldOf = {
  expiryInPast: "date",
  freshSessionNeeded: "name",
  projectNotFound: "project",
  scopesNotForOneProject: "scopes",
  tooManyTokens: "name",
} as const;

export const tokenEditRoutes: Route[] = [
  pageRoute(
    { id: "getNewTokenPage", path: newPath, access: sessionOnly("pat_create"), summary: "The form for a new token" },
    async ({ request, viewer, reply }, resources) => {
      if (!isFresh(viewer, resources.clock.now())) return seeOther(reply, signInAgainPath(newPath));
      const t = wordsFor(request, texts.account.token);
      const projects = await listOwnProjects(resources, viewer);
      const form = (
        <TokenForm
          action={newPath}
          button={t.make}
          fields={{ scopes: [] }}
          projects={projects}
          isNew
          {...staffBox(viewer)}
        />
      );
      return settingsPage({ title: t.making, lead: t.lead, children: form });
    },
  ),

  formRoute(
    {
      id: "submitNewToken",
      once: true,
      path: newPath,
      access: sessionOnly("pat_create"),
      summary: "Create a token and show it once",
      body: formFields("name", "preset", "project", "days", "date", ...scopeFields),
    },
    async ({ request, viewer, actor, body }, resources) => {
      const t = wordsFor(request, texts.account.token);
      const now = resources.clock.now();
      let value = "";
      const problems = await attempt(async () => {
        const projectId = body.project ? await getBoundId(resources.db, viewer, body.project) : null;
        const input = {
          ...parseInput(body, viewer.user, projectId !== null),
          dateExpires: expiryOf(body, now),
          projectId,
        };
        if (!isFresh(viewer, now)) throw fail.freshSessionNeeded();
        ({ value } = await write(resources, actor, (tx) => createToken(tx, viewer.user.id, input)));
      }, fieldOf);
      if (!problems)
        return settingsPage({
          title: t.shownTitle,
          lead: t.shownLead,
          children: <ShownOnce value={value} next={tokensPath} />,
        });
      const fields = { ...body, scopes: scopesOf({ ...body, preset: undefined }) };
      return settingsPage({
        title: t.making,
        status: problems.status,
        children: (
          <TokenForm
            action={newPath}
            button={t.make}
            fields={fields}
            problems={problems}
            projects={await listOwnProjects(resources, viewer)}
            isNew
            {...staffBox(viewer)}
          />
        ),
      });
    },
  ),

  pageRoute(
    {
      id: "getTokenPage",
      path: `${tokensPath}/:patId`,
      access: sessionOnly("pat_read"),
      summary: "The form to change a token",
      params,
      errors: ["tokenNotFound"],
    },
    async ({ request, viewer, params: { patId } }, { db }) => {
      const row = (await listTokenRows(db, viewer.user.id)).find(({ id }) => id === patId);
      if (!row) throw fail.tokenNotFound();
      const { name, scopes, dateExpires } = toToken(row);
      const t = wordsFor(request, texts.account.token);
      const fields = { name, scopes, date: dateExpires.slice(0, 10) };
      const action = `${tokensPath}/${patId}`;
      return settingsPage({
        title: t.editTitle,
        lead: t.editLead,
        children: <TokenForm action={action} button={t.save} fields={fields} isNew={false} {...staffBox(viewer)} />,
      });
    },
  ),

  formRoute(
    {
      id: "submitToken",
      path: `${tokensPath}/:patId`,
      access: sessionOnly("pat_write"),
      summary: "Change a token",
      params,
      body: formFields("name", "date", ...scopeFields),
      errors: ["tokenNotFound"],
    },
    async ({ request, reply, viewer, actor, body, params: { patId } }, resources) => {
      const row = (await listTokenRows(resources.db, viewer.user.id)).find(({ id }) => id === patId);
      if (!row) throw fail.tokenNotFound();
      const problems = await attempt(async () => {
        const input = parseInput(body, viewer.user);
        // The field has days only, so an unchanged date keeps its time of day.
        const isSameDay = timestamp(row.date_expires).startsWith(body.date || "-");
        const change = isSameDay ? input : { ...input, dateExpires: expiryOf(body, resources.clock.now()) };
        await write(resources, actor, (tx) => updateToken(tx, viewer.user, patId, change));
      }, fieldOf);
      if (!problems) return seeOther(reply, `${tokensPath}?done=changed`);
      const t = wordsFor(request, texts.account.token);
      const fields = { ...body, scopes: scopesOf(body) };
      const action = `${tokensPath}/${patId}`;
      return settingsPage({
        title: t.editTitle,
        status: problems.status,
        children: (
          <TokenForm
            action={action}
            button={t.save}
            fields={fields}
            problems={problems}
            isNew={false}
            {...staffBox(viewer)}
          />
        ),
      });
    },
  ),
];
