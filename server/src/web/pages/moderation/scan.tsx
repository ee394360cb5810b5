// A file for moderators: findings, changes, other uses, hashes, and the tree of its content.
import type { Scan } from "#moderation/quarantine/scan.js";
import type { compareFile } from "#moderation/quarantine/scan-changes.js";
import { describeArchive } from "#platform/archives/sentences.js";
import { mostListed } from "#platform/archives/walk.js";
import { useFormat, useFrame } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Notice } from "#web/parts/notice.js";
import { texts } from "#words/texts.js";
import { ArchiveChanges } from "./changes.js";
import { type Branch, toTree } from "./file-tree.js";

interface Props {
  scan: Scan;
  changes: Awaited<ReturnType<typeof compareFile>>;
}

export const ScanView = ({ scan, changes }: Props) => {
  const t = useTexts(texts.moderation.scan);
  const { quarantine } = useTexts(texts.moderation.file);
  const format = useFormat();
  const { file, version, project, inspection } = scan;
  const files = inspection?.ok ? (inspection.files ?? []) : [];
  return (
    <>
      <p dir="auto">
        {t.of} <a href={projectPath(project.slug)}>{project.name}</a> {version.number} ·{" "}
        <a href={`/moderation/queue/${project.id}`}>{t.review}</a> ·{" "}
        <a href={`/api/moderation/version/${version.id}/${encodeURIComponent(file.name)}`}>{t.download}</a>
        {!scan.content.quarantine && (
          <>
            {" · "}
            <a href={`/moderation/quarantine?sha512=${file.sha512}`}>{quarantine}</a>
          </>
        )}
      </p>
      <dl class="facts">
        <dt>{t.size}</dt>
        <dd>{format.bytes(file.size)}</dd>
        <dt>{t.kind}</dt>
        <dd>{file.type}</dd>
        {inspection?.ok && (
          <>
            <dt>{t.entries}</dt>
            <dd>{format.number(inspection.entries)}</dd>
            <dt>{t.unpacked}</dt>
            <dd>{format.bytes(inspection.inflatedBytes)}</dd>
          </>
        )}
        <dt>SHA-512</dt>
        <dd class="whole-text">
          <code>{file.sha512}</code>
        </dd>
        <dt>SHA-1</dt>
        <dd class="whole-text">
          <code>{file.sha1}</code>
        </dd>
      </dl>
      <h2>{t.standsOut}</h2>
      <StandsOut scan={scan} />
      {changes ? (
        <ArchiveChanges changes={changes} />
      ) : (
        <section class="stack" id="changes">
          <h2>{t.changes.title}</h2>
          <p class="muted">{t.changes.unreadable(file.type)}</p>
        </section>
      )}
      <h2>{t.elsewhere}</h2>
      <Elsewhere scan={scan} />
      <h2>{t.tree}</h2>
      {files.length === 0 ? <p class="muted">{t.noTree}</p> : <Tree branches={toTree(files)} fileId={file.id} />}
      {files.length === mostListed && <p class="muted">{t.cut(format.number(mostListed))}</p>}
    </>
  );
};

const StandsOut = ({ scan }: { scan: Scan }) => {
  const t = useTexts(texts.moderation.scan);
  const { locale } = useFrame();
  const { content, inspection, isMissing, programs, denied } = scan;
  const nested = inspection?.ok ? inspection.nested : [];
  const remarks: { title: string; kind?: "warning" | "problem"; paths?: readonly string[] }[] = [
    ...(isMissing ? [{ title: t.missing, kind: "problem" as const }] : []),
    ...(content.denied ? [{ title: t.isDenied, kind: "problem" as const, paths: [content.denied.reason] }] : []),
    ...(content.quarantine ? [{ title: t.isHeld, kind: "problem" as const, paths: [content.quarantine.reason] }] : []),
    ...(inspection && !inspection.ok
      ? [{ title: t.refused, kind: "problem" as const, paths: [describeArchive(inspection).in(locale)] }]
      : []),
    ...(denied.length > 0 ? [{ title: t.denied(denied.length), kind: "problem" as const, paths: denied }] : []),
    ...(programs.length > 0 ? [{ title: t.programs(programs.length), kind: "warning" as const, paths: programs }] : []),
    ...(inspection?.ok && !inspection.isContentSeen ? [{ title: t.unseen, kind: "warning" as const }] : []),
    ...(nested.length > 0 ? [{ title: t.nested(nested.length), paths: nested.map(({ path }) => path) }] : []),
  ];
  if (remarks.length === 0) return <p>{t.nothing}</p>;
  return (
    <>
      {remarks.map(({ title, kind, paths = [] }) => (
        <Notice key={title} title={title} {...(kind && { kind })}>
          {paths.slice(0, 50).map((path) => (
            <p key={path} class="whole-text small" dir="auto">
              {path}
            </p>
          ))}
        </Notice>
      ))}
    </>
  );
};

const Elsewhere = ({ scan: { content, version, file } }: { scan: Scan }) => {
  const t = useTexts(texts.moderation.scan);
  const others = content.versions.filter(({ id }) => id !== version.id);
  return (
    <>
      {others.length === 0 ? (
        <p class="muted">{t.onlyHere}</p>
      ) : (
        <ul class="plain-list">
          {others.map(({ id, versionNumber, project }) => (
            <li key={id} dir="auto">
              <a href={`${projectPath(project.slug)}/version/${id}`}>{project.name}</a> {versionNumber}
            </li>
          ))}
        </ul>
      )}
      <p>
        <a href={`/moderation/files?hash=${file.sha512}`}>{t.whole}</a>
      </p>
    </>
  );
};

/** Folders open and close without script. */
const Tree = ({ branches, fileId }: { branches: readonly Branch[]; fileId: string }) => {
  const format = useFormat();
  return (
    <ul class="file-tree">
      {branches.map(({ name, size, path, branches: inner }) => (
        <li key={name} class="whole-text">
          {inner.length === 0 ? (
            <>
              {path === undefined ? (
                <span dir="auto">{name}</span>
              ) : (
                <a href={`/moderation/scan/${fileId}/read?path=${encodeURIComponent(path)}`} rel="nofollow" dir="auto">
                  {name}
                </a>
              )}{" "}
              <span class="muted small">{format.bytes(size)}</span>
            </>
          ) : (
            <details>
              <summary>
                <span dir="auto">{name}</span> <span class="muted small">{format.bytes(size)}</span>
              </summary>
              <Tree branches={inner} fileId={fileId} />
            </details>
          )}
        </li>
      ))}
    </ul>
  );
};
