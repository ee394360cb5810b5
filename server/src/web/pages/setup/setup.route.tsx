// The routes of the page in setup.tsx.
import Type from "typebox";
import { giveCookie, originOf } from "#accounts/sessions/routes.js";
import { createSession } from "#accounts/sessions/write.js";
import { isCodeGood } from "#accounts/users/codes.js";
import { createFirstAdmin as contract } from "#accounts/users/contract.js";
import { hashPassword } from "#accounts/users/passwords.js";
import { hasAdmin } from "#accounts/users/read.js";
import { createFirstAdmin } from "#accounts/users/write.js";
import { write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import { open } from "#platform/http/access.js";
import { endpoint, type Route } from "#platform/http/endpoint.js";
import { parse } from "#platform/http/validation.js";
import { attempt, type FormProblems, formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import type { Page } from "#web/frame/layout.js";
import { narrowPage } from "#web/frame/narrow-page.js";
import { aPage, formRoute, pageRoute } from "#web/frame/page.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { AdminForm, type Input, NewLink } from "./setup.js";
import { setupContentRoutes } from "./setup-content.route.js";
import { setupSiteRoutes } from "./setup-site.route.js";

const shared = {
  path: "/setup",
  access: open,
  tag: "Website",
  answer: aPage,
  errors: ["setupDone"],
  cacheControl: "no-store",
  internal: true,
} as const;

const getSetupPage = endpoint({
  ...shared,
  id: "getSetupPage",
  method: "GET",
  rate: "read",
  summary: "The form for the first administrator",
  query: Type.Object({ code: Type.Optional(Type.String({ maxLength: 512 })) }),
});

const submitSetup = endpoint({
  ...shared,
  id: "submitSetup",
  once: true,
  method: "POST",
  rate: "signIn",
  summary: "Create the first administrator and sign in",
  body: formFields("code", "userName", "email", "password"),
  htmlForm: true,
});

export const setupRoutes: Route[] = [
  pageRoute(getSetupPage, async (call, { db, clock }) => {
    if (await hasAdmin(db)) throw fail.setupDone();
    const { code } = call.query;
    const locale = localeOf(call.request);
    if (code === undefined) return linkNeeded(locale);
    const isGood = await isCodeGood(db, "setup", code, clock.now());
    return isGood ? setupForm(locale, { code }) : linkDead(locale);
  }),

  formRoute(submitSetup, async (call, resources) => {
    const { db, clock, random } = resources;
    if (await hasAdmin(db)) throw fail.setupDone();
    const code = call.body.code ?? "";
    const locale = localeOf(call.request);
    if (!(await isCodeGood(db, "setup", code, clock.now()))) return linkDead(locale);
    const problems = await attempt(
      async () => {
        const input = parse<Input>("body", contract.body, { ...call.body }, "body");
        const passwordHash = await hashPassword(input.password, random);
        const token = await write(resources, { ...call.actor, credential: "setup code" }, async (tx) => {
          const id = await createFirstAdmin(tx, input.code, { ...input, passwordHash });
          return createSession(tx, id, originOf(call, "credential"));
        });
        giveCookie(call, resources, token);
      },
      { userNameTaken: "userName", nameReserved: "userName", emailTaken: "email" },
    );
    return problems ? setupForm(locale, { ...call.body, code }, problems) : seeOther(call.reply, "/setup/site");
  }),
  ...setupSiteRoutes,
  ...setupContentRoutes,
];

const setupForm = (locale: Locale, typed: Partial<Input>, problems?: FormProblems): Page => {
  const t = textsIn(texts.setup.steps, locale);
  return narrowPage(
    { title: t.step(1, t.steps.admin), lead: t.adminLead, status: problems?.status ?? 200 },
    <AdminForm typed={typed} problems={problems} />,
  );
};

function linkNeeded(locale: Locale): Page {
  const t = textsIn(texts.setup.steps, locale);
  return narrowPage({ title: t.title, lead: t.linkNeeded }, <NewLink />);
}

function linkDead(locale: Locale): Page {
  const t = textsIn(texts.setup.steps, locale);
  return narrowPage({ title: t.deadTitle, lead: t.deadLead, status: fail.codeInvalid().status }, <NewLink />);
}
