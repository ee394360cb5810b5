// Reports as their reporter sees them.

import type { Thread, ThreadMessage } from "#content/threads/contract.js";
import { lengths } from "#lib/lengths.js";
import type { Evidence as EvidencePicture } from "#moderation/reports/evidence.js";
import type { Report } from "#moderation/reports/shapes.js";
import type { FormProblems } from "#web/context/form.js";
import { useFrame } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Evidence } from "#web/parts/evidence.js";
import { FormCard } from "#web/parts/form-card.js";
import { TextAreaField } from "#web/parts/input-fields.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";
import type { ReportedThing } from "./reported-items.js";

interface ListProps {
  reports: readonly Report[];
  things: ReadonlyMap<string, ReportedThing>;
}

export const ReportList = ({ reports, things }: ListProps) => {
  const t = useTexts(texts.dashboard.overview);
  if (reports.length === 0)
    return (
      <EmptyState title={t.noReports} action={{ href: "/projects", text: t.browse }}>
        <p>{t.noReportsText}</p>
      </EmptyState>
    );
  return (
    <ul class="rows">
      {reports.map((report) => (
        <li key={report.id} class={report.closed ? "card stack row-past" : "card stack"}>
          <h2>
            <a href={`/dashboard/report/${report.id}`}>
              {t.reportTypes[report.reportType]} ·{" "}
              <bdi>{things.get(report.itemId)?.name ?? t.itemTypes[report.itemType]}</bdi>
            </a>{" "}
            <Status report={report} />
          </h2>
          <p dir="auto">{report.body.length > 200 ? `${report.body.slice(0, 200)}…` : report.body}</p>
          <p class="muted small">
            {t.reported} <Time at={report.createdAt} />
          </p>
        </li>
      ))}
    </ul>
  );
};

const Status = ({ report }: { report: Report }) => {
  const t = useTexts(texts.dashboard.overview);
  return <span class={report.closed ? "pill" : "pill beta"}>{report.closed ? t.closedReport : t.openReport}</span>;
};

interface Props {
  report: Report;
  /** Undefined if the reporter can no longer see it. */
  about: ReportedThing | undefined;
  thread: Thread;
  pictures: readonly EvidencePicture[];
  typed?: string;
  problems?: FormProblems;
}

export const ReportConversation = ({ report, about, thread, pictures, typed, problems }: Props) => {
  const t = useTexts(texts.dashboard.overview);
  return (
    <>
      <section class="card stack">
        <h2>
          {t.reportTypes[report.reportType]} ·{" "}
          {about ? (
            <a href={about.href} dir="auto">
              {about.name}
            </a>
          ) : (
            t.itemTypes[report.itemType]
          )}{" "}
          <Status report={report} />
        </h2>
        <p class="said-text" dir="auto">
          {report.body}
        </p>
        <Evidence pictures={pictures} />
        <p class="muted small">
          {t.reported} <Time at={report.createdAt} />
        </p>
        {report.outcome && (
          <p>
            {t.outcome}: {t.outcomes[report.outcome]}
          </p>
        )}
      </section>
      <section class="stack">
        <h2>{t.conversation}</h2>
        {thread.messages.length === 0 && <p class="muted">{t.noMessages}</p>}
        <ol class="rows">
          {thread.messages.map((message) => (
            <Message key={message.id} message={message} thread={thread} />
          ))}
        </ol>
        {report.closed && !problems ? (
          <p class="muted">{t.closedHint}</p>
        ) : (
          <FormCard
            action={`/dashboard/report/${report.id}`}
            button={t.send}
            problems={problems}
            labels={{ message: t.reply }}
          >
            <TextAreaField
              name="message"
              label={t.reply}
              value={typed}
              rows={4}
              lengths={lengths.threadMessage}
              required
              problems={problems}
            />
          </FormCard>
        )}
      </section>
    </>
  );
};

const Message = ({ message, thread }: { message: ThreadMessage; thread: Thread }) => {
  const t = useTexts(texts.dashboard.overview);
  const { viewer } = useFrame();
  const { authorId, authorHidden, type, body, createdAt } = message;
  const isOwn = viewer.kind !== "anonymous" && authorId === viewer.user.id;
  const name = authorHidden ? t.moderators : thread.members.find(({ id }) => id === authorId)?.userName;
  return (
    <li class="card stack">
      <p class="small">
        <b dir="auto">{isOwn ? t.you : (name ?? t.somebody)}</b> <Time at={createdAt} />
      </p>
      {type === "text" && (
        <p class="said-text" dir="auto">
          {body?.text}
        </p>
      )}
      {type === "deleted" && <p class="muted">{t.removed}</p>}
      {type === "thread_closure" && <p>{t.closure}</p>}
      {type === "thread_reopen" && <p>{t.reopened}</p>}
    </li>
  );
};
