// The view of the publishing page: steps for CI, and the list of webhooks.

import type { Delivery, Webhook } from "#integrations/webhooks/contract.js";
import { eventTypes } from "#integrations/webhooks/event-types.js";
import type { Children } from "#lib/jsx-runtime.js";
import { type FormProblems, listOf } from "#web/context/form.js";
import { useFrame } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { ChoiceBoxes, Choices } from "#web/parts/choices.js";
import { CopyButton } from "#web/parts/copy-button.js";
import { Form } from "#web/parts/form.js";
import { SelectField } from "#web/parts/input-fields.js";
import { Notice } from "#web/parts/notice.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import { TextField } from "#web/parts/text-field.js";
import { Time } from "#web/parts/time.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { texts } from "#words/texts.js";
import { workflowFor, workflowSubject } from "./ci-workflow.js";
import { PermissionMissing } from "./settings-page.js";

export interface ShownHook {
  hook: Webhook;
  deliveries: readonly Delivery[];
}

interface Typed {
  url?: string;
  form?: string;
  events?: string | string[];
}

interface Props {
  view: SettingsView;
  hooks: readonly ShownHook[];
  problems?: FormProblems | undefined;
  typed?: Typed | undefined;
  hookId?: string | undefined;
  secret?: string | null;
  /** Builds that need no key. */
  trusted: Children;
  /** The keys. */
  children: Children;
}

export const Publishing = ({ view, hooks, problems, typed, hookId, secret, trusted, children }: Props) => {
  const t = useTexts(texts.projectSettings.publishing);
  const canManage = view.permissions.has("edit_details");
  const action = `${projectPath(view.project.slug)}/settings/publishing`;
  return (
    <>
      {secret && (
        <div role="status">
          <Notice kind="warning" title={t.secretTitle}>
            <p>{t.secretText}</p>
            <p class="actions">
              <code>{secret}</code> <CopyButton text={secret} />
            </p>
          </Notice>
        </div>
      )}
      {problems && <ProblemSummary problems={problems} labels={{ url: t.url, events: t.events }} />}
      {trusted}
      <Builds view={view} />
      {children}
      <section class="stack">
        <h2>{t.hooksTitle}</h2>
        <p>
          {t.hooksText} <a href="/api/docs#tag-webhooks">{t.docs}</a>
        </p>
        {!canManage && <PermissionMissing permission="edit_details" />}
        {canManage && hooks.length === 0 && <p class="muted">{t.none}</p>}
        <ul class="rows">
          {hooks.map((shown) => (
            <Hook
              key={shown.hook.id}
              {...shown}
              action={`${action}/${shown.hook.id}`}
              {...(shown.hook.id === hookId && { typed, problems })}
            />
          ))}
        </ul>
        {canManage && (
          <Form class="form card" action={action}>
            <h3>{t.addTitle}</h3>
            <TextField
              name="url"
              label={t.url}
              hint={t.urlHint}
              required
              lengths={[0, 2048]}
              value={hookId === undefined ? typed?.url : undefined}
              problems={hookId === undefined ? problems : undefined}
            />
            <SelectField
              name="form"
              label={t.form}
              value={hookId === undefined ? typed?.form : undefined}
              options={(["standard", "discord"] as const).map((form) => ({ value: form, text: t.forms[form] }))}
            />
            <Choices
              name="events"
              legend={t.events}
              options={eventTypes.map((type) => ({ value: type, text: t.event[type] ?? type }))}
              chosen={hookId === undefined && typed ? listOf(typed.events) : ["version.published"]}
              problems={hookId === undefined ? problems : undefined}
            />
            <Button>{t.add}</Button>
          </Form>
        )}
      </section>
    </>
  );
};

const Builds = ({ view }: { view: SettingsView }) => {
  const t = useTexts(texts.projectSettings.publishing);
  const { siteUrl } = useFrame();
  const workflow = workflowFor(workflowSubject(view, siteUrl));
  return (
    <section class="card stack">
      <h2>{t.ciTitle}</h2>
      <p>{t.ciText}</p>
      <ol class="bullet-list">
        <li>
          <a href="#keys">{t.ciSteps.token}</a>
        </li>
        <li>{t.ciSteps.secret}</li>
        <li>{t.ciSteps.workflow}</li>
      </ol>
      <div class="stack">
        <p class="actions">
          <code>.github/workflows/publish.yml</code> <CopyButton text={workflow} />
        </p>
        <pre>
          <code>{workflow}</code>
        </pre>
      </div>
      <p class="small muted">{t.again}</p>
    </section>
  );
};

interface HookProps extends ShownHook {
  action: string;
  typed?: Typed | undefined;
  problems?: FormProblems | undefined;
}

const Hook = ({ hook, deliveries, action, typed, problems }: HookProps) => {
  const t = useTexts(texts.projectSettings.publishing);
  const button = (act: string, text: string) => (
    <Button kind="quiet" small name="act" value={act} formnovalidate>
      {text}
    </Button>
  );
  return (
    <li class="card stack">
      <h3>
        <code>{hook.url.replace("https://", "")}</code>{" "}
        <span class={hook.enabled ? "pill release" : "pill"}>{hook.enabled ? t.on : t.off}</span>
      </h3>
      {hook.disabledReason && <Notice kind="warning" title={t[hook.disabledReason]} />}
      {hook.failures > 0 && <p class="small">{t.failures(hook.failures)}</p>}
      <Form class="form" action={action}>
        <div class="field">
          <label for={`url-${hook.id}`}>{t.newUrl}</label>
          <span class="hint" id={`url-${hook.id}-hint`}>
            {t.newUrlHint}
          </span>
          <input
            id={`url-${hook.id}`}
            name="url"
            value={typed?.url}
            placeholder={hook.url}
            aria-describedby={`url-${hook.id}-hint`}
            maxlength={2048}
            autocomplete="off"
            aria-invalid={problems?.fields.url ? true : undefined}
          />
          {problems?.fields.url && <span class="wrong">{problems.fields.url}</span>}
        </div>
        <fieldset class="field">
          <legend>{t.events}</legend>
          <ChoiceBoxes
            name="events"
            options={eventTypes.map((type) => ({ value: type, text: t.event[type] ?? type }))}
            chosen={typed ? listOf(typed.events) : hook.events}
          />
          {problems?.fields.events && <span class="wrong">{problems.fields.events}</span>}
        </fieldset>
        <label class="check">
          <input type="checkbox" name="enabled" checked={hook.enabled} /> <span>{t.enabled}</span>
        </label>
        <div class="actions">
          <Button small name="act" value="save">
            {t.save}
          </Button>
          {button("ping", t.ping)}
          {hook.form === "standard" && button("rotate", t.rotate)}
          <ButtonLink kind="quiet" small href={`${action}/delete`}>
            {t.remove}
          </ButtonLink>
        </div>
      </Form>
      <details>
        <summary>{t.deliveries}</summary>
        <Deliveries deliveries={deliveries} />
      </details>
    </li>
  );
};

const Deliveries = ({ deliveries }: { deliveries: readonly Delivery[] }) => {
  const t = useTexts(texts.projectSettings.publishing);
  if (deliveries.length === 0) return <p class="muted">{t.noDeliveries}</p>;
  return (
    <div class="wrapping-table">
      <table>
        <thead>
          <tr>
            <th scope="col">{t.when}</th>
            <th scope="col">{t.what}</th>
            <th scope="col">{t.result}</th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map((delivery) => (
            <tr key={delivery.id}>
              <td>
                <Time at={delivery.dateCreated} />
              </td>
              <td>
                <code>{delivery.event}</code>
              </td>
              <td>
                {t.status[delivery.status]}
                {delivery.responseStatus !== null && ` (${delivery.responseStatus})`}
                {delivery.error && <span class="small muted"> {delivery.error}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
