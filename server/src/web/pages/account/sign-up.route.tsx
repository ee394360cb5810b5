// Creating an account, with a form or a provider.

import type { FastifyRequest } from "fastify";
import Type from "typebox";
import { listConfigured } from "#accounts/providers/known-providers.js";
import { signUp as contract } from "#accounts/sessions/contract.js";
import { giveCookie, originOf } from "#accounts/sessions/routes.js";
import { type NewMember, signUp } from "#accounts/sessions/sign-in.js";
import { hasUsableInvites, isInviteGood } from "#accounts/users/invite-codes.js";
import { fail } from "#platform/errors.js";
import { open } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { parse } from "#platform/http/validation.js";
import { attempt, formFields } from "#web/context/form.js";
import { movedTo, safeNext, seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import type { Page } from "#web/frame/layout.js";
import { formRoute, pageRoute } from "#web/frame/page.js";
import { texts, textsIn } from "#words/texts.js";
import { RegistrationClosed, SignUpForm } from "./sign-in.js";

const path = "/auth/sign-up";
const shared = { path, access: open, cacheControl: "no-store" } as const;
const next = Type.Optional(Type.String());
/** It shows new members what they can do next. */
const firstPage = "/dashboard";

export const signUpRoutes: Route[] = [
  pageRoute(
    {
      ...shared,
      id: "getSignUpPage",
      summary: "The sign-up form",
      query: Type.Object({ next, invite: Type.Optional(Type.String({ maxLength: 512 })) }),
    },
    async ({ request, reply, viewer, query }, resources) => {
      const to = safeNext(query.next);
      if (viewer.kind === "session") return seeOther(reply, to);
      const { config, db, clock } = resources;
      const isOpen = config.registration === "open";
      const invite = isOpen ? undefined : query.invite?.trim();
      if (!isOpen && !(invite && (await isInviteGood(db, invite, clock.now()))))
        return closedPage(request, resources, to, invite);
      return {
        title: textsIn(texts.account.signIn, localeOf(request)).signUp,
        content: <SignUpForm next={to} providers={listConfigured(config.oauth)} invite={invite} />,
      };
    },
  ),

  formRoute(
    {
      ...shared,
      id: "submitSignUp",
      once: true,
      rate: "signIn",
      summary: "Create an account and sign in",
      body: formFields("userName", "email", "password", "next", "invite"),
    },
    async (call, resources) => {
      const { userName, email } = call.body;
      const to = safeNext(call.body.next);
      const t = textsIn(texts.account.signIn, localeOf(call.request));
      const invite = resources.config.registration === "open" ? undefined : (call.body.invite ?? "");
      if (invite !== undefined && !(await isInviteGood(resources.db, invite, resources.clock.now())))
        return { ...(await closedPage(call.request, resources, to, invite)), status: 403 };
      const problems = await attempt(
        async () => {
          const given = { ...call.body, userName: userName?.trim(), email: email?.trim(), invite: invite ?? null };
          const input = parse<NewMember>("body", contract.body, given, "body");
          const member = { ...input, locale: localeOf(call.request) };
          const { token } = await signUp(resources, call.actor, originOf(call, "credential"), member);
          giveCookie(call, resources, token);
        },
        { userNameTaken: "userName", nameReserved: "userName", emailTaken: "email" },
      );
      if (!problems) return seeOther(call.reply, to === "/" ? firstPage : to);
      const providers = listConfigured(resources.config.oauth);
      return {
        title: t.signUp,
        status: problems.status,
        content: <SignUpForm {...{ next: to, providers, invite, problems }} typed={{ userName, email }} />,
      };
    },
  ),

  pageRoute(
    { id: "getOldSignUpPage", path: "/signup", access: open, summary: "The earlier path of the sign-up page" },
    async ({ reply }) => movedTo(reply, path),
  ),
];

/** For visitors without a valid code. */
async function closedPage(
  request: FastifyRequest,
  { db, clock }: Resources,
  next: string,
  invite: string | undefined,
): Promise<Page> {
  const locale = localeOf(request);
  const failure = fail.inviteCodeInvalid();
  const said = failure.in(locale);
  const problems = invite ? { status: failure.status, message: said, fields: { invite: said } } : undefined;
  const takesInvites = invite ? true : await hasUsableInvites(db, clock.now());
  return {
    title: textsIn(texts.account.signIn, locale).closed,
    status: problems?.status,
    content: <RegistrationClosed {...{ next, takesInvites, invite, problems }} />,
  };
}
