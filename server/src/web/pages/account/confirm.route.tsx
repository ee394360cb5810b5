// The routes of the page in confirm.tsx.
import Type from "typebox";
import { listProofs } from "#accounts/sessions/confirming.js";
import { confirmSession } from "#accounts/sessions/write.js";
import { write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import { sessionOnly } from "#platform/http/access.js";
import { endpoint, type Route, route } from "#platform/http/endpoint.js";
import { Done, done } from "#platform/http/schemas.js";
import { formFields } from "#web/context/form.js";
import { safeNext, seeOther } from "#web/context/paths.js";
import { tryToConfirm } from "#web/frame/confirmation.js";
import type { Page } from "#web/frame/layout.js";
import { formRoute, pageRoute } from "#web/frame/page.js";
import { texts } from "#words/texts.js";
import { Confirm, next, type Props, path } from "./confirm.js";
import { Answer, Step, takePasskey } from "./passkeys.route.js";
import { wordsFor } from "./settings-frame.js";

const access = sessionOnly("user_auth_write");

export const confirmRoutes: Route[] = [
  pageRoute(
    {
      id: "getConfirmPage",
      path,
      access,
      summary: "The form to confirm one's identity",
      cacheControl: "no-store",
      query: Type.Object({ next }),
    },
    async ({ request, viewer, query }, resources) => {
      const proofs = await listProofs(resources, viewer.user.id);
      return confirmPage(wordsFor(request, texts.frame.confirmation).title, { proofs, next: safeNext(query.next) });
    },
  ),

  formRoute(
    {
      id: "submitConfirm",
      path,
      access,
      rate: "signIn",
      summary: "Confirm one's identity",
      body: formFields("next", "code", "password"),
    },
    async (call, resources) => {
      const { request, reply, viewer, body } = call;
      const to = safeNext(body.next);
      const problems = await tryToConfirm(call, resources, viewer, body);
      if (!problems) return seeOther(reply, to);
      const proofs = await listProofs(resources, viewer.user.id);
      return confirmPage(wordsFor(request, texts.frame.confirmation).title, { proofs, next: to, problems });
    },
  ),

  route(
    endpoint({
      id: "finishPasskeyConfirmation",
      method: "POST",
      path: `${path}/passkey`,
      access,
      rate: "signIn",
      tag: "Website",
      internal: true,
      cacheControl: "no-store",
      summary: "Confirm one's identity with a passkey",
      body: Type.Object({ step: Step, answer: Answer }),
      answer: Done,
      errors: ["passkeyRefused"],
    }),
    async ({ viewer, actor, body }, resources) => {
      const userId = await takePasskey(resources, actor, body);
      if (userId !== viewer.user.id) throw fail.passkeyRefused();
      await write(resources, actor, (tx) => confirmSession(tx, viewer, true));
      return done("Confirmed");
    },
  ),
];

const confirmPage = (title: string, props: Props): Page => ({
  title,
  status: props.problems?.status,
  scripts: ["passkeys"],
  content: <Confirm {...props} />,
});
