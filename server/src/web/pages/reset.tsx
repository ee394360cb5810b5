// A new password: without a code the page asks where to send one, with a code it asks for the password.
import Type from "typebox";
import { fail } from "../../errors.js";
import { open } from "../../http/access.js";
import { endpoint, type Route } from "../../http/endpoint.js";
import { parse } from "../../http/validation.js";
import { lengths } from "../../lib/lengths.js";
import { isCodeGood } from "../../users/codes.js";
import * as contract from "../../users/contract.js";
import { type PasswordReset, requestPasswordReset, resetPassword } from "../../users/reset.js";
import { attempt, type FormProblems, formFields } from "../form.js";
import type { Page } from "../layout.js";
import { aPage, formRoute, pageRoute } from "../page.js";
import { Field, NewPasswordField } from "../parts/field.js";
import { narrowPage } from "../parts/narrow-page.js";
import { Notice } from "../parts/notice.js";
import { PostForm } from "../parts/post-form.js";
import { seeOther } from "../paths.js";

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
    done: Type.Optional(Type.String({ description: "What has just been done: sent or set" })),
  }),
});

const submitReset = endpoint({
  ...shared,
  id: "submitReset",
  method: "POST",
  rate: "signIn",
  summary: "Ask for a reset code, or set the password with one",
  body: formFields("email", "code", "newPassword", "confirmNewPassword"),
  htmlForm: true,
});

export const resetRoutes: Route[] = [
  pageRoute(getResetPage, async (call, { db, clock, mailer }) => {
    const { code, done } = call.query;
    if (code !== undefined) {
      const isGood = await isCodeGood(db, "password_reset", code, clock.now());
      return isGood ? passwordForm(code) : linkDead();
    }
    if (done === "set") return passwordSet();
    if (!mailer.enabled) return noMail();
    return done === "sent" ? codeSent() : emailForm();
  }),

  formRoute(submitReset, async (call, resources) => {
    const { code, email = "" } = call.body;
    if (code === undefined) {
      const problems = await attempt(async () => {
        const input = parse<{ email: string }>("body", contract.requestPasswordReset.body, { email }, "body");
        await requestPasswordReset(resources, call.actor, input.email);
      });
      return problems ? emailForm(email, problems) : seeOther(call.reply, `${path}?done=sent`);
    }
    if (!(await isCodeGood(resources.db, "password_reset", code, resources.clock.now()))) return linkDead();
    const problems = await attempt(
      async () => {
        const input = parse<PasswordReset>("body", contract.resetPassword.body, { ...call.body }, "body");
        await resetPassword(resources, call.actor, input);
      },
      { passwordsDiffer: "confirmNewPassword" },
    );
    return problems ? passwordForm(code, problems) : seeOther(call.reply, `${path}?done=set`);
  }),
];

const title = "Choose a new password";

const emailLabels = { email: "E-mail" };

const emailForm = (email?: string, problems?: FormProblems): Page =>
  narrowPage(
    { title, lead: "Tell us your account's e-mail address, and we send a link to it.", status: problems?.status },
    <PostForm action={path} button="Send the link" problems={problems} labels={emailLabels}>
      <Field
        name="email"
        label={emailLabels.email}
        type="email"
        autoComplete="email"
        lengths={lengths.email}
        value={email}
        problems={problems}
      />
    </PostForm>,
  );

const passwordLabels = { newPassword: "New password", confirmNewPassword: "The same again" };

const passwordForm = (code: string, problems?: FormProblems): Page =>
  narrowPage(
    { title, lead: "Once it is set, you are signed out everywhere.", status: problems?.status },
    <PostForm action={path} button="Set the password" code={code} problems={problems} labels={passwordLabels}>
      <NewPasswordField name="newPassword" label={passwordLabels.newPassword} problems={problems} />
      <Field
        name="confirmNewPassword"
        label={passwordLabels.confirmNewPassword}
        type="password"
        autoComplete="new-password"
        problems={problems}
      />
    </PostForm>,
  );

const codeSent = (): Page =>
  narrowPage({
    title: "Look into your mailbox",
    lead: "If the address belongs to an account, a link is on its way. It works once, within an hour.",
  });

const passwordSet = (): Page =>
  narrowPage({ title: "Your password is set", lead: "Sign in with it. All earlier sessions are signed out." });

const noMail = (): Page =>
  narrowPage(
    { title, lead: "This site sends no mail, so its operator has to help you." },
    <Notice title="For the operator">
      <p>
        <code>modshelf admin reset NAME</code> prints a one-time link for the user.
      </p>
    </Notice>,
  );

const linkDead = (): Page =>
  narrowPage(
    {
      title: "This link does not work",
      lead: "It is mistyped, was used already, or is older than an hour.",
      status: fail.codeInvalid().status,
    },
    <p>
      <a href={path}>Ask for a new one</a>
    </p>,
  );
