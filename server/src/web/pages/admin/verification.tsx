// Whether everything that is stored is as it was promised: the button that has it checked, and what the last check found.
import type { VerificationRun } from "#operations/administration/verification-run.js";
import { useFormat } from "#web/frame.js";
import { FormCard } from "#web/parts/form-card.js";
import { CheckboxField } from "#web/parts/input-fields.js";
import { Notice } from "#web/parts/notice.js";
import { Time } from "#web/parts/time.js";
import { defineTexts, useTexts } from "#web/texts.js";

const texts = defineTexts({
  en: {
    title: "Integrity",
    lead: "Checks records, figures and files against each other, in the background. It changes nothing.",
    deep: "Also read every stored file and compare it with its hash; takes long",
    start: "Check now",
    never: "Nothing was checked from here yet.",
    running: "A check is running; look again in a while.",
    sound: (checks: string) => `${checks} checks: nothing is wrong`,
    broken: (errors: string, leftovers: string) => `Not as it was promised: ${errors}. Only in the way: ${leftovers}.`,
    advice: "`modshelf repair` on the server says which of them it can mend.",
    ended: "Last check:",
    withFiles: "every file was read",
    level: "Kind",
    levels: { error: "wrong", leftover: "left over" },
    check: "Check",
    about: "What",
  },
  de: {
    title: "Unversehrtheit",
    lead: "Prüft Einträge, Zahlen und Dateien gegeneinander, im Hintergrund. Es ändert nichts.",
    deep: "Auch jede Datei lesen und mit ihrem Hash vergleichen; dauert lange",
    start: "Jetzt prüfen",
    never: "Von hier aus wurde noch nichts geprüft.",
    running: "Eine Prüfung läuft; sieh später wieder nach.",
    sound: (checks) => `${checks} Prüfungen: Alles stimmt`,
    broken: (errors, leftovers) => `Nicht wie versprochen: ${errors}. Nur im Weg: ${leftovers}.`,
    advice: "`modshelf repair` auf dem Server sagt, was sich davon beheben lässt.",
    ended: "Letzte Prüfung:",
    withFiles: "jede Datei wurde gelesen",
    level: "Art",
    levels: { error: "falsch", leftover: "übrig" },
    check: "Prüfung",
    about: "Was",
  },
});

export const Verification = ({ run }: { run: VerificationRun | undefined }) => {
  const t = useTexts(texts);
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
  const t = useTexts(texts);
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
