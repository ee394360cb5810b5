// Ends the session that a mail spoke of, for who may not get in any more himself. Looking at the page changes nothing: mail
// programs open links before people do.

import type { FastifyRequest } from "fastify";
import Type from "typebox";
import { findStep } from "#accounts/sessions/steps.js";
import { browserOf, systemOf } from "#accounts/sessions/user-agent.js";
import { endSessionByCode } from "#accounts/sessions/write.js";
import { write } from "#platform/changes/write.js";
import type { Db, Row } from "#platform/db/tables.js";
import { open } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { formFields } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import type { Page } from "#web/frame/layout.js";
import { narrowPage } from "#web/frame/narrow-page.js";
import { formRoute, pageRoute } from "#web/frame/page.js";
import { ButtonLink } from "#web/parts/button.js";
import { FormCard } from "#web/parts/form-card.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";
import { wordsFor } from "./settings-frame.js";

const shared = { path: "/auth/revoke-session", access: open, cacheControl: "no-store" } as const;
const kind = "end_session";

export const revokeSessionRoutes: Route[] = [
  pageRoute(
    {
      ...shared,
      id: "getRevokeSessionPage",
      summary: "The question whether to end the session that a mail spoke of",
      query: Type.Object({ code: Type.Optional(Type.String({ maxLength: 128 })) }),
    },
    async ({ request, query }, { db, clock }) => {
      const { code = "" } = query;
      const step = await findStep(db, kind, code, clock.now());
      const session = step?.challenge ? await findSession(db, step.challenge) : undefined;
      if (!session) return gonePage(request);
      const t = wordsFor(request, texts.account.revokeSession);
      return narrowPage({ title: t.title, lead: t.lead }, <Question session={session} code={code} />);
    },
  ),

  formRoute(
    {
      ...shared,
      id: "submitRevokeSession",
      rate: "signIn",
      summary: "End the session that a mail spoke of",
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

const Question = ({ session, code }: { session: Row<"sessions">; code: string }) => {
  const t = useTexts(texts.account.revokeSession);
  const device = [browserOf(session.user_agent), systemOf(session.user_agent)].filter(Boolean).join(", ");
  return (
    <FormCard action={shared.path} button={t.button} fields={{ code }}>
      <dl class="facts">
        <dt>{t.device}</dt>
        <dd>{device || t.unknown}</dd>
        <dt>{t.address}</dt>
        <dd>{session.address ?? t.unknown}</dd>
        <dt>{t.since}</dt>
        <dd>
          <Time at={session.date_created} />
        </dd>
      </dl>
    </FormCard>
  );
};

function gonePage(request: FastifyRequest): Page {
  const t = wordsFor(request, texts.account.revokeSession);
  return narrowPage(
    { title: t.gone, lead: t.goneLead, status: 404 },
    <p>
      <ButtonLink href="/settings/sessions">{t.sessions}</ButtonLink>
    </p>,
  );
}
