// Conflicts between two people who edit the same thing: a form carries a stamp of the values it was filled with. A user
// who would overwrite a newer change is shown both versions.

import { Fragment } from "#lib/jsx-runtime.js";
import { fail } from "#platform/errors.js";
import { entityTag } from "#platform/http/answers.js";
import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";
import { Notice } from "./notice.js";

/** A short digest of the values, which shows whether another user has saved other values since. */
export const stampOf = (fields: Record<string, string>): string =>
  entityTag(JSON.stringify(Object.entries(fields).sort()));

/** Call this in the transaction that writes, after locking the row, so that no one can save between check and write. */
export function checkStamp(stamp: string | undefined, saved: Record<string, string>): void {
  if (stamp && stamp !== stampOf(saved)) throw fail.changedMeanwhile();
}

/** For attempt(): shows the refusal as a problem of the form. */
export const staleField = { changedMeanwhile: "stamp" } as const;
export const isStale = (problems: FormProblems | undefined): boolean => problems?.fields.stamp !== undefined;

export const StampField = ({ stamp }: { stamp: string }) => <input type="hidden" name="stamp" value={stamp} />;

interface Props {
  saved: Record<string, string>;
  typed: Record<string, unknown>;
  /** The labels of the compared fields. */
  labels: Record<string, string>;
}

/** The values that another user has saved since the form was opened, beside the typed ones. */
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
