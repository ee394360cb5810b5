// The audit log: moderators see what moderators did, administrators all of it.
import type { Static } from "typebox";
import { type AuditEntry, getAuditLog } from "#moderation/desk/audit-contract.js";
import { listAudits } from "#moderation/desk/audit-read.js";
import type { Resources } from "#platform/http/resources.js";
import { parse } from "#platform/http/validation.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { attempt, type FormProblems, formFields } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";

const names = ["actor", "action", "objectKind", "objectId", "since", "until"] as const;

export const logQuery = formFields(...names, "before");

type LogQuery = Partial<Record<(typeof names)[number] | "before", string>>;

interface LogView {
  entries: readonly AuditEntry[];
  next: number | null;
  query: LogQuery;
  problems: FormProblems | undefined;
  isAdmin: boolean;
}

/** Empty fields of the form ask for nothing. */
export async function loadLog({ db }: Resources, viewer: SignedIn, query: LogQuery): Promise<LogView> {
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ""));
  let found: Awaited<ReturnType<typeof listAudits>> = { entries: [], next: null };
  const problems = await attempt(async () => {
    const filter = parse<Static<typeof getAuditLog.query>>("text", getAuditLog.query, { ...given, limit: 50 }, "query");
    found = await listAudits(db, viewer, { ...filter, limit: 50 });
  });
  return { ...found, query, problems, isAdmin: viewer.user.role === "admin" };
}

const filled = ({ before: _before, ...query }: LogQuery): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1])));

export const Log = ({ view, path }: { view: LogView; path: string }) => {
  const t = useTexts(texts.moderation.log);
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
        <Entries entries={entries} isAdmin={isAdmin} />
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

const Filters = ({ view: { query, problems }, path }: { view: LogView; path: string }) => {
  const t = useTexts(texts.moderation.log);
  const { show } = useTexts(texts.moderation.desk);
  const labels = {
    actor: t.actor,
    action: t.action,
    objectKind: t.kind,
    objectId: t.object,
    since: t.since,
    until: t.until,
  };
  return (
    <>
      {problems && <ProblemSummary problems={problems} labels={labels} />}
      <Form method="get" class="desk-filters" action={path}>
        {names.map((name) => (
          <div key={name} class="field">
            <label for={name}>{labels[name]}</label>
            <input
              type={name === "since" || name === "until" ? ("date" as "text") : "text"}
              id={name}
              name={name}
              value={query[name]}
              aria-invalid={problems?.fields[name] ? true : undefined}
            />
          </div>
        ))}
        <Button kind="quiet">{show}</Button>
      </Form>
    </>
  );
};

const Entries = ({ entries, isAdmin }: Pick<LogView, "entries" | "isAdmin">) => {
  const t = useTexts(texts.moderation.log);
  return (
    <div class="desk-table">
      <table>
        <thead>
          <tr>
            <th>{t.when}</th>
            <th>{t.actor}</th>
            <th>{t.action}</th>
            <th>{t.object}</th>
            <th>{t.detail}</th>
            {isAdmin && <th>{t.where}</th>}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td>
                <Time at={entry.dateCreated} />
              </td>
              <td data-label={t.actor} dir="auto">
                {entry.actor ? (entry.actor.userName ?? entry.actor.id) : t.service}
              </td>
              <td data-label={t.action}>
                <code>{entry.action}</code>
              </td>
              <td data-label={t.object}>
                {entry.object.kind} <code>{entry.object.id.slice(0, 24)}</code>
              </td>
              <td data-label={t.detail}>
                <Detail detail={entry.detail} />
              </td>
              {isAdmin && (
                <td data-label={t.where}>{[entry.credential, entry.address].filter(Boolean).join(" · ") || "–"}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

const Detail = ({ detail }: { detail: Record<string, unknown> }) => {
  const text = Object.keys(detail).length === 0 ? "–" : JSON.stringify(detail);
  if (text.length <= 120) return <code>{text}</code>;
  return (
    <details>
      <summary>
        <code>{text.slice(0, 80)}…</code>
      </summary>
      <code>{text}</code>
    </details>
  );
};
