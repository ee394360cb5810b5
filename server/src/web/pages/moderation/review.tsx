// The review page of a project: its content beside checks, decision and thread.

import { useFormat } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import type { Page } from "#web/frame/layout.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { Notice } from "#web/parts/notice.js";
import { ThreadView, type TypedMessage } from "#web/parts/thread.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";
import { DecisionForm, KeyHelp, nothingTyped, type TypedDecision } from "./decision-form.js";
import { deskPage, StatusPill } from "./desk-frame.js";
import { type LastDecision, LastNotice } from "./last-decision.js";
import type { ReviewView } from "./review-load.js";
import { Showcase } from "./showcase.js";
import { SinceView } from "./since-view.js";

export interface ReviewProps {
  view: ReviewView;
  typed?: TypedDecision;
  message?: TypedMessage;
  last?: LastDecision | undefined;
}

export const reviewPage = (props: ReviewProps): Page =>
  deskPage(
    {
      title: props.view.project.name,
      status: props.typed?.wrong?.status ?? props.message?.problems?.status,
      scripts: ["desk"],
      aside: <StatusPill status={props.view.project.status} />,
    },
    <Review {...props} />,
  );

const Review = ({ view, typed = nothingTyped, message, last }: ReviewProps) => {
  const t = useTexts(texts.moderation.review);
  const { project, review, isMine } = view;
  return (
    <>
      {last && <LastNotice last={last} />}
      {review.position !== null && <p class="muted">{t.place(review.position, review.queueLength)}</p>}
      <div class="review">
        <div class="stack">
          {view.since && <SinceView since={view.since} />}
          <Showcase view={view} />
          <History history={review.history} />
          <h2 id="thread">{t.thread}</h2>
          <ThreadView
            thread={view.thread}
            typed={message}
            action={view.thread ? `/moderation/queue/${project.id}/message` : undefined}
          />
        </div>
        <div class="stack review-side" data-swap="decision">
          <h2>{t.decision}</h2>
          <Decision view={view} typed={typed} />
          <KeyHelp />
          {isMine && (
            <Form action={`/moderation/queue/${project.id}/release`}>
              <Button kind="quiet" small>
                {t.release}
              </Button>
            </Form>
          )}
        </div>
      </div>
    </>
  );
};

/**
 * The moderator with the claim decides. Without a claim, any moderator can decide about a project that is not in the
 * queue.
 */
const Decision = ({ view, typed }: { view: ReviewView; typed: TypedDecision }) => {
  const t = useTexts(texts.moderation.review);
  const format = useFormat();
  const { project, claim, isMine } = view;
  if (isMine && view.isDecided) return null;
  if (claim && !isMine)
    return (
      <Notice kind="warning" title={t.othersTitle(claim.userName)}>
        <p>{t.othersText(format.dateTime(Date.parse(claim.dateExpires)))}</p>
      </Notice>
    );
  if (project.status === "processing" && !isMine)
    return (
      <Form class="form" action={`/moderation/queue/${project.id}/claim`} done={t.taken}>
        <p class="muted">{t.takeHint}</p>
        <Button data-take>{t.take}</Button>
      </Form>
    );
  return <DecisionForm project={project} typed={typed} isClaimed={isMine} />;
};

const History = ({ history }: Pick<ReviewView["review"], "history">) => {
  const t = useTexts(texts.moderation.review);
  const { titles } = useTexts(texts.moderation.check);
  if (history.length === 0) return null;
  return (
    <>
      <h2>{t.earlier}</h2>
      <ol class="plain-list thread">
        {history.map(({ status, reason, message, dateDecided }) => (
          <li key={dateDecided} class="thread-message">
            <p class="small">
              <StatusPill status={status} /> {reason && titles[reason]} <Time at={dateDecided} />
            </p>
            <p class="said-text" dir="auto">
              {message}
            </p>
          </li>
        ))}
      </ol>
    </>
  );
};
