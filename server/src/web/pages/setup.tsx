// The first administrator, made with the one-time link from the log. Gone once there is one.
import Type from "typebox";
import { write } from "../../changes/write.js";
import { fail } from "../../errors.js";
import { open } from "../../http/access.js";
import { endpoint, type Route } from "../../http/endpoint.js";
import { parse } from "../../http/validation.js";
import { lengths } from "../../lib/lengths.js";
import { hashPassword } from "../../lib/passwords.js";
import { giveCookie, originOf } from "../../sessions/routes.js";
import { createSession } from "../../sessions/write.js";
import { isCodeGood } from "../../users/codes.js";
import { createFirstAdmin as contract } from "../../users/contract.js";
import { hasAdmin } from "../../users/read.js";
import { createFirstAdmin } from "../../users/write.js";
import { attempt, type FormProblems, formFields } from "../form.js";
import type { Page } from "../layout.js";
import { aPage, formRoute, pageRoute } from "../page.js";
import { Field, NewPasswordField } from "../parts/field.js";
import { narrowPage } from "../parts/narrow-page.js";
import { Notice } from "../parts/notice.js";
import { PostForm } from "../parts/post-form.js";
import { seeOther } from "../paths.js";

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
  method: "POST",
  rate: "signIn",
  summary: "Make the first administrator and sign in",
  body: formFields("code", "userName", "email", "password"),
  htmlForm: true,
});

type Input = { code: string; userName: string; email: string; password: string };

export const setupRoutes: Route[] = [
  pageRoute(getSetupPage, async (call, { db, clock }) => {
    if (await hasAdmin(db)) throw fail.setupDone();
    const { code } = call.query;
    if (code === undefined) return linkNeeded();
    const isGood = await isCodeGood(db, "setup", code, clock.now());
    return isGood ? setupForm({ code }) : linkDead();
  }),

  formRoute(submitSetup, async (call, resources) => {
    const { db, clock, random } = resources;
    if (await hasAdmin(db)) throw fail.setupDone();
    const code = call.body.code ?? "";
    if (!(await isCodeGood(db, "setup", code, clock.now()))) return linkDead();
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
    return problems ? setupForm({ ...call.body, code }, problems) : seeOther(call.reply, "/");
  }),
];

const title = "Set up this Modshelf";
const labels = { userName: "User name", email: "E-mail", password: "Password" };

const setupForm = ({ code, userName, email }: Partial<Input>, problems?: FormProblems): Page =>
  narrowPage(
    {
      title,
      lead: "This makes the first administrator. The link that brought you here works once.",
      status: problems?.status,
    },
    <PostForm action="/setup" button="Make the administrator" code={code} problems={problems} labels={labels}>
      <Field
        name="userName"
        label={labels.userName}
        hint="2 to 32 letters, digits, _ or -. Everybody sees it."
        autoComplete="username"
        lengths={lengths.userName}
        value={userName}
        problems={problems}
      />
      <Field
        name="email"
        label={labels.email}
        type="email"
        hint="For password resets. Nobody else sees it."
        autoComplete="email"
        lengths={lengths.email}
        value={email}
        problems={problems}
      />
      <NewPasswordField name="password" label={labels.password} problems={problems} />
    </PostForm>,
  );

const NewLink = () => (
  <Notice title="How to get a new link">
    <p>
      Run <code>modshelf setup-link</code> on the server, or restart it and look into its log.{" "}
      <code>modshelf admin create NAME EMAIL</code> makes an administrator without this page.
    </p>
  </Notice>
);

const linkNeeded = (): Page =>
  narrowPage(
    { title, lead: "The one-time link that makes the first administrator is in the server's log." },
    <NewLink />,
  );

const linkDead = (): Page =>
  narrowPage(
    {
      title: "This setup link does not work",
      lead: "It is mistyped, was used already, or is older than an hour.",
      status: fail.codeInvalid().status,
    },
    <NewLink />,
  );
