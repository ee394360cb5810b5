// The routes of the page in confirm-action.tsx.
import type { FastifyRequest } from "fastify";
import Type from "typebox";
import {
  type ActionType,
  addPasswordWithCode,
  cancelAction,
  deleteAccountWithCode,
  findAction,
} from "#accounts/users/actions.js";
import { open } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { attempt, formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import type { Page } from "#web/frame/layout.js";
import { narrowPage } from "#web/frame/narrow-page.js";
import { formRoute, pageRoute } from "#web/frame/page.js";
import { ButtonLink } from "#web/parts/button.js";
import { texts } from "#words/texts.js";
import { ConfirmAction, type Kind, path } from "./confirm-action.js";
import { wordsFor } from "./settings-frame.js";

const shared = { path, access: open, cacheControl: "no-store" } as const;

export const confirmActionRoutes: Route[] = [
  pageRoute(
    {
      ...shared,
      id: "getConfirmActionPage",
      summary: "Ask for confirmation before the action named in a mail",
      query: Type.Object({ code: Type.Optional(Type.String({ maxLength: 128 })) }),
    },
    async ({ request, reply, query }, { db, clock }) => {
      const { code = "" } = query;
      const action = await findAction(db, code, clock.now());
      if (!action) return gonePage(request);
      // A password reset has its own page, where the new password is chosen.
      if (action.type === "change-account-password")
        return seeOther(reply, `/auth/reset?code=${encodeURIComponent(code)}`);
      const t = wordsFor(request, texts.account.confirmAction);
      const kind = kindOf(action.type);
      return narrowPage({ title: t[kind], lead: t[`${kind}Lead`] }, <ConfirmAction kind={kind} code={code} />);
    },
  ),

  formRoute(
    {
      ...shared,
      id: "submitConfirmAction",
      rate: "signIn",
      summary: "Do the action named in a mail, or cancel it",
      body: formFields("code", "cancel"),
      errors: ["codeInvalid", "lastAdmin"],
    },
    async ({ request, actor, viewer, body }, resources) => {
      const { code = "", cancel } = body;
      const action = await findAction(resources.db, code, resources.clock.now());
      if (!action || action.type === "change-account-password") return gonePage(request);
      const t = wordsFor(request, texts.account.confirmAction);
      const kind = kindOf(action.type);
      const problems = await attempt(
        async () => {
          if (cancel !== undefined) await cancelAction(resources, actor, code);
          else if (kind === "password") await addPasswordWithCode(resources, actor, viewer, code);
          else await deleteAccountWithCode(resources, actor, code);
        },
        { codeInvalid: "code", lastAdmin: "code" },
      );
      if (problems)
        return {
          ...narrowPage({ title: t[kind], lead: t[`${kind}Lead`] }, <ConfirmAction {...{ kind, code, problems }} />),
          status: problems.status,
        };
      if (cancel !== undefined) return endPage(request, { title: t.cancelled, lead: t.cancelledLead });
      return {
        ...endPage(request, { title: t[`${kind}Done`], lead: t[`${kind}DoneLead`] }),
        isSignedOut: kind === "deletion" && viewer.kind !== "anonymous" && viewer.user.id === action.userId,
      };
    },
  ),
];

const kindOf = (type: ActionType): Kind => (type === "confirm-new-password" ? "password" : "deletion");

const endPage = (request: FastifyRequest, opening: { title: string; lead: string; status?: number }): Page =>
  narrowPage(
    opening,
    <p>
      <ButtonLink href="/">{wordsFor(request, texts.account.confirmAction).home}</ButtonLink>
    </p>,
  );

const gonePage = (request: FastifyRequest): Page => {
  const t = wordsFor(request, texts.account.confirmAction);
  return endPage(request, { title: t.gone, lead: t.goneLead, status: 404 });
};
