// The checklist of a new site, each point with an action, and the results of tests.

import type { Todo } from "#operations/administration/health.js";
import type { StorageTrial } from "#operations/administration/trials.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { Notice } from "#web/parts/notice.js";
import { texts } from "#words/texts.js";

/** The page for each point, if there is one. */
const places: Partial<Record<Todo["id"], string>> = {
  mail: "/admin/settings/mail",
  rules: "/admin/legal?page=rules",
  moderator: "/admin/users",
  review: "/admin/settings/moderation",
};

export const Checklist = ({ todos }: { todos: readonly Todo[] }) => {
  const t = useTexts(texts.admin.overview);
  return (
    <ul class="plain-list desk-todos">
      {todos.map(({ id, isDone }) => (
        <li key={id}>
          <span class={isDone ? "pill release" : "pill beta"}>
            {isDone ? "✓" : "○"} {isDone ? t.isDone : t.isOpen}
          </span>
          <span>{places[id] ? <a href={places[id]}>{t.todos[id]}</a> : t.todos[id]}</span>
          {id === "storage" && <TestForm />}
        </li>
      ))}
    </ul>
  );
};

const TestForm = () => (
  <Form action="/admin/test/storage">
    <Button kind="quiet" small>
      {useTexts(texts.admin.checklist).test}
    </Button>
  </Form>
);

export const TrialNotice = ({ trial }: { trial: StorageTrial | undefined }) => {
  const t = useTexts(texts.admin.checklist);
  if (!trial) return null;
  return (
    <div role="status">
      {trial.fault === undefined ? (
        <Notice title={t.works} />
      ) : (
        <Notice kind="problem" title={t.fails}>
          <p dir="auto">{trial.fault}</p>
        </Notice>
      )}
    </div>
  );
};

export const ContinueSetup = () => {
  const t = useTexts(texts.admin.checklist);
  return (
    <Notice title={t.goOn}>
      <p>{t.goOnText}</p>
      <p>
        <ButtonLink href="/setup/site">{t.goOnButton}</ButtonLink>
      </p>
    </Notice>
  );
};
