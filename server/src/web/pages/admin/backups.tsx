// The backups of the site: one button that makes one, the list of those that exist, and how to restore one.
import { sep } from "node:path";
import type { Config } from "#config/config.js";
import type { Moment } from "#operations/backup/moments.js";
import type { BackupRun } from "#operations/backup/run-record.js";
import { useFormat } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { CopyButton } from "#web/parts/copy-button.js";
import { Form } from "#web/parts/form.js";
import { FreshNeeded } from "#web/parts/fresh-needed.js";
import { Notice } from "#web/parts/notice.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";

export const backupPath = "/admin/settings/backup";

interface Props {
  config: Pick<Config, "backup" | "dataDir" | "database">;
  run: BackupRun | undefined;
  isRunning: boolean;
  moments: readonly Moment[];
  isFresh: boolean;
}

/** Above the form of the schedule. */
export const BackupIntro = ({ config, run, isRunning }: Pick<Props, "config" | "run" | "isRunning">) => {
  const t = useTexts(texts.operator.backup);
  const { backup, dataDir, database } = config;
  return (
    <>
      <p>
        {t.lead(backup.dir)} {database.engine === "postgres" && t.postgres} {t.key}
      </p>
      {isInside(backup.dir, dataDir) && <p class="muted">{t.sameDisk}</p>}
      <RunNotice run={run} isRunning={isRunning} />
      {!isRunning && (
        <Form action={`${backupPath}/run`}>
          <Button>{t.now}</Button>
        </Form>
      )}
      <h3>{t.schedule}</h3>
    </>
  );
};

export const Backups = ({ config, moments, isFresh }: Pick<Props, "config" | "moments" | "isFresh">) => {
  const t = useTexts(texts.operator.backup);
  return (
    <>
      <section class="stack" id="backups">
        <h2>{t.list}</h2>
        {moments.length === 0 ? (
          <p class="muted">{t.none}</p>
        ) : (
          <>
            {!isFresh && <FreshNeeded next={backupPath} />}
            <MomentTable moments={moments} isFresh={isFresh} />
          </>
        )}
      </section>
      <Restoring config={config} name={moments.find(({ content }) => content)?.name} />
    </>
  );
};

const isInside = (folder: string, other: string): boolean => `${folder}${sep}`.startsWith(`${other}${sep}`);

const RunNotice = ({ run, isRunning }: Pick<Props, "run" | "isRunning">) => {
  const t = useTexts(texts.operator.backup);
  const format = useFormat();
  if (!run) return null;
  if (isRunning)
    return (
      <Notice title={t.waiting}>
        <p>
          {run.total === null ? t.starting : t.progress(format.number(run.done), format.number(run.total))} {t.reload}
        </p>
      </Notice>
    );
  if (run.error === null || run.dateFinished === null) return null;
  return (
    <Notice kind="problem" title={t.failed}>
      <p dir="auto">
        <Time at={run.dateFinished} />: {run.error}
      </p>
    </Notice>
  );
};

const MomentTable = ({ moments, isFresh }: Pick<Props, "moments" | "isFresh">) => {
  const t = useTexts(texts.operator.backup);
  const format = useFormat();
  return (
    <div class="desk-table">
      <table>
        <thead>
          <tr>
            <th>{t.name}</th>
            <th>{t.made}</th>
            <th>{t.size}</th>
            <th>{t.checked}</th>
            {isFresh && <th>{t.act}</th>}
          </tr>
        </thead>
        <tbody>
          {moments.map(({ name, date, content }) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td data-label={t.made}>
                <Time at={date} />
              </td>
              <td data-label={t.size}>
                {content
                  ? `${format.bytes(content.bytes)}: ${t.content(format.number(content.rows), format.number(content.files))}`
                  : "–"}
              </td>
              <td data-label={t.checked}>{content ? t.isChecked : t.incomplete}</td>
              {isFresh && (
                <td data-label={t.act}>
                  <div class="actions">
                    {content && <ActionForm action="download" name={name} />}
                    <ActionForm action="delete" name={name} />
                  </div>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

const ActionForm = ({ action, name }: { action: "download" | "delete"; name: string }) => {
  const t = useTexts(texts.operator.backup);
  return (
    <Form action={`${backupPath}/${name}/${action}`}>
      <Button kind={action === "delete" ? "danger" : "quiet"} small aria-label={t.of(t[action], name)}>
        {t[action]}
      </Button>
    </Form>
  );
};

const quoted = (path: string): string => (/^[\w./:-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

/** The commands for the newest backup. */
const Restoring = ({
  config: { backup, dataDir, database },
  name,
}: Pick<Props, "config"> & { name: string | undefined }) => {
  const t = useTexts(texts.operator.backup);
  if (name === undefined) return null;
  const old = `${dataDir}.old`;
  // The folder moves with the data folder if it is inside.
  const folder = isInside(backup.dir, dataDir) ? `${old}${backup.dir.slice(dataDir.length)}` : backup.dir;
  return (
    <section class="stack desk-form" id="restore">
      <h2>{t.restore}</h2>
      <p>{t.restoreLead}</p>
      <div class="markdown">
        <ol>
          <li>{t.steps.stop}</li>
          <li>
            {t.steps.aside}
            <Command text={`mv ${quoted(dataDir)} ${quoted(old)} && mkdir -m 700 ${quoted(dataDir)}`} />
            <Command text={`cp -p ${quoted(`${old}/secret.key`)} ${quoted(dataDir)}/`} />
          </li>
          {database.engine === "postgres" && <li>{t.steps.postgres}</li>}
          <li>
            {t.steps.restore}
            <Command text={`modshelf restore ${quoted(`${folder}/${name}`)}`} />
          </li>
          <li>{t.steps.start}</li>
        </ol>
      </div>
      <p>{t.unpack}</p>
      <Command text={`unzip modshelf-${name}.zip -d modshelf-backup && modshelf restore modshelf-backup`} />
    </section>
  );
};

const Command = ({ text }: { text: string }) => (
  <p class="small command-line">
    <code>{text}</code> <CopyButton text={text} />
  </p>
);
