// The security log: sign-ins, sessions, tokens and passwords, in the order of the events.
import type { SecurityEvent } from "#accounts/users/security-log.js";
import { useTexts } from "#web/context/texts.js";
import { ButtonLink } from "#web/parts/button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";
import { WayIn } from "./sessions.js";

export const path = "/settings/security-log";

export const Log = ({ events, next }: { events: readonly SecurityEvent[]; next: number | undefined }) => {
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

/** The field of the detail that distinguishes events of one kind. */
const Detail = ({ event: { action, detail } }: { event: SecurityEvent }) => {
  const { provider, name, to, repository } = detail;
  if (typeof provider === "string")
    return (
      <span class="muted">
        <WayIn provider={provider} />
      </span>
    );
  const word = name ?? to ?? repository ?? (action === "user.role.set" ? detail.role : undefined);
  return typeof word === "string" ? <bdi class="muted">{word}</bdi> : null;
};
