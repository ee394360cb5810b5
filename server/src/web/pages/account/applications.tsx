// The applications that the user has registered: the list, and the page of one.
import { type Application, mostCounted } from "#accounts/applications/read.js";
import { timestamp } from "#platform/http/schemas.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { CopyButton } from "#web/parts/copy-button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { Notice } from "#web/parts/notice.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";
import { ApplicationForm, type ApplicationFormProps } from "./application-form.js";

export const path = "/settings/applications";

export const ApplicationList = ({ applications }: { applications: readonly Application[] }) => {
  const t = useTexts(texts.applications.own);
  const make = { href: `${path}/new`, text: t.make };
  if (applications.length === 0)
    return (
      <EmptyState title={t.none} action={make}>
        <p>{t.noneText}</p>
      </EmptyState>
    );
  return (
    <>
      <p>
        <ButtonLink href={make.href}>{make.text}</ButtonLink>
      </p>
      <ul class="rows">
        {applications.map(({ id, name, secretDigest, dateCreated, dateSuspended }) => (
          <li key={id} class="card stack">
            <h2>
              <bdi>{name}</bdi> {dateSuspended !== null && <span class="pill alpha">{t.suspended}</span>}
            </h2>
            <dl class="facts">
              <ClientId id={id} />
              <dt>{t.type}</dt>
              <dd>{secretDigest === null ? t.isPublic : t.isConfidential}</dd>
              <dt>{t.since}</dt>
              <dd>
                <Time at={timestamp(dateCreated)} />
              </dd>
            </dl>
            <p class="actions">
              <ButtonLink kind="quiet" small href={`${path}/${id}`} aria-label={`${t.edit}: ${name}`}>
                {t.edit}
              </ButtonLink>
            </p>
          </li>
        ))}
      </ul>
    </>
  );
};

const ClientId = ({ id }: { id: string }) => {
  const t = useTexts(texts.applications.own);
  return (
    <>
      <dt>{t.id}</dt>
      <dd>
        <code>{id}</code> <CopyButton text={id} />
      </dd>
    </>
  );
};

interface Props extends Pick<ApplicationFormProps, "fields" | "problems"> {
  application: Application;
  users: number;
}

export const OwnApplication = ({ application: { id, secretDigest, dateSuspended }, users, ...form }: Props) => {
  const t = useTexts(texts.applications.own);
  return (
    <>
      {dateSuspended !== null && (
        <Notice kind="problem" title={t.suspended}>
          <p>{t.suspendedText}</p>
        </Notice>
      )}
      <dl class="facts">
        <ClientId id={id} />
        <dt>{t.type}</dt>
        <dd>{secretDigest === null ? t.isPublic : t.isConfidential}</dd>
        <dt>{t.usersTitle}</dt>
        <dd>
          <UserCount users={users} />
        </dd>
      </dl>
      <ApplicationForm action={`${path}/${id}`} button={t.save} {...form} />
      {secretDigest !== null && (
        <section class="card stack">
          <h2>{t.secret}</h2>
          <p>{t.secretText}</p>
          <Form action={`${path}/${id}/secret`}>
            <Button kind="quiet">{t.renewSecret}</Button>
          </Form>
        </section>
      )}
      <section class="card stack">
        <h2>{t.delete}</h2>
        <p>{t.deleteText}</p>
        <p>
          <ButtonLink kind="danger" href={`${path}/${id}/delete`}>
            {t.delete}
          </ButtonLink>
        </p>
      </section>
    </>
  );
};

export const UserCount = ({ users }: { users: number }) => {
  const t = useTexts(texts.applications.own);
  return users > mostCounted ? t.manyUsers(mostCounted) : t.users(users);
};

/** The secret of a confidential application, which is shown only once. */
export const ShownSecret = ({ id, secret }: { id: string; secret: string }) => {
  const t = useTexts(texts.applications.own);
  return (
    <div class="card stack">
      <dl class="facts">
        <ClientId id={id} />
      </dl>
      <p class="secret">
        <code>{secret}</code> <CopyButton text={secret} />
      </p>
      <p>
        <ButtonLink href={`${path}/${id}`}>{t.stored}</ButtonLink>
      </p>
    </div>
  );
};
