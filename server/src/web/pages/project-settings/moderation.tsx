// The view of a project's review for its team.

import type { Thread } from "#content/threads/contract.js";
import { lengths } from "#lib/lengths.js";
import type { ProjectReview } from "#moderation/desk/contract.js";
import type { FormProblems } from "#web/context/form.js";
import { useFormat } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { TextAreaField } from "#web/parts/input-fields.js";
import { Notice } from "#web/parts/notice.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import { ThreadView } from "#web/parts/thread.js";
import { Time } from "#web/parts/time.js";
import { stateTitle } from "#web/shared/changes-banner.js";
import { PublishChecklist } from "#web/shared/publish-checklist.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { texts } from "#words/texts.js";
import { RequestedChanges, type Typed } from "./requested-changes.js";

export interface ReviewFacts {
  review: ProjectReview;
  thread: Thread | undefined;
}

interface Props {
  view: SettingsView;
  facts: ReviewFacts;
  did?: string | undefined;
  problems?: FormProblems | undefined;
  typed?: Typed | undefined;
  say?: string | undefined;
}

export const ModerationView = ({ view, facts, did, problems, typed = {}, say }: Props) => {
  const t = useTexts(texts.projectSettings.moderation);
  const { note: noteLabel } = useTexts(texts.projectSettings.checklist);
  const { project, asked } = view;
  return (
    <>
      <Did did={did} status={project.status} />
      {problems && <ProblemSummary problems={problems} labels={{ note: noteLabel, say: t.reply }} />}
      <ReviewStatus view={view} review={facts.review} />
      {asked && <RequestedChanges view={view} asked={asked} problems={problems} typed={typed} />}
      {!asked && <PublishChecklist view={view} problems={problems} note={typed.note} />}
      <section class="stack" id="thread">
        <h2>{t.thread}</h2>
        <ThreadView thread={facts.thread} />
        {view.isMember && (
          <Form class="form card" action={`${projectPath(project.slug)}/moderation`}>
            <TextAreaField
              name="say"
              label={t.reply}
              rows={4}
              required
              lengths={lengths.threadMessage}
              value={say}
              problems={problems}
            />
            <Button>{t.send}</Button>
          </Form>
        )}
      </section>
      <History review={facts.review} />
    </>
  );
};

const Did = ({ did, status }: { did: string | undefined; status: string }) => {
  const t = useTexts(texts.projectSettings.moderation);
  if (did === "submitted")
    return (
      <div role="status">
        {status === "approved" ? (
          <Notice title={t.published} />
        ) : (
          <Notice title={t.submitted}>
            <p>{t.submittedText}</p>
          </Notice>
        )}
      </div>
    );
  if (did !== "withdrawn" && did !== "sent") return null;
  return (
    <div role="status">
      <Notice title={t[did]} />
    </div>
  );
};

const ReviewStatus = ({ view: { project, isOwner, asked }, review }: { view: SettingsView; review: ProjectReview }) => {
  const t = useTexts(texts.projectSettings.moderation);
  const format = useFormat();
  const { title, text } = asked ? { title: stateTitle(t, asked), text: t.changesText } : t.statuses[project.status];
  return (
    <section class="card stack">
      <h2>{title}</h2>
      <p>{text}</p>
      {review.position !== null && (
        <>
          <p>
            {t.position(review.position, review.queueLength)}{" "}
            {review.medianWaitSeconds === null ? t.noWait : t.wait(format.duration(review.medianWaitSeconds * 1000))}
          </p>
          {isOwner && (
            <Form class="form" action={`${projectPath(project.slug)}/withdraw`}>
              <p class="hint">{t.withdrawText}</p>
              <Button kind="quiet">{t.withdraw}</Button>
            </Form>
          )}
        </>
      )}
    </section>
  );
};

const History = ({ review }: { review: ProjectReview }) => {
  const t = useTexts(texts.projectSettings.moderation);
  if (review.history.length === 0) return null;
  return (
    <section class="stack">
      <h2>{t.history}</h2>
      <ul class="rows">
        {review.history.map((decision) => (
          <li key={decision.dateDecided} class="card">
            <h3>{t.decided(stateTitle(t, decision))}</h3>
            <p class="small muted">
              {decision.reason && `${t.reasons[decision.reason]} · `}
              <Time at={decision.dateDecided} />
            </p>
            {decision.message && (
              <p class="said-text" dir="auto">
                {decision.message}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
};
