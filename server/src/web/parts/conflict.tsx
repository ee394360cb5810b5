// Two people edit the same thing: a form carries a stamp of what it was made from, and who would overwrite what another has
// saved since is shown both.

import { Fragment } from "preact";
import { fail } from "#platform/errors.js";
import { entityTag } from "#platform/http/answers.js";
import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";
import { Notice } from "./notice.js";

/** What a form was filled with, in a few letters: whether somebody has saved something else since. */
export const stampOf = (fields: Record<string, string>): string =>
  entityTag(JSON.stringify(Object.entries(fields).sort()));

/** Asked in the transaction that writes, of what it has locked: between question and write nobody else saves. */
export function checkStamp(stamp: string | undefined, saved: Record<string, string>): void {
  if (stamp && stamp !== stampOf(saved)) throw fail.changedMeanwhile();
}

/** For attempt(): the refusal comes back as a problem of the form. */
export const staleField = { changedMeanwhile: "stamp" } as const;
export const isStale = (problems: FormProblems | undefined): boolean => problems?.fields.stamp !== undefined;

export const StampField = ({ stamp }: { stamp: string }) => <input type="hidden" name="stamp" value={stamp} />;

interface Props {
  saved: Record<string, string>;
  typed: Record<string, unknown>;
  /** Of the fields that are compared. */
  labels: Record<string, string>;
}

/** What another has saved since the form was opened, beside what was typed. */
export const ConflictNotice = ({ saved, typed, labels }: Props) => {
  const t = useTexts(texts.parts.form);
  const different = Object.entries(saved).filter(([name, value]) => name in labels && (typed[name] ?? "") !== value);
  return (
    <Notice kind="problem" title={t.conflict}>
      <p>{t.conflictHelp}</p>
      <dl class="facts">
        {different.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{t.savedNow(labels[name]!)}</dt>
            <dd dir="auto">{value === "" ? t.nothing : value}</dd>
          </Fragment>
        ))}
      </dl>
    </Notice>
  );
};
