// The list of sessions, with buttons that end them.
import { knownProviders } from "#accounts/providers/known-providers.js";
import type { Session } from "#accounts/sessions/contract.js";
import { useFormat } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";

export const path = "/settings/sessions";

export const SessionList = ({ sessions }: { sessions: readonly Session[] }) => {
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
        <dd>
          <WayIn provider={session.providerName} />
        </dd>
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

/** How somebody signed in, as readers call it. */
export const WayIn = ({ provider }: { provider: string }): string => {
  const t = useTexts(texts.account.sessions);
  const own = { credential: t.password, passkey: t.passkey }[provider];
  return own ?? (knownProviders as Record<string, { title: string }>)[provider]?.title ?? provider;
};
