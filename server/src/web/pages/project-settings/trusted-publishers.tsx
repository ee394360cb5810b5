// Trusted publishers of a project: the builds that may publish without a key, the workflow for each, and a form to add
// one.
import type { Static } from "typebox";
import type { TrustedIssuer } from "#content/publishers/identity.js";
import type { PublisherRow } from "#content/publishers/read.js";
import { lengths } from "#lib/lengths.js";
import { type FormProblems, formFields } from "#web/context/form.js";
import { useFrame } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { CopyButton } from "#web/parts/copy-button.js";
import { Form } from "#web/parts/form.js";
import { FreshNeeded } from "#web/parts/fresh-needed.js";
import { SelectField } from "#web/parts/input-fields.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import { TextField } from "#web/parts/text-field.js";
import { Time } from "#web/parts/time.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { texts } from "#words/texts.js";
import { trustedWorkflowFor, workflowSubject } from "./ci-workflow.js";

export const place = "/settings/publishing";

export const below = `${place}/publishers`;

export const names = ["issuer", "repository", "workflow", "environment"] as const;

export const body = formFields(...names);

type Typed = Static<typeof body>;

export interface TrustedState {
  issuers: readonly TrustedIssuer[];
  publishers: readonly PublisherRow[];
  isFresh: boolean;
}

interface Props extends TrustedState {
  view: SettingsView;
  typed?: Typed;
  problems?: FormProblems;
}

export const TrustedPublishers = ({ view, issuers, publishers, isFresh: fresh, typed, problems }: Props) => {
  const t = useTexts(texts.projectSettings.trusted);
  const action = `${projectPath(view.project.slug)}${below}`;
  if (issuers.length === 0) return null;
  return (
    <section class="stack" id="publishers">
      <h2>{t.title}</h2>
      <p>{t.lead}</p>
      {problems && <ProblemSummary problems={problems} labels={t.labels} />}
      {publishers.length === 0 && <p class="muted">{t.none}</p>}
      <ul class="rows">
        {publishers.map((row) => (
          <Publisher key={row.id} view={view} row={row} issuers={issuers} action={`${action}/${row.id}/remove`} />
        ))}
      </ul>
      {view.permissions.has("upload_version") &&
        (fresh ? (
          <Form class="form card" action={action}>
            <h3>{t.addTitle}</h3>
            <SelectField
              name="issuer"
              label={t.labels.issuer}
              value={typed?.issuer}
              options={issuers.map(({ url, kind }) => ({ value: url, text: titleOf(url, kind) }))}
              problems={problems}
            />
            <TextField
              name="repository"
              label={t.labels.repository}
              hint={t.hints.repository}
              value={typed?.repository}
              lengths={lengths.repository}
              required
              problems={problems}
            />
            <TextField
              name="workflow"
              label={t.labels.workflow}
              hint={t.hints.workflow}
              value={typed?.workflow}
              lengths={lengths.workflow}
              required
              problems={problems}
            />
            <TextField
              name="environment"
              label={t.labels.environment}
              hint={t.hints.environment}
              value={typed?.environment}
              lengths={lengths.environment}
              problems={problems}
            />
            <Button>{t.add}</Button>
          </Form>
        ) : (
          <FreshNeeded next={`${projectPath(view.project.slug)}${place}#publishers`} />
        ))}
    </section>
  );
};

/** The two well-known services by name; others by host. */
const titleOf = (url: string, kind: TrustedIssuer["kind"]): string => {
  if (url === "https://token.actions.githubusercontent.com") return "GitHub Actions";
  return url === "https://gitlab.com" ? "GitLab.com" : `${new URL(url).host} (${kind})`;
};

interface PublisherProps {
  view: SettingsView;
  row: PublisherRow;
  issuers: readonly TrustedIssuer[];
  action: string;
}

const Publisher = ({ view, row, issuers, action }: PublisherProps) => {
  const t = useTexts(texts.projectSettings.trusted);
  const { siteUrl } = useFrame();
  const issuer = issuers.find(({ url }) => url === row.issuer);
  const addedBy = view.project.members.find(({ userId }) => userId === row.user_id)?.userName;
  const workflow =
    issuer &&
    trustedWorkflowFor[issuer.kind](workflowSubject(view, siteUrl), row.environment === "" ? null : row.environment);
  return (
    <li class="card stack">
      <div class="row">
        <div class="grow">
          <h3>
            <bdi>{row.repository}</bdi>
          </h3>
          <p class="small muted">
            {issuer ? titleOf(issuer.url, issuer.kind) : t.distrusted} · <code>{row.workflow}</code>
            {row.environment !== "" && (
              <>
                {" "}
                · {t.labels.environment}: <bdi>{row.environment}</bdi>
              </>
            )}
          </p>
          <p class="small muted">
            {row.date_last_used === null ? (
              t.unused
            ) : (
              <>
                {t.lastUsed} <Time at={row.date_last_used} />
              </>
            )}
            {addedBy && ` · ${t.addedBy(addedBy)}`}
          </p>
        </div>
        <Form action={action}>
          <Button kind="quiet" small aria-label={`${t.remove}: ${row.repository}`}>
            {t.remove}
          </Button>
        </Form>
      </div>
      {workflow && (
        <details>
          <summary>{t.workflow}</summary>
          <p class="actions">
            <code>{issuer.kind === "github" ? `.github/workflows/${row.workflow}` : row.workflow}</code>{" "}
            <CopyButton text={workflow} />
          </p>
          <pre>
            <code>{workflow}</code>
          </pre>
        </details>
      )}
    </li>
  );
};
