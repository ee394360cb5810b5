// The parts of the download page: the tree of files, optional files, conflicts, and missing files.
import type { Plan } from "#content/resolve/shapes.js";
import type { VersionEntry } from "#content/versions/entries.js";
import { useFormat, useFrame } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { ButtonLink } from "#web/parts/button.js";
import { ChannelPill } from "#web/parts/channel-pill.js";
import { CommandLine } from "#web/parts/command-line.js";
import { Icon } from "#web/parts/icon.js";
import { Notice } from "#web/parts/notice.js";
import { Reason } from "#web/shared/clash-reason.js";
import { type PackOffer, Packs } from "#web/shared/pack-offer.js";
import type { ProjectView } from "#web/shared/project-view.js";
import { choiceQuery } from "#web/shared/version-filter.js";
import { versionPath } from "#web/shared/version-paths.js";
import { texts } from "#words/texts.js";
import { type TreeNode, toTree } from "./dependency-tree.js";
import type { DownloadChoice } from "./download-plan.js";
import { type HandOver, Launchers } from "./launchers.js";
import type { NamedDependency } from "./named-dependencies.js";

interface FilesProps {
  view: ProjectView;
  choice: DownloadChoice;
  plan: Plan;
  handOver: HandOver | undefined;
  packs: PackOffer | undefined;
}

export const Files = ({ view: { project, versions }, choice, plan, handOver, packs }: FilesProps) => {
  const t = useTexts(texts.project.download);
  const format = useFormat();
  const { files, downloadSize } = plan;
  const size = format.bytes(downloadSize);
  const { gameVersion, loader, channel, pinned } = choice;
  const { siteUrl } = useFrame();
  const query = choiceQuery({ gameVersion, loader, channel }, pinned ? { version: pinned.slug } : {});
  const archive = `${projectPath(project.slug)}/download.zip${query}`;
  const [only] = files;
  const instead = pinned && versions.find(({ id }) => id === pinned.replacementId);
  return (
    <section class="stack">
      <h2>{t.files}</h2>
      {pinned?.yanked && (
        <Notice kind="warning" title={t.yanked}>
          {instead && (
            <p>
              <a
                href={`${projectPath(project.slug)}/download${choiceQuery({ gameVersion, loader, channel }, { version: instead.slug })}`}
              >
                {t.instead(instead.versionNumber)}
              </a>
            </p>
          )}
        </Notice>
      )}
      {files.length === 1 ? (
        <p>
          <ButtonLink href={only!.file.url} data-download>
            <Icon name="download" /> {t.one(only!.file.name, size)}
          </ButtonLink>
        </p>
      ) : (
        <p>
          <ButtonLink href={archive} data-download>
            <Icon name="download" /> {t.all(files.length, size)}
          </ButtonLink>
        </p>
      )}
      {files.length > 1 && <p class="small muted">{t.allHint}</p>}
      {handOver && <Launchers handOver={handOver} />}
      <ul class="tree" aria-label={t.tree}>
        {toTree(files, project.id).map((node) => (
          <Node key={node.planned.project.id} node={node} isRoot />
        ))}
      </ul>
      <CommandLine text={`curl -OJ "${siteUrl}${archive}"`} />
      {packs && <Packs offer={packs} archive={archive} />}
    </section>
  );
};

const Node = ({ node, isRoot = false }: { node: TreeNode; isRoot?: boolean }) => {
  const t = useTexts(texts.project.download);
  const format = useFormat();
  const { planned, children, isRepeated } = node;
  const { project, version, file } = planned;
  return (
    <li>
      <div class="tree-row">
        <span class="tree-text">
          <a href={projectPath(project.slug)} dir="auto">
            {project.name}
          </a>{" "}
          <a href={versionPath(project.slug, version.slug)}>{version.versionNumber}</a>{" "}
          <ChannelPill channel={version.releaseChannel} />{" "}
          {!isRoot && <span class="pill need-required">{t.needed}</span>}
          {isRepeated && <span class="muted small">{t.repeated}</span>}
          {!isRepeated && !planned.fits && <span class="muted small">{t.doesNotFit}</span>}
        </span>
        {!isRepeated && (
          <a class="tree-file" href={file.url}>
            <Icon name="download" /> <span dir="auto">{file.name}</span>{" "}
            <span class="muted">{format.bytes(file.size)}</span>
          </a>
        )}
      </div>
      {children.length > 0 && (
        <ul>
          {children.map((child) => (
            <Node key={child.planned.project.id} node={child} />
          ))}
        </ul>
      )}
    </li>
  );
};

export const Optional = ({ optional, choice }: { optional: Plan["optional"]; choice: DownloadChoice }) => {
  const t = useTexts(texts.project.download);
  const { gameVersion, loader, channel } = choice;
  return (
    <section class="stack">
      <h2>{t.optional}</h2>
      <p class="small muted">{t.optionalHint}</p>
      <ul class="plain-list">
        {optional.map(({ project }) => (
          <li key={project.id}>
            <a
              href={`${projectPath(project.slug)}/download${choiceQuery({ gameVersion, loader, channel })}`}
              dir="auto"
            >
              {project.name}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
};

export const Conflicts = ({ conflicts }: { conflicts: readonly NamedDependency[] }) => {
  const t = useTexts(texts.project.download);
  return (
    <Notice kind="warning" title={t.conflicts}>
      <ul>
        {conflicts.map(({ id, project, version }) => (
          <li key={id}>
            {project ? (
              <a href={projectPath(project.slug)} dir="auto">
                {project.project.name}
              </a>
            ) : (
              t.something
            )}{" "}
            {version?.versionNumber}
          </li>
        ))}
      </ul>
    </Notice>
  );
};

interface TroubleProps extends Omit<FilesProps, "plan" | "handOver" | "packs"> {
  match: VersionEntry;
  /** Undefined if there is no plan. */
  plan: Plan | undefined;
}

/** Names the problem; the file itself can still be downloaded. */
export const Trouble = ({ view, choice, match, plan }: TroubleProps) => {
  const t = useTexts(texts.project.download);
  const format = useFormat();
  const { gameVersion, loader } = choice;
  const reasons = plan?.clash?.reasons ?? [];
  const { primaryFile } = match.own.value;
  const wider = choiceQuery({ gameVersion, loader, channel: "dev" });
  return (
    <section class="stack">
      <Notice kind="warning" title={plan ? t.problem : t.tooHard}>
        {reasons.length > 0 && (
          <ul>
            {reasons.map((reason) => (
              <li key={`${reason.kind} ${reason.projectId}`}>
                <Reason taxonomy={view.taxonomy} choice={choice} reason={reason} />
              </li>
            ))}
          </ul>
        )}
        {reasons.some(({ missing }) => missing === "releaseChannel") && (
          <p>
            <a href={`${projectPath(view.project.slug)}/download${wider}`}>{t.tryChannel}</a>
          </p>
        )}
        <p>{t.problemHint}</p>
      </Notice>
      <p>
        <ButtonLink href={primaryFile.url} data-download>
          <Icon name="download" /> {t.one(primaryFile.name, format.bytes(primaryFile.size))}
        </ButtonLink>
      </p>
    </section>
  );
};
