// The audit log: moderators see actions of moderators, administrators see everything. Each entry is a sentence with links
// (audit-sentence.tsx) above the record itself.
import type { Static } from "typebox";
import { type AuditEntry, getAuditLog } from "#moderation/desk/audit-contract.js";
import { type AuditObjects, nameObjects } from "#moderation/desk/audit-objects.js";
import { listAudits, moderationActs } from "#moderation/desk/audit-read.js";
import type { Resources } from "#platform/http/resources.js";
import { parse } from "#platform/http/validation.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { attempt, type FormProblems, formFields } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { SelectField } from "#web/parts/input-fields.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import { TextField } from "#web/parts/text-field.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";
import { AuditSentence } from "./audit-sentence.js";

const names = ["actor", "action", "objectKind", "objectId", "since", "until"] as const;

export const logQuery = formFields(...names, "before");

type LogQuery = Partial<Record<(typeof names)[number] | "before", string>>;

interface LogView {
  entries: readonly AuditEntry[];
  objects: ReadonlyMap<number, AuditObjects>;
  next: number | null;
  query: LogQuery;
  problems: FormProblems | undefined;
  isAdmin: boolean;
}

/** Empty fields of the form are no filter. */
export async function loadLog({ db }: Resources, viewer: SignedIn, query: LogQuery): Promise<LogView> {
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ""));
  let found: Awaited<ReturnType<typeof listAudits>> = { entries: [], next: null };
  const problems = await attempt(async () => {
    const filter = parse<Static<typeof getAuditLog.query>>("text", getAuditLog.query, { ...given, limit: 50 }, "query");
    found = await listAudits(db, viewer, { ...filter, limit: 50 });
  });
  const objects = await nameObjects(db, found.entries);
  return { ...found, objects, query, problems, isAdmin: viewer.user.role === "admin" };
}

const filled = ({ before: _before, ...query }: LogQuery): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1])));

export const Log = ({ view, path }: { view: LogView; path: string }) => {
  const t = useTexts(texts.audit.log);
  const { entries, next, query, problems, isAdmin } = view;
  return (
    <>
      <Filters view={view} path={path} />
      {isAdmin && !problems && (
        <p>
          <a href={`/api/moderation/audit.csv?${new URLSearchParams(filled(query))}`}>{t.csv}</a>
        </p>
      )}
      {entries.length === 0 && !problems ? (
        <EmptyState title={t.empty} action={{ href: path, text: t.clear }} />
      ) : (
        <Entries view={view} />
      )}
      {next !== null && (
        <p>
          <ButtonLink
            kind="quiet"
            rel="next"
            href={`${path}?${new URLSearchParams({ ...filled(query), before: String(next) })}`}
          >
            {t.older}
          </ButtonLink>
        </p>
      )}
    </>
  );
};

const Filters = ({ view: { query, problems, isAdmin }, path }: { view: LogView; path: string }) => {
  const t = useTexts(texts.audit.log);
  const kinds = Object.entries(t.kinds).map(([value, text]) => ({ value, text }));
  const labels = {
    actor: t.actor,
    action: t.action,
    objectKind: t.kind,
    objectId: t.object,
    since: t.since,
    until: t.until,
  };
  const field = (name: keyof typeof labels) => ({ name, label: labels[name], value: query[name], problems });
  return (
    <>
      {problems && <ProblemSummary problems={problems} labels={labels} />}
      <Form method="get" class="desk-filters" action={path}>
        <TextField {...field("actor")} verbatim list="people" />
        <datalist id="people" data-suggest="/dashboard/people" />
        <SelectField
          {...field("action")}
          options={withValue(query.action, [{ value: "", text: t.anyAction }, ...useActions(isAdmin)])}
        />
        <SelectField
          {...field("objectKind")}
          options={withValue(query.objectKind, [{ value: "", text: t.anyKind }, ...kinds])}
        />
        <TextField {...field("objectId")} verbatim />
        <TextField {...field("since")} type="date" />
        <TextField {...field("until")} type="date" />
        <Button kind="quiet">{t.show}</Button>
      </Form>
    </>
  );
};

interface Option {
  value: string;
  text: string;
}

/** A value that is not in the list, such as the beginning of an action, comes from a link. */
const withValue = (value: string | undefined, options: readonly Option[]): readonly Option[] =>
  !value || options.some((option) => option.value === value) ? options : [...options, { value, text: value }];

/** Each action as its sentence without names, below all actions of its kind. */
function useActions(isAdmin: boolean): Option[] {
  const t = useTexts(texts.audit.log);
  const kinds: Record<string, string> = t.kinds;
  const actions = Object.entries(t.sentences)
    // The contract of the filter allows no underscore.
    .filter(
      ([action]) => !action.includes("_") && (isAdmin || moderationActs.some((start) => action.startsWith(start))),
    )
    .map(([value, sentence]) => ({ value, text: sentence.replaceAll(/\{\w+\}/g, "…") }));
  return [...Map.groupBy(actions, ({ value }) => value.split(".", 1)[0]!)].flatMap(([group, members]) =>
    members.length === 1 ? members : [{ value: `${group}.`, text: t.anyOf(kinds[group] ?? group) }, ...members],
  );
}

const Entries = ({ view: { entries, objects, isAdmin } }: { view: LogView }) => {
  const t = useTexts(texts.audit.log);
  return (
    <div class="desk-table">
      <table>
        <thead>
          <tr>
            <th>{t.when}</th>
            <th>{t.what}</th>
            {isAdmin && <th>{t.where}</th>}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td>
                <Time at={entry.dateCreated} />
              </td>
              <td>
                <AuditSentence entry={entry} objects={objects.get(entry.id)} />
                <details class="small muted">
                  <summary>{t.record}</summary>
                  <pre class="whole-text">
                    <code>{JSON.stringify(entry, null, 2)}</code>
                  </pre>
                </details>
              </td>
              {isAdmin && <td data-label={t.where}>{entry.address ?? "–"}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
