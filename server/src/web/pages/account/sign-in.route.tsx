// Signing in, with a second step if the account requires one, and signing out.

import Type from "typebox";
import { listConfigured } from "#accounts/providers/known-providers.js";
import { checkSecondFactor } from "#accounts/second-factor/check.js";
import { hasSecondFactor } from "#accounts/second-factor/read.js";
import { giveCookie, originOf } from "#accounts/sessions/routes.js";
import { checkCredential } from "#accounts/sessions/sign-in.js";
import { createStep, findStep, giveStepCookie, stepCodeOf, takeStep } from "#accounts/sessions/steps.js";
import { createSession, deleteSession } from "#accounts/sessions/write.js";
import { lengths } from "#lib/lengths.js";
import { write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import { open } from "#platform/http/access.js";
import type { Call, Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { attempt, formFields } from "#web/context/form.js";
import { movedTo, safeNext, seeOther, signInPath } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import type { Page } from "#web/frame/layout.js";
import { formRoute, pageRoute } from "#web/frame/page.js";
import { texts, textsIn } from "#words/texts.js";
import { SecondFactorForm, SignInForm, StepExpired } from "./sign-in.js";

const path = "/auth/sign-in";
const secondPath = "/auth/second-factor";
const shared = { path, access: open, cacheControl: "no-store" } as const;
const next = Type.Optional(Type.String());

type DoorCall = Pick<Call, "request" | "reply" | "address" | "actor" | "viewer">;

/** Starts a session; the previous session of this browser ends. */
export async function enter(
  call: DoorCall,
  resources: Resources,
  userId: string,
  provider: string,
  { secondFactor = false } = {},
): Promise<void> {
  const { viewer } = call;
  const token = await write(resources, { ...call.actor, userId }, async (tx) => {
    // The new session is created first, so that it is not reported as a sign-in from a new device.
    const made = await createSession(tx, userId, { ...originOf(call, provider), secondFactor });
    if (viewer.kind === "session" && viewer.user.id === userId) await deleteSession(tx, userId, viewer.sessionId);
    return made;
  });
  giveCookie(call, resources, token);
}

const doorPage = ({ request }: DoorCall, title: "signIn" | "secondTitle", page: Omit<Page, "title">): Page => ({
  title: textsIn(texts.account.signIn, localeOf(request))[title],
  ...page,
});

export const signInRoutes: Route[] = [
  pageRoute(
    {
      ...shared,
      id: "getSignInPage",
      summary: "The sign-in form",
      query: Type.Object({
        next,
        again: Type.Optional(Type.String({ description: "Requires a sign-in even if there is a session" })),
      }),
    },
    async (call, { config }) => {
      const to = safeNext(call.query.next);
      const { viewer } = call;
      if (viewer.kind === "session" && call.query.again === undefined) return seeOther(call.reply, to);
      return doorPage(call, "signIn", {
        scripts: ["passkeys"],
        content: (
          <SignInForm
            next={to}
            providers={listConfigured(config.oauth)}
            userName={viewer.kind === "session" ? viewer.user.userName : undefined}
          />
        ),
      });
    },
  ),

  formRoute(
    {
      ...shared,
      id: "submitSignIn",
      rate: "signIn",
      summary: "Sign in with email and password",
      body: formFields("login", "password", "next"),
    },
    async (call, resources) => {
      const { login = "", password = "" } = call.body;
      const to = safeNext(call.body.next);
      let step: string | undefined;
      const problems = await attempt(
        async () => {
          if (login.trim() === "" || password === "") throw fail.signInFailed();
          // Longer texts cannot be right, and should cost nothing to check.
          if (login.length > lengths.email[1] || password.length > 512) throw fail.signInFailed();
          const { id } = await checkCredential(resources, call.actor, login, password);
          if (!(await hasSecondFactor(resources.db, id))) return enter(call, resources, id, "credential");
          step = await write(resources, call.actor, (tx) => createStep(tx, "second_factor", { userId: id }));
        },
        { signInFailed: "password", accountSuspended: "login", rateLimited: "password" },
      );
      if (problems)
        return doorPage(call, "signIn", {
          status: problems.status,
          scripts: ["passkeys"],
          content: (
            <SignInForm
              next={to}
              providers={listConfigured(resources.config.oauth)}
              login={login}
              problems={problems}
            />
          ),
        });
      if (step === undefined) return seeOther(call.reply, to);
      return doorPage(call, "secondTitle", { content: <SecondFactorForm step={step} next={to} /> });
    },
  ),

  pageRoute(
    {
      ...shared,
      path: secondPath,
      id: "getSecondFactorPage",
      summary: "The form for the second factor, after a sign-in with another service",
      query: Type.Object({ next }),
    },
    async (call, { db, clock }) => {
      const to = safeNext(call.query.next);
      const step = stepCodeOf(call) ?? "";
      if (!(await findStep(db, "second_factor", step, clock.now()))) return seeOther(call.reply, signInPath(to));
      return doorPage(call, "secondTitle", { content: <SecondFactorForm step={step} next={to} /> });
    },
  ),

  formRoute(
    {
      ...shared,
      path: secondPath,
      id: "submitSecondFactor",
      once: true,
      rate: "signIn",
      summary: "Sign in with the second factor",
      body: formFields("step", "code", "next"),
    },
    async (call, resources) => {
      const { step = "", code = "" } = call.body;
      const to = safeNext(call.body.next);
      const begun = await findStep(resources.db, "second_factor", step, resources.clock.now());
      const userId = begun?.user_id;
      if (!userId)
        return doorPage(call, "signIn", {
          status: 400,
          content: <SignInForm next={to} providers={listConfigured(resources.config.oauth)} remark={<StepExpired />} />,
        });
      const problems = await attempt(
        async () => {
          const secondFactor = await checkSecondFactor(resources, call.actor, userId, code.slice(0, 64));
          if (!(await write(resources, call.actor, (tx) => takeStep(tx, "second_factor", step))))
            throw fail.secondFactorWrong();
          await enter(call, resources, userId, begun.provider ?? "credential", { secondFactor });
        },
        { secondFactorWrong: "code", rateLimited: "code" },
      );
      if (!problems) {
        giveStepCookie(call, resources, "");
        return seeOther(call.reply, to);
      }
      return doorPage(call, "secondTitle", {
        status: problems.status,
        content: <SecondFactorForm step={step} next={to} problems={problems} />,
      });
    },
  ),

  formRoute(
    { id: "submitSignOut", path: "/auth/sign-out", access: open, summary: "Sign out" },
    async (call, resources) => {
      const { viewer } = call;
      if (viewer.kind === "session")
        await write(resources, call.actor, (tx) => deleteSession(tx, viewer.user.id, viewer.sessionId));
      giveCookie(call, resources, "", 0);
      return seeOther(call.reply, "/");
    },
  ),

  pageRoute(
    {
      id: "getOldSignInPage",
      path: "/login",
      access: open,
      summary: "The earlier path of the sign-in page",
      query: Type.Object({ next }),
    },
    async ({ query, reply }) =>
      movedTo(reply, query.next === undefined ? path : `${path}?next=${encodeURIComponent(safeNext(query.next))}`),
  ),
];
