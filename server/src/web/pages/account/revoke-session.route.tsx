// The routes of the page in revoke-session.tsx.
import type { FastifyRequest } from "fastify";
import Type from "typebox";
import { findStep } from "#accounts/sessions/steps.js";
import { endSessionByCode } from "#accounts/sessions/write.js";
import { write } from "#platform/changes/write.js";
import type { Db, Row } from "#platform/db/tables.js";
import type { Route } from "#platform/http/endpoint.js";
import { formFields } from "#web/context/form.js";
import type { Page } from "#web/frame/layout.js";
import { narrowPage } from "#web/frame/narrow-page.js";
import { formRoute, pageRoute } from "#web/frame/page.js";
import { ButtonLink } from "#web/parts/button.js";
import { texts } from "#words/texts.js";
import { RevokeSession, shared } from "./revoke-session.js";
import { wordsFor } from "./settings-frame.js";

const kind = "end_session";

export const revokeSessionRoutes: Route[] = [
  pageRoute(
    {
      ...shared,
      id: "getRevokeSessionPage",
      summary: "Ask for confirmation before the session named in a mail is ended",
      query: Type.Object({ code: Type.Optional(Type.String({ maxLength: 128 })) }),
    },
    async ({ request, query }, { db, clock }) => {
      const { code = "" } = query;
      const step = await findStep(db, kind, code, clock.now());
      const session = step?.challenge ? await findSession(db, step.challenge) : undefined;
      if (!session) return gonePage(request);
      const t = wordsFor(request, texts.account.revokeSession);
      return narrowPage({ title: t.title, lead: t.lead }, <RevokeSession session={session} code={code} />);
    },
  ),

  formRoute(
    {
      ...shared,
      id: "submitRevokeSession",
      rate: "signIn",
      summary: "End the session named in a mail",
      body: formFields("code"),
    },
    async ({ request, actor, body }, resources) => {
      const isEnded = await write(resources, actor, (tx) => endSessionByCode(tx, body.code ?? ""));
      if (!isEnded) return gonePage(request);
      const t = wordsFor(request, texts.account.revokeSession);
      return narrowPage(
        { title: t.ended, lead: t.endedLead },
        <p>
          <ButtonLink href="/auth/reset">{t.password}</ButtonLink>
        </p>,
      );
    },
  ),
];

const findSession = (db: Db, id: string): Promise<Row<"sessions"> | undefined> =>
  db.selectFrom("sessions").selectAll().where("id", "=", id).executeTakeFirst();

function gonePage(request: FastifyRequest): Page {
  const t = wordsFor(request, texts.account.revokeSession);
  return narrowPage(
    { title: t.gone, lead: t.goneLead, status: 404 },
    <p>
      <ButtonLink href="/settings/sessions">{t.sessions}</ButtonLink>
    </p>,
  );
}
