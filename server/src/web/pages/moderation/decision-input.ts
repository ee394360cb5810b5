// What a moderator's form says, checked and made whole: the reason class that the marks stand for, and the message with
// their sentences.

import { setProjectStatus } from "#moderation/desk/contract.js";
import { fitsDecision, type ReasonId, reasonIds } from "#moderation/desk/reasons.js";
import type { DecisionInput } from "#moderation/desk/write.js";
import { invalid } from "#platform/errors.js";
import { parse } from "#platform/http/validation.js";
import { listOf } from "#web/context/form.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { type CheckId, isCheck } from "./checks.js";
import type { TypedDecision } from "./decision-form.js";

export interface DecisionFields {
  problem?: string | string[];
  reason?: string;
  message?: string;
  decision?: string;
  /** The script has put the sentences into the message already. */
  composed?: string;
}

export const toTyped = ({ problem, reason = "", message = "" }: DecisionFields): TypedDecision => ({
  problems: listOf(problem).filter(isCheck),
  reason,
  message,
});

/** What is marked, or else what the reason says. */
const toProblems = (marked: readonly CheckId[], reason: ReasonId): ReasonId[] =>
  marked.length > 0 ? [...marked] : isCheck(reason) ? [reason] : [];

/** Throws what is missing, at its field. */
export function toDecision(fields: DecisionFields, locale: Locale): DecisionInput {
  const { problems, reason, message } = toTyped(fields);
  const t = textsIn(texts.moderation.review, locale);
  const { sentences } = textsIn(texts.moderation.check, locale);
  const added = fields.composed === "yes" ? [] : problems.map((id) => sentences[id]);
  const text = [...added.filter((sentence) => !message.includes(sentence)), message.trim()].filter(Boolean).join("\n");
  const { status } = parse<Pick<DecisionInput, "status">>(
    "body",
    setProjectStatus.body,
    { status: fields.decision, message: text },
    "body",
  );
  const chosen = reason === "" ? undefined : reasonIds.find((id) => id === reason);
  const marked: ReasonId | undefined = status === "approved" ? "fits" : problems[0];
  const found = chosen ?? (reason === "" ? marked : undefined);
  if (found === undefined || !fitsDecision(found, status)) throw invalid({ path: "reason", message: t.reasonNeeded });
  if (status !== "approved" && text === "") throw invalid({ path: "message", message: t.messageNeeded });
  return { status, reason: found, message: text, problems: status === "approved" ? [] : toProblems(problems, found) };
}
