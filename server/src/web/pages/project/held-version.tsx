// A hidden version for the team of its project: in quarantine (what happened, why, and how to answer the moderators), or
// waiting for the malware scan.
import type { TeamVersion } from "#moderation/quarantine/team-versions.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Notice } from "#web/parts/notice.js";
import { versionPath } from "#web/shared/version-paths.js";
import { texts } from "#words/texts.js";

interface Props {
  projectSlug: string;
  version: TeamVersion;
  /** The page of the version itself needs no link to it. */
  isOwnPage?: boolean;
}

export const HeldVersion = ({ projectSlug, version, isOwnPage = false }: Props) => {
  const { held } = useTexts(texts.project.version);
  const { isWaiting } = version;
  const title = (isWaiting ? held.waiting : held).title(version.versionNumber);
  return (
    <Notice kind="warning" title={isOwnPage ? title : <a href={versionPath(projectSlug, version.slug)}>{title}</a>}>
      <p>{(isWaiting ? held.waiting : held).text}</p>
      {version.reason && (
        <p>
          {held.reason} <span dir="auto">{version.reason}</span>
        </p>
      )}
      {!isWaiting && (
        <p>
          {held.advice} <a href={`${projectPath(projectSlug)}/moderation#thread`}>{held.answer}</a>
        </p>
      )}
    </Notice>
  );
};

export const HeldVersionPage = ({ projectSlug, version }: Omit<Props, "isOwnPage">) => {
  const { held } = useTexts(texts.project.version);
  return (
    <>
      <header class="stack version-head">
        <h2 dir="auto">{version.title}</h2>
        <p class="muted">
          {version.versionNumber} <span class="pill yanked">{(version.isWaiting ? held.waiting : held).mark}</span>
        </p>
      </header>
      <HeldVersion projectSlug={projectSlug} version={version} isOwnPage />
    </>
  );
};
