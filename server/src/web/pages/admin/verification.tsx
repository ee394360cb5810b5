// Whether everything that is stored is as it was promised: the button that has it checked, and what the last check found.

import type { VerificationRun } from "#operations/administration/verification-run.js";
import { useFormat } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { FormCard } from "#web/parts/form-card.js";
import { CheckboxField } from "#web/parts/input-fields.js";
import { Notice } from "#web/parts/notice.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";

export const Verification = ({ run }: { run: VerificationRun | undefined }) => {
  const t = useTexts(texts.admin.verification);
  return (
    <section class="stack" id="verification">
      <h2>{t.title}</h2>
      <p>{t.lead}</p>
      {run ? <Report run={run} /> : <p class="muted">{t.never}</p>}
      <FormCard action="/admin/storage/verify" button={t.start}>
        <CheckboxField name="deep" label={t.deep} />
      </FormCard>
    </section>
  );
};

const Report = ({ run }: { run: VerificationRun }) => {
  const t = useTexts(texts.admin.verification);
  const format = useFormat();
  const { dateFinished, isDeep, checks, errors, leftovers, findings } = run;
  if (dateFinished === null) return <Notice title={t.running} />;
  return (
    <>
      <p class="muted small">
        {t.ended} <Time at={dateFinished} /> {isDeep && `· ${t.withFiles}`}
      </p>
      {findings.length === 0 ? (
        <Notice title={t.sound(format.number(checks))} />
      ) : (
        <>
          <Notice
            kind={errors > 0 ? "problem" : "warning"}
            title={t.broken(format.number(errors), format.number(leftovers))}
          >
            <p>{t.advice}</p>
          </Notice>
          <div class="desk-table">
            <table>
              <thead>
                <tr>
                  <th>{t.check}</th>
                  <th>{t.level}</th>
                  <th>{t.about}</th>
                </tr>
              </thead>
              <tbody>
                {findings.map(({ check, level, about, message }, at) => (
                  <tr key={`${at}`}>
                    <th scope="row">{check}</th>
                    <td data-label={t.level}>{t.levels[level]}</td>
                    <td data-label={t.about} dir="auto">
                      {about} {message}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </>
  );
};
