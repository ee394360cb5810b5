// The endpoints of the passkey script: two to sign in, two to add a passkey. Removing one is a plain form.
import Type from "typebox";
import { findPasskey, listPasskeys } from "#accounts/passkeys/read.js";
import {
  askForNewPasskey,
  askForPasskey,
  checkNewPasskey,
  checkPasskey,
  credentialIdOf,
} from "#accounts/passkeys/webauthn.js";
import { addPasskey, notePasskeyUse, removePasskey } from "#accounts/passkeys/write.js";
import { createStep, takeStep } from "#accounts/sessions/steps.js";
import { canSignIn, isFresh } from "#accounts/users/policy.js";
import { findAccount } from "#accounts/users/read.js";
import { type Actor, write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import { open, sessionOnly } from "#platform/http/access.js";
import { endpoint, type Route, route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { Done, done, Text } from "#platform/http/schemas.js";
import { seeOther } from "#web/context/paths.js";
import { formRoute } from "#web/frame/page.js";
import { securityPath } from "./security.js";
import { enter } from "./sign-in.route.js";

const shared = { method: "POST", tag: "Website", internal: true, cacheControl: "no-store" } as const;
const adding = { ...shared, access: sessionOnly("user_auth_write"), rate: "write" } as const;

const Challenge = Type.Object({
  success: Type.Literal(true),
  step: Type.String({ description: "To send with the answer" }),
  options: Type.String({ description: "For navigator.credentials, as JSON" }),
});
// As text: the library checks its content, whose form changes with the standard.
export const Answer = Type.String({ maxLength: 20_000, description: "The result of navigator.credentials, as JSON" });
export const Step = Type.String({ maxLength: 128 });

const beginPasskeySignIn = endpoint({
  ...shared,
  id: "beginPasskeySignIn",
  path: "/auth/passkey/begin",
  access: open,
  rate: "signIn",
  summary: "Start a sign-in with a passkey",
  answer: Challenge,
  secretAnswer: true,
});

const finishPasskeySignIn = endpoint({
  ...shared,
  id: "finishPasskeySignIn",
  path: "/auth/passkey/finish",
  access: open,
  rate: "signIn",
  summary: "Sign in with a passkey",
  body: Type.Object({ step: Step, answer: Answer }),
  answer: Done,
  setsCookie: true,
  errors: ["passkeyRefused", "accountSuspended"],
});

const beginPasskey = endpoint({
  ...adding,
  id: "beginPasskey",
  path: `${securityPath}/passkeys/begin`,
  summary: "Start adding a passkey",
  answer: Challenge,
  errors: ["freshSessionNeeded"],
  secretAnswer: true,
});

const finishPasskey = endpoint({
  ...adding,
  id: "finishPasskey",
  path: `${securityPath}/passkeys/finish`,
  summary: "Add a passkey",
  body: Type.Object({ step: Step, answer: Answer, name: Text("tokenName", { examples: ["Phone"] }) }),
  answer: Done,
  errors: ["passkeyRefused", "freshSessionNeeded", "limitReached"],
});

/** Checks the answer to beginPasskeySignIn. Returns the owner of the passkey. */
export async function takePasskey(
  resources: Resources,
  actor: Actor,
  { step, answer }: { step: string; answer: string },
): Promise<string> {
  const begun = await write(resources, actor, (tx) => takeStep(tx, "passkey_sign_in", step));
  const passkey = await findPasskey(resources.db, credentialIdOf(answer) ?? "");
  if (!begun?.challenge || !passkey) throw fail.passkeyRefused();
  const counter = await checkPasskey(resources.config.http.url, begun.challenge, answer, passkey);
  const account = await findAccount(resources.db, passkey.user_id);
  if (!account) throw fail.passkeyRefused();
  if (!canSignIn(account)) throw fail.accountSuspended();
  await write(resources, { ...actor, userId: account.id }, (tx) => notePasskeyUse(tx, passkey.id, counter));
  return account.id;
}

export const passkeyRoutes: Route[] = [
  route(beginPasskeySignIn, async ({ actor }, resources) => {
    const options = await askForPasskey(resources.config.http.url, resources.random);
    const step = await write(resources, actor, (tx) =>
      createStep(tx, "passkey_sign_in", { challenge: options.challenge }),
    );
    return { success: true as const, step, options: JSON.stringify(options) };
  }),

  route(finishPasskeySignIn, async (call, resources) => {
    const { body, actor } = call;
    const userId = await takePasskey(resources, actor, body);
    await enter(call, resources, userId, "passkey", { secondFactor: true });
    return done("Signed in");
  }),

  route(beginPasskey, async ({ viewer, actor }, resources) => {
    const { db, clock, config, random } = resources;
    if (!isFresh(viewer, clock.now())) throw fail.freshSessionNeeded();
    const existing = await listPasskeys(db, viewer.user.id);
    const options = await askForNewPasskey(
      { siteUrl: config.http.url, siteName: config.look.name },
      random,
      viewer.user,
      existing,
    );
    const { challenge } = options;
    const userId = viewer.user.id;
    const step = await write(resources, actor, (tx) => createStep(tx, "passkey_add", { userId, challenge }));
    return { success: true as const, step, options: JSON.stringify(options) };
  }),

  route(finishPasskey, async ({ viewer, actor, body }, resources) => {
    const { clock, config } = resources;
    if (!isFresh(viewer, clock.now())) throw fail.freshSessionNeeded();
    const begun = await write(resources, actor, (tx) => takeStep(tx, "passkey_add", body.step));
    if (!begun?.challenge || begun.user_id !== viewer.user.id) throw fail.passkeyRefused();
    const credential = await checkNewPasskey(config.http.url, begun.challenge, body.answer);
    await write(resources, actor, (tx) => addPasskey(tx, viewer.user.id, body.name, credential));
    return done("Passkey added");
  }),

  formRoute(
    {
      id: "submitPasskeyRemoval",
      path: `${securityPath}/passkeys/:id/remove`,
      access: sessionOnly("user_auth_write"),
      summary: "Remove a passkey",
      params: Type.Object({ id: Type.String({ maxLength: 64 }) }),
      errors: ["passkeyNotFound", "lastSignInMethod", "freshSessionNeeded"],
    },
    async ({ viewer, actor, params, reply }, resources) => {
      if (!isFresh(viewer, resources.clock.now())) throw fail.freshSessionNeeded();
      await write(resources, actor, (tx) => removePasskey(tx, viewer.user.id, params.id));
      return seeOther(reply, `${securityPath}?done=removed`);
    },
  ),
];
