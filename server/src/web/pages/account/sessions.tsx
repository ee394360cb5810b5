// Where one is signed in, and the buttons that end it.

import Type from "typebox";
import { knownProviders } from "#accounts/providers/known-providers.js";
import type { Session } from "#accounts/sessions/contract.js";
import { listSessionRows, toSession } from "#accounts/sessions/read.js";
import { giveCookie } from "#accounts/sessions/routes.js";
import { deleteOtherSessions, deleteSession } from "#accounts/sessions/write.js";
import { write } from "#platform/changes/write.js";
import { sessionOnly } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { useFormat } from "#web/context/frame.js";
import { seeOther } from "#web/context/paths.js";
import { useTexts } from "#web/context/texts.js";
import { formRoute, pageRoute } from "#web/frame/page.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";
import { settingsPage, wordsFor } from "./settings-frame.js";

const path = "/settings/sessions";

export const sessionSettingsRoutes: Route[] = [
  pageRoute(
    {
      id: "getSessionsPage",
      path,
      access: sessionOnly("user_session_read"),
      summary: "Where one is signed in",
      query: Type.Object({ done: Type.Optional(Type.String()) }),
    },
    async ({ request, viewer, query }, { db, clock }) => {
      const rows = await listSessionRows(db, viewer.user.id, clock.now());
      const t = wordsFor(request, texts.account.sessions);
      const done = { ended: t.ended, others: t.othersEnded }[query.done ?? ""];
      return settingsPage({
        title: wordsFor(request, texts.account.settings).sessions,
        lead: t.lead,
        done,
        children: <SessionList sessions={rows.map((row) => toSession(row, viewer.sessionId))} />,
      });
    },
  ),

  formRoute(
    {
      id: "submitSessionEnd",
      path: `${path}/revoke`,
      access: sessionOnly("user_session_delete"),
      summary: "End a session of one's own",
      body: Type.Object({ sessionId: Type.String({ maxLength: 64 }) }),
      errors: ["sessionNotFound"],
    },
    async (call, resources) => {
      const { viewer, body, reply } = call;
      await write(resources, call.actor, (tx) => deleteSession(tx, viewer.user.id, body.sessionId));
      if (body.sessionId !== viewer.sessionId) return seeOther(reply, `${path}?done=ended`);
      giveCookie(call, resources, "", 0);
      return seeOther(reply, "/");
    },
  ),

  formRoute(
    {
      id: "submitOtherSessionsEnd",
      path: `${path}/revoke-others`,
      access: sessionOnly("user_session_delete"),
      summary: "End all sessions but this one",
    },
    async ({ viewer, actor, reply }, resources) => {
      await write(resources, actor, (tx) => deleteOtherSessions(tx, viewer.user.id, viewer.sessionId));
      return seeOther(reply, `${path}?done=others`);
    },
  ),
];

const SessionList = ({ sessions }: { sessions: readonly Session[] }) => {
  const t = useTexts(texts.account.sessions);
  const others = sessions.filter(({ isCurrent }) => !isCurrent).length;
  return (
    <>
      {others > 0 && (
        <Form class="card actions" action={`${path}/revoke-others`}>
          <p>{t.othersHint(others)}</p>
          <Button kind="danger">{t.others}</Button>
        </Form>
      )}
      <ul class="rows">
        {sessions
          .toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
          .map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
      </ul>
    </>
  );
};

const SessionRow = ({ session }: { session: Session }) => {
  const t = useTexts(texts.account.sessions);
  const format = useFormat();
  const { browser, os } = session;
  const device = browser && os ? t.on(browser, os) : (browser ?? os ?? t.unknown);
  const own = { credential: t.password, passkey: t.passkey }[session.providerName];
  const how =
    own ?? (knownProviders as Record<string, { title: string }>)[session.providerName]?.title ?? session.providerName;
  return (
    <li class="card stack">
      <h2>
        {device} {session.isCurrent && <span class="pill release">{t.this}</span>}
      </h2>
      <dl class="facts">
        <dt>{t.signedIn}</dt>
        <dd>
          <Time at={session.dateCreated} />
        </dd>
        <dt>{t.lastUsed}</dt>
        <dd>
          <Time at={session.dateLastActive} />
        </dd>
        <dt>{t.how}</dt>
        <dd>{how}</dd>
        {session.ip && (
          <>
            <dt>{t.network}</dt>
            <dd>{session.ip}</dd>
          </>
        )}
        <dt>{t.expires}</dt>
        <dd>
          <Time at={session.dateExpires} exact />
        </dd>
      </dl>
      <Form action={`${path}/revoke`} class="actions">
        <input type="hidden" name="sessionId" value={session.id} />
        <Button kind="quiet" small aria-label={session.isCurrent ? t.out : `${t.end}: ${device}`}>
          {session.isCurrent ? t.out : t.end}
        </Button>
        {!session.isCurrent && (
          <span class="muted small">{t.willBreak(format.ago(Date.parse(session.dateLastActive)))}</span>
        )}
      </Form>
    </li>
  );
};
