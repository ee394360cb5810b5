// The routes of the page in reset.tsx.
import Type from "typebox";
import { previewReset, type ResetPreview } from "#accounts/users/password.js";
import * as contract from "#accounts/users/password-contract.js";
import { type PasswordReset, requestPasswordReset, resetPassword } from "#accounts/users/reset.js";
import { lengths } from "#lib/lengths.js";
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
import { FormCard } from "#web/parts/form-card.js";
import { Notice } from "#web/parts/notice.js";
import { NewPasswordField, TextField } from "#web/parts/text-field.js";
import { texts, textsIn } from "#words/texts.js";
import { AllCredentialsRemoved, CredentialChoices, choiceFields, toChoice } from "./credential-choices.js";
import { BackToSignIn, Done, type Words, wordsFor } from "./reset.js";

const path = "/auth/reset";

const shared = { path, access: open, tag: "Website", answer: aPage, cacheControl: "no-store", internal: true } as const;

const getResetPage = endpoint({
  ...shared,
  id: "getResetPage",
  method: "GET",
  rate: "read",
  summary: "The forms for a new password",
  query: Type.Object({
    code: Type.Optional(Type.String({ maxLength: 512 })),
    done: Type.Optional(Type.String({ description: "The result of the last action: sent" })),
  }),
});

const submitReset = endpoint({
  ...shared,
  id: "submitReset",
  method: "POST",
  rate: "signIn",
  summary: "Ask for a reset code, or set the password with one",
  body: Type.Object({
    ...formFields("email", "code", "newPassword", "confirmNewPassword").properties,
    ...choiceFields,
  }),
  htmlForm: true,
});

export const resetRoutes: Route[] = [
  pageRoute(getResetPage, async ({ query: { code, done }, request }, { db, clock, mailer }) => {
    const t = wordsFor(request);
    if (code !== undefined) {
      const preview = await previewReset(db, code, clock.now());
      return preview
        ? passwordForm(t, { code, preview })
        : linkDead(t, textsIn(texts.account.doors, localeOf(request)).dead);
    }
    if (!mailer.enabled) return noMail(t);
    return done === "sent"
      ? narrowPage({ title: t.sentTitle, lead: t.sentLead }, <BackToSignIn t={t} />)
      : emailForm(t);
  }),

  formRoute(submitReset, async (call, resources) => {
    const { code, email = "" } = call.body;
    const t = wordsFor(call.request);
    if (code === undefined) {
      const problems = await attempt(async () => {
        const input = parse<{ email: string }>("body", contract.requestPasswordReset.body, { email }, "body");
        await requestPasswordReset(resources, call.actor, input.email);
      });
      return problems ? emailForm(t, email, problems) : seeOther(call.reply, `${path}?done=sent`);
    }
    const preview = await previewReset(resources.db, code, resources.clock.now());
    if (!preview) return linkDead(t, textsIn(texts.account.doors, localeOf(call.request)).dead);
    let remaining = preview.credentials;
    const problems = await attempt(
      async () => {
        const given = { ...call.body, ...toChoice(call.body) };
        const input = parse<PasswordReset>("body", contract.resetPassword.body, given, "body");
        ({ remaining } = await resetPassword(resources, call.actor, input));
      },
      { passwordsDiffer: "confirmNewPassword" },
    );
    if (problems) return passwordForm(t, { code, preview, typed: call.body, problems });
    // Not a redirect: only the holder of the code may see the remaining credentials, and only once.
    return {
      ...narrowPage({ title: t.doneTitle, lead: t.doneLead }, <Done t={t} credentials={remaining} />),
      isSignedOut: call.viewer.kind === "session" && call.viewer.user.userName === preview.userName,
    };
  }),
];

const emailForm = (t: Words, email?: string, problems?: FormProblems): Page =>
  narrowPage(
    { title: t.title, lead: t.askLead, status: problems?.status },
    <FormCard action={path} button={t.send} problems={problems} labels={{ email: t.email }}>
      <TextField
        name="email"
        required
        label={t.email}
        type="email"
        autocomplete="email"
        lengths={lengths.email}
        value={email}
        problems={problems}
      />
    </FormCard>,
  );

interface PasswordFormProps {
  code: string;
  preview: ResetPreview;
  typed?: Parameters<typeof toChoice>[0];
  problems?: FormProblems;
}

const passwordForm = (t: Words, { code, preview, typed, problems }: PasswordFormProps): Page =>
  narrowPage(
    { title: t.title, lead: t.chooseLead(preview.userName), status: problems?.status },
    <FormCard
      action={path}
      button={t.set}
      fields={{ code }}
      problems={problems}
      labels={{ newPassword: t.newPassword, confirmNewPassword: t.again }}
    >
      <NewPasswordField name="newPassword" label={t.newPassword} problems={problems} />
      <TextField
        name="confirmNewPassword"
        required
        label={t.again}
        type="password"
        autocomplete="new-password"
        problems={problems}
      />
      {preview.isFirstProof ? (
        <AllCredentialsRemoved />
      ) : (
        <CredentialChoices credentials={preview.credentials} typed={typed} />
      )}
    </FormCard>,
  );

const noMail = (t: Words): Page =>
  narrowPage(
    { title: t.title, lead: t.noMail },
    <>
      <Notice title={t.operator}>
        <p>
          <code>modshelf admin reset NAME</code> {t.command}
        </p>
      </Notice>
      <BackToSignIn t={t} />
    </>,
  );

const linkDead = (t: Words, title: string): Page =>
  narrowPage(
    { title, lead: t.deadLead, status: fail.codeInvalid().status },
    <p>
      <a href={path}>{t.askAgain}</a>
    </p>,
  );
