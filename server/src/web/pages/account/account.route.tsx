// The account page's forms: e-mail, password, linked accounts.

import type { FastifyRequest } from "fastify";
import Type from "typebox";
import { knownProviders, listConfigured } from "#accounts/providers/known-providers.js";
import { listLinkedAccounts } from "#accounts/providers/read.js";
import { unlinkAccount } from "#accounts/providers/write.js";
import * as contract from "#accounts/users/contract.js";
import { listCredentials } from "#accounts/users/credentials.js";
import {
  changeEmail,
  changePassword,
  getAccount,
  type PasswordChange,
  requestConfirmation,
} from "#accounts/users/own-account.js";
import * as passwords from "#accounts/users/password-contract.js";
import { isFresh } from "#accounts/users/policy.js";
import { hasPasskey } from "#accounts/users/read.js";
import { write } from "#platform/changes/write.js";
import { Failure, fail } from "#platform/errors.js";
import { open, sessionOnly } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { parse } from "#platform/http/validation.js";
import type { SessionViewer } from "#platform/http/viewer.js";
import { readAccountUse } from "#platform/pictures/quota.js";
import { attempt, type FormProblems, formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import type { Page } from "#web/frame/layout.js";
import { formRoute, pageRoute } from "#web/frame/page.js";
import { texts } from "#words/texts.js";
import { AccountSections, type AccountState, accountPath } from "./account.js";
import { CredentialsLeft, choiceFields, toChoice } from "./credential-choices.js";
import { settingsPage, signInAgainPath, wordsFor } from "./settings-frame.js";

const access = sessionOnly("user_auth_write");

async function stateOf(resources: Resources, viewer: SessionViewer): Promise<AccountState> {
  const { db, config, clock } = resources;
  return {
    account: await getAccount(resources, viewer.user.id),
    linked: await listLinkedAccounts(db, viewer.user.id),
    usable: listConfigured(config.oauth),
    isFresh: isFresh(viewer, clock.now()),
    hasMail: resources.mailer.enabled,
    hasPasskey: await hasPasskey(db, viewer.user.id),
    storage: { used: await readAccountUse(db, viewer.user.id), limit: config.limits.accountBytes },
    credentials: await listCredentials(db, viewer.user.id),
  };
}

interface Shown {
  done?: string | undefined;
  problems?: FormProblems;
  refused?: "email" | "password";
  email?: string | undefined;
  typed?: Parameters<typeof toChoice>[0];
}

const accountPage = (request: FastifyRequest, state: AccountState, { done, ...shown }: Shown = {}): Page => {
  const t = wordsFor(request, texts.account.account);
  const words: Record<string, string> = {
    email: t.emailChanged,
    sent: t.emailSent,
    confirmation: t.confirmationSent,
    password: t.passwordChanged,
    removed: t.passwordRemoved,
    unlinked: t.unlinked,
  };
  return settingsPage({
    title: wordsFor(request, texts.account.settings).account,
    lead: t.lead,
    done: done === undefined ? undefined : words[done],
    status: shown.problems?.status,
    children: (
      <>
        {(done === "password" || done === "removed") && <CredentialsLeft credentials={state.credentials} />}
        <AccountSections state={state} {...shown} />
      </>
    ),
  });
};

/** Without a password, only a sign-in of just now is proof: the way there is the answer. */
const isStale = (error: unknown): boolean => error instanceof Failure && error.code === "freshSessionNeeded";

export const accountSettingsRoutes: Route[] = [
  pageRoute(
    {
      id: "getAccountPage",
      path: accountPath,
      access,
      summary: "E-mail, password, linked accounts, own data",
      query: Type.Object({ done: Type.Optional(Type.String()) }),
    },
    async ({ request, viewer, query }, resources) =>
      accountPage(request, await stateOf(resources, viewer), { done: query.done }),
  ),

  formRoute(
    {
      id: "submitEmail",
      path: `${accountPath}/email`,
      access,
      rate: "mail",
      summary: "Change the own e-mail address",
      body: formFields("email", "emailPassword"),
    },
    async ({ request, reply, viewer, actor, body }, resources) => {
      const email = body.email?.trim() ?? "";
      let confirmed = false;
      try {
        const problems = await attempt(
          async () => {
            const given = { email, ...(body.emailPassword && { password: body.emailPassword.slice(0, 512) }) };
            const input = parse<{ email: string; password?: string }>("body", contract.changeEmail.body, given, "body");
            confirmed = await changeEmail(resources, actor, viewer, input);
          },
          { passwordWrong: "emailPassword", rateLimited: "emailPassword", emailTaken: "email" },
        );
        if (!problems) return seeOther(reply, `${accountPath}?done=${confirmed ? "email" : "sent"}`);
        return accountPage(request, await stateOf(resources, viewer), { problems, refused: "email", email });
      } catch (error) {
        if (isStale(error)) return seeOther(reply, signInAgainPath(accountPath));
        throw error;
      }
    },
  ),

  formRoute(
    {
      id: "submitConfirmationRequest",
      path: `${accountPath}/confirmation`,
      access,
      rate: "mail",
      summary: "Have the confirmation of the own e-mail address mailed again",
      errors: ["addressConfirmed"],
    },
    async ({ reply, viewer, actor }, resources) => {
      await requestConfirmation(resources, actor, viewer);
      return seeOther(reply, `${accountPath}?done=confirmation`);
    },
  ),

  formRoute(
    {
      id: "submitPassword",
      path: `${accountPath}/password`,
      access,
      summary: "Change or set the own password",
      body: Type.Object({
        ...formFields("currentPassword", "newPassword", "confirmNewPassword").properties,
        ...choiceFields,
      }),
    },
    async ({ request, reply, viewer, actor, body }, resources) => {
      try {
        const problems = await attempt(
          async () => {
            const current = body.currentPassword === "" ? undefined : body.currentPassword;
            const given = { ...body, ...toChoice(body), currentPassword: current };
            const input = parse<PasswordChange>("body", passwords.PasswordChange, given, "body");
            await changePassword(resources, actor, viewer, input);
          },
          { passwordWrong: "currentPassword", rateLimited: "currentPassword", passwordsDiffer: "confirmNewPassword" },
        );
        if (!problems) return seeOther(reply, `${accountPath}?done=password`);
        return accountPage(request, await stateOf(resources, viewer), { problems, refused: "password", typed: body });
      } catch (error) {
        if (isStale(error)) return seeOther(reply, signInAgainPath(accountPath));
        throw error;
      }
    },
  ),

  formRoute(
    {
      id: "submitUnlink",
      path: `${accountPath}/unlink`,
      access,
      summary: "Unlink an account of another service",
      body: formFields("provider"),
      errors: ["providerNotLinked", "lastSignInMethod"],
    },
    async ({ reply, viewer, actor, body }, resources) => {
      const name = body.provider ?? "";
      const title = Object.hasOwn(knownProviders, name) ? knownProviders[name as "github"].title : name;
      if (name === "") throw fail.providerNotLinked("?");
      await write(resources, actor, (tx) =>
        unlinkAccount(tx, viewer.user.id, { name, title }, listConfigured(resources.config.oauth)),
      );
      return seeOther(reply, `${accountPath}?done=unlinked`);
    },
  ),

  pageRoute(
    {
      id: "getChangePasswordPage",
      path: "/.well-known/change-password",
      access: open,
      summary: "Where password managers lead people to change their password",
    },
    async ({ reply }) => reply.redirect(accountPath, 302),
  ),
];
