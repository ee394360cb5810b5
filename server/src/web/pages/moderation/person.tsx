// The view of a user for moderators.

import type { Session } from "#accounts/sessions/contract.js";
import type { Project } from "#content/shapes/project.js";
import { lengths } from "#lib/lengths.js";
import type { UserNote } from "#moderation/desk/notes.js";
import type { ModeratedUser } from "#moderation/desk/people-contract.js";
import type { Report } from "#moderation/reports/shapes.js";
import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { ConfirmForm } from "#web/parts/confirm-form.js";
import { Form } from "#web/parts/form.js";
import { SelectField } from "#web/parts/input-fields.js";
import { Notice } from "#web/parts/notice.js";
import { TextField } from "#web/parts/text-field.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";
import { StatusPill } from "./desk-frame.js";
import { Notes, type TypedNote } from "./person-notes.js";

export interface PersonView {
  person: ModeratedUser;
  projects: readonly Project[];
  reports: readonly Report[];
  sessions: readonly Session[];
  notes: readonly UserNote[];
  canAct: boolean;
  isAdmin: boolean;
}

interface Props {
  view: PersonView;
  note?: TypedNote | undefined;
}

export const Person = ({ view, note }: Props) => {
  const t = useTexts(texts.moderation.people);
  const { person, projects, reports, canAct, isAdmin } = view;
  return (
    <div class="review">
      <div class="stack">
        <h2>{t.facts}</h2>
        <Facts person={person} />
        <h2>{t.projects}</h2>
        {projects.length === 0 && <p class="muted">{t.noProjects}</p>}
        <ul class="plain-list">
          {projects.map(({ id, name, status }) => (
            <li key={id}>
              <a href={`/moderation/queue/${id}`} dir="auto">
                {name}
              </a>{" "}
              <StatusPill status={status} />
            </li>
          ))}
        </ul>
        <h2>{t.reports}</h2>
        <Reports reports={reports} />
        <Notes userName={person.user.userName} notes={view.notes} typed={note} />
      </div>
      <div class="stack review-side">
        <h2>{t.suspension}</h2>
        {canAct ? <Suspension person={person} /> : <p class="muted">{t.protectedText}</p>}
        <h2>{t.sessions}</h2>
        <Sessions view={view} />
        {isAdmin && canAct && <RoleForm person={person} />}
      </div>
    </div>
  );
};

const Facts = ({ person }: { person: ModeratedUser }) => {
  const t = useTexts(texts.moderation.people);
  const { roles } = useTexts(texts.moderation.desk);
  const { user, decisions, cases, reports } = person;
  return (
    <dl class="facts">
      <dt>{t.profile}</dt>
      <dd>
        <a href={`/user/${user.userName}`} dir="auto">
          {user.userName}
        </a>
      </dd>
      <dt>{t.role}</dt>
      <dd>{roles[user.role as keyof typeof roles]}</dd>
      <dt>{t.joined}</dt>
      <dd>
        <Time at={user.dateJoined} />
      </dd>
      <dt>{t.owns}</dt>
      <dd>{person.projects}</dd>
      <dt>{t.decisions}</dt>
      <dd>{t.decided(decisions.approved, decisions.turnedDown)}</dd>
      <dt>{t.about}</dt>
      <dd>{t.cases(cases.open, cases.closed)}</dd>
      <dt>{t.made}</dt>
      <dd>{t.madeOf(reports.made, reports.actionTaken)}</dd>
    </dl>
  );
};

const Reports = ({ reports }: Pick<PersonView, "reports">) => {
  const t = useTexts(texts.moderation.people);
  const { reportTypes, itemTypes } = useTexts(texts.moderation.desk);
  if (reports.length === 0) return <p class="muted">{t.noReports}</p>;
  return (
    <ul class="plain-list">
      {reports.map(({ id, reportType, itemType, createdAt }) => (
        <li key={id}>
          <a href={`/moderation/report/${id}`}>
            {itemTypes[itemType]}: {reportTypes[reportType]}
          </a>{" "}
          <span class="muted small">
            <Time at={createdAt} />
          </span>
        </li>
      ))}
    </ul>
  );
};

const Suspension = ({ person }: { person: ModeratedUser }) => {
  const t = useTexts(texts.moderation.people);
  const path = `/moderation/user/${person.user.userName}`;
  if (person.suspension)
    return (
      <>
        <Notice kind="warning" title={t.isSuspended}>
          <p dir="auto">{person.suspension.reason}</p>
          <p class="small">
            <Time at={person.suspension.dateSuspended} />
          </p>
        </Notice>
        <Form action={`${path}/unsuspend`}>
          <Button kind="quiet">{t.unsuspend}</Button>
        </Form>
      </>
    );
  return (
    <p>
      <ButtonLink kind="quiet" href={`${path}/suspend`}>
        {t.suspend}
      </ButtonLink>
    </p>
  );
};

interface SuspendProps {
  person: ModeratedUser;
  typed?: { reason: string; problems: FormProblems };
}

/** The page before a user is suspended: the effects, and the reason. */
export const SuspendForm = ({ person, typed }: SuspendProps) => {
  const t = useTexts(texts.moderation.people);
  const { reason, recordHint } = useTexts(texts.moderation.desk);
  const path = `/moderation/user/${person.user.userName}`;
  const { problems } = typed ?? {};
  return (
    <ConfirmForm action={`${path}/suspend`} button={t.suspend} back={path} labels={{ reason }} problems={problems}>
      <p>{t.suspendHint}</p>
      <TextField
        name="reason"
        required
        label={reason}
        hint={recordHint}
        value={typed?.reason ?? ""}
        lengths={lengths.moderationReason}
        problems={problems}
      />
    </ConfirmForm>
  );
};

/** Only administrators see the network addresses. */
const Sessions = ({ view: { person, sessions, canAct, isAdmin } }: { view: PersonView }) => {
  const t = useTexts(texts.moderation.people);
  if (sessions.length === 0) return <p class="muted">{t.noSessions}</p>;
  return (
    <>
      <ul class="plain-list">
        {sessions.map(({ id, os, browser, ip, dateLastActive }) => (
          <li key={id} class="small">
            {[browser, os, isAdmin ? ip : null].filter(Boolean).join(", ") || "–"} · {t.lastActive}{" "}
            <Time at={dateLastActive} />
          </li>
        ))}
      </ul>
      {canAct && (
        <p>
          <ButtonLink kind="quiet" href={`/moderation/user/${person.user.userName}/sign-out`}>
            {t.endSessions}
          </ButtonLink>
        </p>
      )}
    </>
  );
};

const RoleForm = ({ person: { user } }: { person: ModeratedUser }) => {
  const t = useTexts(texts.moderation.people);
  const { roles } = useTexts(texts.moderation.desk);
  return (
    <>
      <h2>{t.setRole}</h2>
      <Form method="get" class="form" action={`/moderation/user/${user.userName}/role`}>
        <SelectField
          name="role"
          label={t.newRole}
          value={user.role}
          options={Object.entries(roles).map(([value, text]) => ({ value, text }))}
        />
        <Button kind="quiet">{t.setRole}</Button>
      </Form>
    </>
  );
};
