// The page of a case: its target, the actions, and each report with its thread.

import type { Thread } from "#content/threads/contract.js";
import type { Evidence as EvidencePicture } from "#moderation/reports/evidence.js";
import type { CaseReport, ReportCaseDetail } from "#moderation/reports/shapes.js";
import { outcomes } from "#moderation/reports/words.js";
import type { FormProblems } from "#web/context/form.js";
import { useFrame } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import type { Page } from "#web/frame/layout.js";
import { Button } from "#web/parts/button.js";
import { Evidence } from "#web/parts/evidence.js";
import { Form } from "#web/parts/form.js";
import { SelectField, TextAreaField } from "#web/parts/input-fields.js";
import { Notice } from "#web/parts/notice.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import { ThreadView, type TypedMessage } from "#web/parts/thread.js";
import { Time } from "#web/parts/time.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { ClaimMark, deskPage } from "./desk-frame.js";

export interface CaseView {
  found: ReportCaseDetail;
  threads: ReadonlyMap<string, Thread>;
  pictures: ReadonlyMap<string, readonly EvidencePicture[]>;
  /** Whether the reported version is quarantined. */
  isQuarantined: boolean;
}

export interface CaseProps extends CaseView {
  closing?: { outcome: string; message: string; problems: FormProblems };
  /** A message that was typed below one of the reports. */
  said?: TypedMessage & { reportId: string };
}

export function casePage(props: CaseProps, locale: Locale): Page {
  const { itemTypes, gone } = textsIn(texts.moderation.desk, locale);
  const { itemType, item, claim } = props.found;
  const name = item === null ? gone : itemType === "version" ? `${item.projectName} ${item.title}` : item.title;
  return deskPage(
    {
      title: textsIn(texts.moderation.report, locale).title(itemTypes[itemType], name),
      status: props.closing?.problems.status ?? props.said?.problems?.status,
      aside: (
        <span data-swap="claimed">
          <ClaimMark claim={claim} />
        </span>
      ),
    },
    <Case {...props} />,
  );
}

const Case = ({ found, threads, pictures, isQuarantined, closing, said }: CaseProps) => {
  const t = useTexts(texts.moderation.report);
  const { viewer } = useFrame();
  const isOthers = found.claim !== null && viewer.kind !== "anonymous" && found.claim.userId !== viewer.user.id;
  return (
    <div class="review">
      <div class="stack">
        <h2>{t.reports}</h2>
        {found.reports.map((report) => (
          <ReportCard
            key={report.id}
            report={report}
            caseId={found.id}
            thread={threads.get(report.id)}
            pictures={pictures.get(report.id) ?? []}
            said={said?.reportId === report.id ? said : undefined}
          />
        ))}
        {threads.size < found.reports.length && <p class="muted small">{t.older}</p>}
      </div>
      <div class="stack review-side">
        <h2>{t.act}</h2>
        <Acts found={found} isQuarantined={isQuarantined} />
        {isOthers && <Notice kind="warning" title={t.inHand(found.claim!.userName)} />}
        {!found.closed && !isOthers && <ClaimForm found={found} />}
        {found.closed ? <p>{t.caseClosed}</p> : !isOthers && <CloseForm found={found} closing={closing} />}
      </div>
    </div>
  );
};

const Acts = ({ found: { id, itemType, itemId, item }, isQuarantined }: Pick<CaseProps, "found" | "isQuarantined">) => {
  const t = useTexts(texts.moderation.report);
  const { gone } = useTexts(texts.moderation.desk);
  const { quarantined } = useTexts(texts.moderation.file);
  if (!item) return <p class="muted">{gone}</p>;
  return (
    <ul class="plain-list">
      <li>
        <a href={pathOf(itemType, itemId, item)}>{t.target}</a>
      </li>
      {item.projectId && (
        <li>
          <a href={`/moderation/queue/${item.projectId}`}>{t.actProject}</a>
        </li>
      )}
      {itemType === "version" && (
        <li>
          {isQuarantined ? (
            <a class="pill alpha" href="/moderation/files">
              {quarantined}
            </a>
          ) : (
            <a href={`/moderation/quarantine?versionId=${itemId}&case=${id}`}>{t.actVersion}</a>
          )}
        </li>
      )}
      {itemType === "user" && (
        <li>
          <a href={`/moderation/user/${item.title}`}>{t.actUser}</a>
        </li>
      )}
    </ul>
  );
};

const pathOf = (
  itemType: ReportCaseDetail["itemType"],
  itemId: string,
  { title, projectId }: NonNullable<ReportCaseDetail["item"]>,
): string => {
  if (itemType === "user") return `/user/${title}`;
  return itemType === "version" ? `/project/${projectId}/version/${itemId}` : `/project/${projectId}`;
};

const ClaimForm = ({ found: { id, claim } }: Pick<CaseProps, "found">) => {
  const t = useTexts(texts.moderation.report);
  return (
    <Form
      action={`/moderation/report/${id}/${claim ? "release" : "claim"}`}
      data-swap="claim"
      done={claim ? t.released : t.taken}
    >
      <Button kind="quiet" small>
        {claim ? t.release : t.take}
      </Button>
    </Form>
  );
};

const CloseForm = ({ found, closing }: Pick<CaseProps, "found" | "closing">) => {
  const t = useTexts(texts.moderation.report);
  const { outcomes: names } = useTexts(texts.moderation.desk);
  return (
    <>
      <h2>{t.closeCase}</h2>
      {closing && <ProblemSummary problems={closing.problems} labels={{ outcome: t.outcome, message: t.message }} />}
      <Form class="form" action={`/moderation/report/${found.id}/close`}>
        <p class="muted small">{t.closeHint}</p>
        <SelectField
          name="outcome"
          label={t.outcome}
          value={closing?.outcome}
          problems={closing?.problems}
          options={[{ value: "", text: t.noOutcome }, ...outcomes.map((id) => ({ value: id, text: names[id] }))]}
        />
        <TextAreaField
          name="message"
          label={t.message}
          value={closing?.message}
          problems={closing?.problems}
          lengths={[0, 2048]}
        />
        <Button>{t.closeCase}</Button>
      </Form>
    </>
  );
};

interface ReportProps {
  report: CaseReport;
  caseId: string;
  thread: Thread | undefined;
  pictures: readonly EvidencePicture[];
  said: TypedMessage | undefined;
}

const ReportCard = ({ report, caseId, thread, pictures, said }: ReportProps) => {
  const t = useTexts(texts.moderation.report);
  const { reportTypes, gone, outcomes: names } = useTexts(texts.moderation.desk);
  const { closed, actionTaken } = report.reporterHistory;
  const path = `/moderation/report/${caseId}`;
  return (
    <section class="card stack" id={`report-${report.id}`} aria-label={reportTypes[report.reportType]}>
      <h3>
        {reportTypes[report.reportType]}{" "}
        <span class={report.closed ? "pill release" : "pill beta"}>
          {report.closed ? `✓ ${t.closed}` : `○ ${t.open}`}
        </span>
      </h3>
      <p class="small muted">
        {t.by}{" "}
        {report.reporterName ? (
          <a href={`/moderation/user/${report.reporterName}`} dir="auto">
            {report.reporterName}
          </a>
        ) : report.isGuest ? (
          t.guest
        ) : (
          gone
        )}
        {" · "}
        <Time at={report.createdAt} />
        {!report.isGuest && !report.closed && ` · ${t.history(closed, actionTaken)}`}
        {report.outcome && ` · ${names[report.outcome]}`}
      </p>
      <p class="said-text" dir="auto">
        {report.body}
      </p>
      <Evidence pictures={pictures} />
      {thread && (
        <ThreadView thread={thread} action={`${path}/say/${report.id}`} typed={said} fieldId={`say-${report.id}`} />
      )}
      <Form action={`${path}/${report.closed ? "reopen" : "close"}/${report.id}`}>
        <Button kind="quiet" small>
          {report.closed ? t.reopen : t.close}
        </Button>
      </Form>
    </section>
  );
};
