// A conversation: messages and events. Moderators also see their internal notes, which are marked as such, and the names of
// other moderators.

import type { Thread, ThreadMessage } from "#content/threads/contract.js";
import { moderatorName } from "#content/threads/policy.js";
import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";
import { Button } from "./button.js";
import { Form } from "./form.js";
import { CheckboxField } from "./input-fields.js";
import { ProblemSummary } from "./problem-summary.js";
import { Time } from "./time.js";

export interface TypedMessage {
  text: string;
  isPrivate: boolean;
  problems?: FormProblems | undefined;
}

interface Props {
  thread: Thread | undefined;
  /** The URL that messages are sent to; absent if no messages can be written. */
  action?: string | undefined;
  typed?: TypedMessage | undefined;
  /** The id of the message field, because a page can have several. */
  fieldId?: string;
}

export const ThreadView = ({ thread, action, typed, fieldId = "say" }: Props) => {
  const t = useTexts(texts.moderation.review);
  const names = new Map(thread?.members.map(({ id, userName }) => [id, userName]));
  return (
    <div class="stack">
      {thread?.hasMore && <p class="muted small">{t.older}</p>}
      {thread && thread.messages.length > 0 ? (
        <ol class="plain-list thread">
          {thread.messages.map((message) => (
            <Message key={message.id} message={message} author={names.get(message.authorId ?? "")} />
          ))}
        </ol>
      ) : (
        <p class="muted">{t.noThread}</p>
      )}
      {action && <SayForm action={action} typed={typed} id={fieldId} />}
    </div>
  );
};

const Message = ({ message, author }: { message: ThreadMessage; author: string | undefined }) => {
  const t = useTexts(texts.moderation.review);
  const { gone, statuses } = useTexts(texts.moderation.desk);
  const { body, type } = message;
  const isPrivate = body?.isPrivate === true;
  const isUnnamed = message.authorId === moderatorName;
  return (
    <li class={isPrivate ? "thread-message thread-private" : "thread-message"}>
      <p class="small">
        <b dir="auto">{isUnnamed ? t.moderators : (author ?? gone)}</b>
        {message.authorHidden && !isUnnamed && <span class="pill">{t.moderators}</span>}
        {isPrivate && <span class="pill beta">{t.privateMark}</span>} <Time at={message.createdAt} />
      </p>
      {type === "text" && (
        <p class="said-text" dir="auto">
          {body?.text}
        </p>
      )}
      {type === "deleted" && <p class="muted">{t.deleted}</p>}
      {type === "status_change" && body?.prev_status && body.new_status && (
        <p>{t.events.status(statuses[body.prev_status], statuses[body.new_status])}</p>
      )}
      {(type === "thread_closure" || type === "thread_reopen") && <p>{t.events[type]}</p>}
    </li>
  );
};

const SayForm = ({ action, typed, id }: { action: string; typed: TypedMessage | undefined; id: string }) => {
  const t = useTexts(texts.moderation.review);
  const wrong = typed?.problems?.fields.say;
  return (
    <>
      {typed?.problems && <ProblemSummary problems={typed.problems} labels={{}} />}
      <Form class="form" action={action}>
        <div class="field">
          <label for={id}>{t.write}</label>
          <textarea
            id={id}
            name="say"
            rows={3}
            required
            maxlength={2048}
            value={typed?.text}
            dir="auto"
            aria-invalid={wrong ? true : undefined}
            aria-describedby={wrong ? `${id}-wrong` : undefined}
          />
          {wrong && (
            <span class="wrong" id={`${id}-wrong`}>
              {wrong}
            </span>
          )}
        </div>
        <CheckboxField name="private" label={t.isPrivate} checked={typed?.isPrivate ?? false} />
        <Button kind="quiet">{t.send}</Button>
      </Form>
    </>
  );
};
