// The malware scanner: its state, a test, its settings, the files that wait, and a scan of everything.

import { figureDays, type ScanFigures, type WaitingFile } from "#moderation/scans/read.js";
import type { ScanRun } from "#moderation/scans/rescan.js";
import type { ScannerTrial } from "#operations/administration/scanner-trial.js";
import { useFormat } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { FreshNeeded } from "#web/parts/fresh-needed.js";
import { Notice } from "#web/parts/notice.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";

export const scannerPath = "/admin/settings/scanner";

interface Props {
  isOn: boolean;
  /** Undefined if it does not answer. */
  version: string | undefined;
  isFresh: boolean;
  trial?: ScannerTrial | undefined;
  figures: ScanFigures;
  waiting: readonly WaitingFile[];
  run: ScanRun | undefined;
}

/** Above the form of the settings. */
export const ScannerIntro = ({
  isOn,
  version,
  isFresh,
  trial,
}: Pick<Props, "isOn" | "version" | "isFresh" | "trial">) => {
  const t = useTexts(texts.operator.scanner);
  return (
    <>
      {trial && (
        <div role="status">
          <Notice {...(trial.outcome !== "works" && { kind: "problem" as const })} title={t.outcomes[trial.outcome]}>
            <p>{t.advice[trial.outcome]}</p>
            {trial.version && <p dir="auto">{trial.version}</p>}
          </Notice>
        </div>
      )}
      <p>{t.lead}</p>
      {!isOn ? (
        <Notice kind="warning" title={t.off}>
          <p>{t.offText}</p>
        </Notice>
      ) : version === undefined ? (
        <Notice kind="problem" title={t.fails} />
      ) : (
        <p class="muted" dir="auto">
          {t.answers(version)}
        </p>
      )}
      {!isFresh && <FreshNeeded next={scannerPath} />}
    </>
  );
};

/** Below the form. */
export const ScannerState = ({ isOn, isFresh, figures, waiting, run }: Omit<Props, "version" | "trial">) => (
  <>
    {isOn && isFresh && <TestForm />}
    {isOn && <Figures figures={figures} />}
    {waiting.length > 0 && <WaitingTable files={waiting} />}
    {(isOn || run) && <Everything isOn={isOn} run={run} />}
  </>
);

const TestForm = () => {
  const t = useTexts(texts.operator.scanner);
  return (
    <section class="stack">
      <h2>{t.test}</h2>
      <p>{t.testLead}</p>
      <Form action={`${scannerPath}/test`}>
        <Button kind="quiet">{t.testButton}</Button>
      </Form>
    </section>
  );
};

const Figures = ({ figures }: Pick<Props, "figures">) => {
  const t = useTexts(texts.operator.scanner);
  const format = useFormat();
  const { clean, infected, unscanned, waiting } = figures;
  return (
    <section class="stack">
      <h2>{t.figures(figureDays)}</h2>
      <dl class="facts">
        {(
          [
            [t.clean, clean],
            [t.infected, infected],
            [t.unscanned, unscanned],
            [t.waiting, waiting],
          ] as const
        ).map(([name, count]) => (
          <>
            <dt>{name}</dt>
            <dd>{format.number(count)}</dd>
          </>
        ))}
      </dl>
      <p>
        <a href="/moderation/files">{t.toQuarantine}</a>
      </p>
    </section>
  );
};

const WaitingTable = ({ files }: { files: readonly WaitingFile[] }) => {
  const t = useTexts(texts.operator.scanner);
  const format = useFormat();
  return (
    <section class="stack">
      <h2>{t.waitingTitle}</h2>
      <div class="desk-table">
        <table>
          <thead>
            <tr>
              <th>{t.file}</th>
              <th>{t.version}</th>
              <th>{t.size}</th>
              <th>{t.since}</th>
              <th>{t.attempts}</th>
            </tr>
          </thead>
          <tbody>
            {files.map((file) => (
              <tr key={file.id}>
                <th scope="row" dir="auto">
                  {file.name}
                </th>
                <td data-label={t.version} dir="auto">
                  <a href={`${projectPath(file.slug)}/versions`}>
                    {file.projectName} {file.versionNumber}
                  </a>
                </td>
                <td data-label={t.size}>{format.bytes(file.size)}</td>
                <td data-label={t.since}>
                  <Time at={file.since} />
                </td>
                <td data-label={t.attempts}>{format.number(file.attempts)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
};

const Everything = ({ isOn, run }: Pick<Props, "isOn" | "run">) => {
  const t = useTexts(texts.operator.scanner);
  const format = useFormat();
  const isRunning = run?.dateFinished === null;
  return (
    <section class="stack">
      <h2>{t.all}</h2>
      <p>{t.allLead}</p>
      {isRunning && (
        <Notice title={t.running}>
          <p>
            {t.progress(format.number(run.done), format.number(run.total))} {run.isUnreachable && t.unreachable}{" "}
            {t.reload}
          </p>
        </Notice>
      )}
      {run && run.dateFinished !== null && (
        <p class="muted">
          {t.last}: <Time at={run.dateFinished} />.{" "}
          {t.result(format.number(run.done), format.number(run.found), format.number(run.failed))}{" "}
          {run.isStopped && `${t.stopped}.`}
        </p>
      )}
      {isRunning ? (
        <Form action={`${scannerPath}/stop`}>
          <Button kind="quiet">{t.stop}</Button>
        </Form>
      ) : (
        isOn && (
          <Form action={`${scannerPath}/all`}>
            <Button kind="quiet">{t.allButton}</Button>
          </Form>
        )
      )}
    </section>
  );
};
