// The applications that the user has connected to their account, and the button that disconnects one.
import type { Connection } from "#accounts/applications/read.js";
import { timestamp } from "#platform/http/schemas.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";
import { ScopeList } from "./scope-list.js";

export const path = "/settings/connections";

export const Connections = ({ connections }: { connections: readonly Connection[] }) => {
  const t = useTexts(texts.applications.connections);
  if (connections.length === 0)
    return (
      <EmptyState title={t.none}>
        <p>{t.noneText}</p>
      </EmptyState>
    );
  return (
    <ul class="rows">
      {connections.map((connection) => (
        <Row key={connection.applicationId} {...connection} />
      ))}
    </ul>
  );
};

const Row = ({ applicationId, name, ownerName, homepage, scopes, dateConnected, dateLastUsed }: Connection) => {
  const t = useTexts(texts.applications.connections);
  return (
    <li class="card stack">
      <h2>
        <bdi>{name}</bdi>
      </h2>
      <p class="muted">
        {t.by(ownerName)} · <bdi>{new URL(homepage).host}</bdi>
      </p>
      <dl class="facts">
        <dt>{t.since}</dt>
        <dd>
          <Time at={timestamp(dateConnected)} />
        </dd>
        <dt>{t.lastUsed}</dt>
        <dd>
          <Time at={timestamp(dateLastUsed)} />
        </dd>
        <dt>{t.scopes}</dt>
        <dd>
          <ScopeList scopes={scopes} />
        </dd>
      </dl>
      <Form class="actions" action={`${path}/${applicationId}/disconnect`}>
        <Button kind="quiet" small aria-label={`${t.disconnect}: ${name}`}>
          {t.disconnect}
        </Button>
      </Form>
    </li>
  );
};
