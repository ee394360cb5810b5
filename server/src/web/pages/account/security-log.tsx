// The security log: sign-ins, sessions, tokens, passwords, in the order in which they happened.

import Type from "typebox";
import { listSecurityEvents, type SecurityEvent } from "#accounts/users/security-log.js";
import { sessionOnly } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { useTexts } from "#web/context/texts.js";
import { pageRoute } from "#web/frame/page.js";
import { ButtonLink } from "#web/parts/button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";
import { settingsPage, wordsFor } from "./settings-frame.js";

const path = "/settings/security-log";
const pageSize = 50;

export const securityLogRoutes: Route[] = [
  pageRoute(
    {
      id: "getSecurityLogPage",
      path,
      access: sessionOnly("user_session_read"),
      summary: "What happened to the own account",
      query: Type.Object({ before: Type.Optional(Type.Integer({ minimum: 1 })) }),
    },
    async ({ request, viewer, query }, { db }) => {
      const found = await listSecurityEvents(db, viewer.user.id, { before: query.before, limit: pageSize + 1 });
      const events = found.slice(0, pageSize);
      const next = found.length > pageSize ? events.at(-1)?.id : undefined;
      return settingsPage({
        title: wordsFor(request, texts.account.settings).log,
        lead: wordsFor(request, texts.account.securityLog).lead,
        children: <Log events={events} next={next} />,
      });
    },
  ),
];

const Log = ({ events, next }: { events: readonly SecurityEvent[]; next: number | undefined }) => {
  const t = useTexts(texts.account.securityLog);
  const actions: Record<string, string> = t.actions;
  if (events.length === 0) return <EmptyState title={t.empty} />;
  return (
    <>
      <table class="log">
        <thead>
          <tr>
            <th scope="col">{t.what}</th>
            <th scope="col">{t.when}</th>
            <th scope="col">{t.where}</th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <tr key={event.id}>
              <td>
                {actions[event.action] ?? event.action} <Detail event={event} />
              </td>
              <td>
                <Time at={event.date} />
              </td>
              <td>{event.isByOther ? t.byOther : event.address}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {next !== undefined && (
        <p>
          <ButtonLink kind="quiet" href={`${path}?before=${next}`} rel="next">
            {t.older}
          </ButtonLink>
        </p>
      )}
    </>
  );
};

/** The one word of the detail that tells events of a kind apart. */
const Detail = ({ event: { action, detail } }: { event: SecurityEvent }) => {
  const { provider, name, to, repository } = detail;
  const word = provider ?? name ?? to ?? repository ?? (action === "user.role.set" ? detail.role : undefined);
  return typeof word === "string" ? <bdi class="muted">{word}</bdi> : null;
};
