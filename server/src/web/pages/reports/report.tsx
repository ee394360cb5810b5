// The view of the report page.

import { lengths } from "#lib/lengths.js";
import type { ReportType } from "#lib/report-types.js";
import { mostEvidence } from "#moderation/reports/evidence.js";
import { type ItemType, itemTypes } from "#moderation/reports/words.js";
import type { FormProblems } from "#web/context/form.js";
import { signInPath } from "#web/context/paths.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { FormCard } from "#web/parts/form-card.js";
import { FileField, SelectField, TextAreaField } from "#web/parts/input-fields.js";
import { Notice } from "#web/parts/notice.js";
import { TextField } from "#web/parts/text-field.js";
import { texts } from "#words/texts.js";

export interface Target {
  type: ItemType;
  id: string;
  name: string;
  href: string;
  issueTracker: string | null;
}

export interface ReportFields {
  reportType?: string;
  body?: string;
  email?: string;
}

export interface FormProps {
  target: Target;
  reasons: readonly ReportType[];
  given: ReportFields;
  problems?: FormProblems | undefined;
  /** For guests: the sign-in page that leads back here. */
  signIn?: string | undefined;
}

export const ReportForm = ({ target, reasons, given, problems, signIn }: FormProps) => {
  const t = useTexts(texts.reports.report);
  const { colon } = useTexts(texts.parts.common);
  const wrong = problems?.fields.reportType;
  return (
    <div class="stack narrow">
      <h1 dir="auto">{t.titleOf(target.name)}</h1>
      <p class="lead">{t.lead}</p>
      <p>
        {t.target}
        {colon}
        {t.kinds[target.type]}{" "}
        <a href={target.href} dir="auto">
          {target.name}
        </a>
      </p>
      {signIn !== undefined && (
        <p>
          {t.asGuest}{" "}
          <a href={signInPath(signIn)} rel="nofollow">
            {t.signIn}
          </a>
        </p>
      )}
      <Elsewhere target={target} />
      <FormCard
        action={signIn === undefined ? "/report" : "/report/guest"}
        button={t.send}
        problems={problems}
        labels={{ reportType: t.reason, itemId: t.itemId, body: t.body, pictures: t.pictures, email: t.email }}
        hasFiles
      >
        <input type="hidden" name="itemType" value={target.type} />
        <input type="hidden" name="itemId" value={target.id} />
        <fieldset class="picks" id="reportType" aria-describedby={wrong ? "reportType-wrong" : undefined}>
          <legend>{t.reason}</legend>
          {wrong && (
            <span class="wrong" id="reportType-wrong">
              {wrong}
            </span>
          )}
          {reasons.toSorted(maliciousFirst).map((name) => (
            <label key={name} class="pick-row">
              <input type="radio" name="reportType" value={name} required checked={given.reportType === name} />
              <strong>{t.reasons[name]}</strong>
              <span class="muted small">{t.examples[name]}</span>
            </label>
          ))}
        </fieldset>
        <TextAreaField
          name="body"
          label={t.body}
          hint={t.bodyHint}
          rows={6}
          required
          lengths={lengths.reportBody}
          value={given.body}
          problems={problems}
        />
        {signIn === undefined ? (
          <FileField
            name="pictures"
            label={t.pictures}
            hint={t.picturesHint(mostEvidence)}
            accept="image/png,image/jpeg,image/gif,image/webp"
            multiple
            problems={problems}
          />
        ) : (
          <TextField
            name="email"
            required
            type="email"
            label={t.email}
            hint={t.emailHint}
            autocomplete="email"
            value={given.email}
            problems={problems}
          />
        )}
      </FormCard>
    </div>
  );
};

/** The most urgent reason is easy to find. */
const maliciousFirst = (a: ReportType, b: ReportType): number => Number(b === "malicious") - Number(a === "malicious");

const Elsewhere = ({ target }: { target: Target }) => {
  const t = useTexts(texts.reports.report);
  return (
    <Notice title={t.elsewhere}>
      <ul>
        {target.type !== "user" && (
          <li>
            {t.bug}{" "}
            {target.issueTracker ? (
              <a href={target.issueTracker} rel="ugc nofollow noopener">
                {t.bugLink}
              </a>
            ) : (
              t.bugNone
            )}
          </li>
        )}
        <li>
          {t.copyright} <a href="/legal/copyright">{t.copyrightLink}</a>
        </li>
      </ul>
    </Notice>
  );
};

interface ChoiceProps {
  itemType: string;
  itemId: string;
  problems?: FormProblems | undefined;
}

/** Shown if the URL names no target. */
export const TargetForm = ({ itemType, itemId, problems }: ChoiceProps) => {
  const t = useTexts(texts.reports.report);
  return (
    <div class="stack narrow">
      <h1>{t.title}</h1>
      <p class="lead">{t.what}</p>
      {problems && <Notice kind="problem" title={problems.message} />}
      <Form class="form card" method="get" action="/report">
        <SelectField
          name="itemType"
          label={t.itemType}
          value={itemType}
          options={itemTypes.map((value) => ({ value, text: t.kinds[value] }))}
        />
        <TextField
          name="itemId"
          required
          verbatim
          label={t.itemId}
          hint={t.itemIdHint}
          value={itemId}
          problems={problems}
        />
        <Button>{t.next}</Button>
      </Form>
    </div>
  );
};

export const AlreadyReported = ({ target, reportId }: { target: Target; reportId: string }) => {
  const t = useTexts(texts.reports.report);
  return (
    <div class="stack narrow">
      <h1 dir="auto">{t.titleOf(target.name)}</h1>
      <Notice title={t.already}>
        <p>{t.alreadyText}</p>
        <p>
          <ButtonLink href={`/dashboard/report/${reportId}`}>{t.toReport}</ButtonLink>
        </p>
      </Notice>
    </div>
  );
};
