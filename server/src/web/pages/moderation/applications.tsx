// Applications of third parties, for moderators: finding one, and suspending it.
import type { Application } from "#accounts/applications/read.js";
import { timestamp } from "#platform/http/schemas.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { TextField } from "#web/parts/text-field.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";

export const path = "/moderation/applications";
export const mostShown = 50;

interface Props {
  applications: readonly Application[];
  /** The text of the search. */
  sought: string;
}

export const Applications = ({ applications, sought }: Props) => {
  const t = useTexts(texts.applications.desk);
  return (
    <>
      <p class="lead">{t.lead}</p>
      <Form method="get" class="desk-filters" action={path}>
        <TextField name="q" label={t.search} value={sought} lengths={[0, 64]} verbatim />
        <Button kind="quiet">{t.find}</Button>
      </Form>
      {applications.length === 0 && <EmptyState title={t.none} />}
      {applications.length === mostShown && <p class="muted">{t.newest(mostShown)}</p>}
      <ul class="rows">
        {applications.map((application) => (
          <Row key={application.id} {...application} />
        ))}
      </ul>
    </>
  );
};

const Row = ({ id, name, description, ownerName, homepage, ...rest }: Application) => {
  const t = useTexts(texts.applications.desk);
  const own = useTexts(texts.applications.own);
  const { redirectUris, scopes, dateCreated, dateSuspended } = rest;
  const isSuspended = dateSuspended !== null;
  const act = isSuspended ? t.restore : t.suspend;
  return (
    <li class="card stack">
      <h2>
        <bdi>{name}</bdi> {isSuspended && <span class="pill alpha">{own.suspended}</span>}
      </h2>
      {description !== "" && <p dir="auto">{description}</p>}
      <dl class="facts">
        <dt>{t.owner}</dt>
        <dd>
          <a href={`/moderation/user/${ownerName}`}>{ownerName}</a>
        </dd>
        <dt>{own.id}</dt>
        <dd>
          <code>{id}</code>
        </dd>
        <dt>{own.homepage}</dt>
        <dd>
          <bdi>{homepage}</bdi>
        </dd>
        <dt>{own.redirectUris}</dt>
        <dd>
          <span class="tags">
            {redirectUris.map((uri) => (
              <code key={uri}>{uri}</code>
            ))}
          </span>
        </dd>
        <dt>{own.scopes}</dt>
        <dd>
          <span class="tags">
            {scopes.map((scope) => (
              <code key={scope}>{scope}</code>
            ))}
          </span>
        </dd>
        <dt>{own.since}</dt>
        <dd>
          <Time at={timestamp(dateCreated)} />
        </dd>
      </dl>
      <Form class="actions" action={`${path}/${id}/${isSuspended ? "restore" : "suspend"}`}>
        <Button kind={isSuspended ? "quiet" : "danger"} small aria-label={`${act}: ${name}`}>
          {act}
        </Button>
      </Form>
    </li>
  );
};
