// The view of the files page: a file and its uses, and the lists of quarantined and denied files.

import type { Children } from "#lib/jsx-runtime.js";
import { lengths } from "#lib/lengths.js";
import type { InspectedContent } from "#moderation/quarantine/contract.js";
import type { DeniedHash, HeldVersion, Quarantine } from "#moderation/quarantine/shapes.js";
import type { FormProblems } from "#web/context/form.js";
import { useFormat } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { FormCard } from "#web/parts/form-card.js";
import { Notice } from "#web/parts/notice.js";
import { TextField } from "#web/parts/text-field.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";
import { StatusPill } from "./desk-frame.js";

export const LookUp = ({ hash, isWrong = false }: { hash: string; isWrong?: boolean }) => {
  const t = useTexts(texts.moderation.file);
  const problems = isWrong ? { status: 400, message: t.badHash, fields: { hash: t.badHash } } : undefined;
  return (
    <Form method="get" class="desk-filters wide" action="/moderation/files">
      <TextField name="hash" required verbatim label={t.hash} hint={t.hashHint} value={hash} problems={problems} />
      <Button kind="quiet">{t.find}</Button>
    </Form>
  );
};

const LiftForm = ({ id, hash }: { id: string; hash: string }) => {
  const t = useTexts(texts.moderation.file);
  return (
    <Form action={`/moderation/quarantine/${id}/lift`}>
      <input type="hidden" name="hash" value={hash} />
      <Button kind="quiet" small>
        {t.lift}
      </Button>
    </Form>
  );
};

const AllowForm = ({ hash }: { hash: string }) => {
  const t = useTexts(texts.moderation.file);
  return (
    <Form action="/moderation/files/allow">
      <input type="hidden" name="hash" value={hash} />
      <Button kind="quiet" small>
        {t.allow}
      </Button>
    </Form>
  );
};

export const Found = ({ content, hash }: { content: InspectedContent; hash: string }) => {
  const t = useTexts(texts.moderation.file);
  const format = useFormat();
  const { sha1, sha512, size, denied, quarantine, versions } = content;
  return (
    <>
      <dl class="facts">
        <dt>SHA-512</dt>
        <dd>
          <code>{sha512 ?? "–"}</code>
        </dd>
        <dt>SHA-1</dt>
        <dd>
          <code>{sha1 ?? "–"}</code>
        </dd>
        <dt>{t.size}</dt>
        <dd>{size === null ? "–" : format.bytes(size)}</dd>
      </dl>
      {quarantine && (
        <Notice kind="warning" title={t.standing}>
          <p dir="auto">{quarantine.reason}</p>
          <LiftForm id={quarantine.id} hash={hash} />
        </Notice>
      )}
      {denied && (
        <Notice kind="warning" title={t.denied}>
          <p dir="auto">{denied.reason}</p>
          <AllowForm hash={hash} />
        </Notice>
      )}
      <h2>{t.inVersions}</h2>
      {versions.length === 0 ? <p class="muted">{t.unknown}</p> : <Versions versions={versions} />}
      {sha512 && !quarantine && (
        <p>
          <ButtonLink kind="danger" href={`/moderation/quarantine?sha512=${sha512}`}>
            {t.quarantine}
          </ButtonLink>
        </p>
      )}
      {!denied && <DenyForm typed={{ hash, reason: "" }} />}
    </>
  );
};

export const Versions = ({ versions }: { versions: readonly HeldVersion[] }) => {
  const t = useTexts(texts.moderation.file);
  return (
    <div class="desk-table">
      <table>
        <thead>
          <tr>
            <th>{t.project}</th>
            <th>{t.version}</th>
            <th>{t.state}</th>
            <th>{t.published}</th>
          </tr>
        </thead>
        <tbody>
          {versions.map(({ id, versionNumber, project, quarantined, datePublished }) => (
            <tr key={id}>
              <td data-label={t.project}>
                <a href={projectPath(project.slug)} dir="auto">
                  {project.name}
                </a>
              </td>
              <td data-label={t.version} dir="auto">
                {versionNumber}
              </td>
              <td data-label={t.state}>
                <StatusPill status={project.status} /> {quarantined && <span class="pill alpha">{t.quarantined}</span>}
              </td>
              <td data-label={t.published}>
                <Time at={datePublished} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

interface DenyProps {
  typed: { hash: string; reason: string };
  problems?: FormProblems | undefined;
}

/** The hash is a visible field if it was invalid. */
export const DenyForm = ({ typed, problems }: DenyProps) => {
  const t = useTexts(texts.moderation.file);
  const { reason, recordHint } = useTexts(texts.moderation.desk);
  return (
    <>
      <h2>{t.deny}</h2>
      <p class="muted">{t.denyHint}</p>
      <FormCard action="/moderation/files/deny" button={t.deny} labels={{ hash: t.hash, reason }} problems={problems}>
        {problems ? (
          <TextField name="hash" required verbatim label={t.hash} value={typed.hash} problems={problems} />
        ) : (
          <input type="hidden" name="hash" value={typed.hash} />
        )}
        <TextField
          name="reason"
          required
          label={reason}
          hint={recordHint}
          value={typed.reason}
          lengths={lengths.moderationReason}
          problems={problems}
        />
      </FormCard>
    </>
  );
};

interface ListsProps {
  quarantines: readonly Quarantine[];
  /** The quarantined versions. */
  versions: ReadonlyMap<string, HeldVersion>;
  denied: readonly DeniedHash[];
}

export const Lists = ({ quarantines, versions, denied }: ListsProps) => {
  const t = useTexts(texts.moderation.file);
  return (
    <>
      <h2>{t.all}</h2>
      {quarantines.length === 0 && <p class="muted">{t.noneStanding}</p>}
      <ul class="plain-list desk-rows">
        {quarantines.map(({ id, versionId, sha512, ...record }) => (
          <Entry
            key={id}
            mark="▲"
            title={
              sha512 ? (
                <HashLink hash={sha512} />
              ) : (
                <VersionLink id={versionId ?? ""} version={versions.get(versionId ?? "")} />
              )
            }
            record={record}
          >
            <LiftForm id={id} hash={sha512 ?? ""} />
          </Entry>
        ))}
      </ul>
      <h2>{t.allDenied}</h2>
      {denied.length === 0 && <p class="muted">{t.noneDenied}</p>}
      <ul class="plain-list desk-rows">
        {denied.map(({ sha512, sha1, ...record }) => (
          <Entry key={sha512 ?? sha1} mark="✕" title={<HashLink hash={sha512 ?? sha1 ?? ""} />} record={record}>
            <AllowForm hash={sha512 ?? sha1 ?? ""} />
          </Entry>
        ))}
      </ul>
    </>
  );
};

const VersionLink = ({ id, version }: { id: string; version: HeldVersion | undefined }) => {
  const t = useTexts(texts.moderation.file);
  if (!version) return `${t.ofVersion} ${id}`;
  const { project, versionNumber } = version;
  return (
    <a href={`${projectPath(project.slug)}/version/${id}`} dir="auto">
      {project.name} {versionNumber}
    </a>
  );
};

const HashLink = ({ hash }: { hash: string }) => (
  <a href={`/moderation/files?hash=${hash}`}>
    <code>{hash.slice(0, 24)}…</code>
  </a>
);

interface EntryProps {
  mark: string;
  title: Children;
  record: Pick<Quarantine, "reason" | "createdBy" | "dateCreated">;
  children: Children;
}

const Entry = ({ mark, title, record: { reason, createdBy, dateCreated }, children }: EntryProps) => {
  const t = useTexts(texts.moderation.file);
  return (
    <li class="card desk-row">
      <span aria-hidden="true">{mark}</span>
      <div>
        <h3>{title}</h3>
        <p class="muted small" dir="auto">
          {reason}
        </p>
      </div>
      <p class="small">
        <Time at={dateCreated} /> {createdBy && `${t.by} ${createdBy.userName}`}
      </p>
      {children}
    </li>
  );
};
