// The facts about a version besides its text and files, and how to build against it.

import type { VersionEntry } from "#content/versions/entries.js";
import { useFormat, useFrame } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { CopyButton } from "#web/parts/copy-button.js";
import { Picture } from "#web/parts/picture.js";
import { Time } from "#web/parts/time.js";
import type { ProjectView } from "#web/shared/project-view.js";
import { texts } from "#words/texts.js";
import { rangeText, toRanges } from "./game-version-ranges.js";
import { Block } from "./side-column.js";

interface Props {
  view: ProjectView;
  version: VersionEntry;
}

export const VersionFacts = ({ view: { project, taxonomy }, version }: Props) => {
  const t = useTexts(texts.project.version);
  const shared = useTexts(texts.users.shared);
  const format = useFormat();
  const { author, downloads, provenance } = version.own.value;
  return (
    <>
      <Block title={t.details}>
        <dl class="facts">
          <dt>{t.columns.gameVersions}</dt>
          <dd>{format.series(toRanges([...version.gameVersions], taxonomy).map(rangeText))}</dd>
          {version.loaders.size > 0 && (
            <>
              <dt>{t.columns.loaders}</dt>
              <dd>{format.series([...version.loaders].map((loader) => taxonomy.loaderLabel(loader)))}</dd>
            </>
          )}
          <dt>{t.columns.published}</dt>
          <dd>
            <Time at={version.datePublished} exact />
          </dd>
          <dt>{t.columns.downloads}</dt>
          <dd>{format.number(downloads)}</dd>
          {provenance && (
            <>
              <dt>{t.builtFrom}</dt>
              <dd>
                <a href={provenance.repositoryUrl} rel="ugc nofollow noopener">
                  <bdi>{provenance.repository}</bdi>
                </a>
                {provenance.commit && provenance.commitUrl && (
                  <>
                    {" "}
                    <a href={provenance.commitUrl} rel="ugc nofollow noopener">
                      <code>{provenance.commit.slice(0, 10)}</code>
                    </a>
                  </>
                )}{" "}
                <span class="muted small">{t.builtBy(provenance.workflow)}</span>
              </dd>
            </>
          )}
          <dt>{t.id}</dt>
          <dd>
            <code>{version.id}</code> <CopyButton text={version.id} />
          </dd>
        </dl>
      </Block>
      <Block title={t.publisher}>
        <ul class="plain-list people">
          <li>
            <Picture src={author.avatar} size={40} round />
            <span>
              <a href={`/user/${author.userName}`} dir="auto">
                {author.userName}
              </a>
              <span class="muted small" dir="auto">
                {shared.role(author.role)}
              </span>
            </span>
          </li>
        </ul>
      </Block>
      <p class="small">
        <a href={`${projectPath(project.slug)}/versions`}>{t.all}</a> ·{" "}
        <a href={`/report?itemType=version&itemId=${version.id}`} rel="nofollow">
          {t.report}
        </a>
      </p>
    </>
  );
};

/** Only for jar files: other projects are not built against. */
export const MavenSnippet = ({ view: { project, mavenGroup }, version }: Props) => {
  const t = useTexts(texts.project.version);
  const { siteUrl } = useFrame();
  if (version.files[0]?.type !== "jar") return null;
  const snippet = [
    "repositories {",
    `    maven { url = uri("${siteUrl}/maven") }`,
    "}",
    "dependencies {",
    `    implementation("${mavenGroup}:${project.slug}:${version.slug}")`,
    "}",
  ].join("\n");
  return (
    <details class="version-maven">
      <summary>
        <h2>{t.maven}</h2>
      </summary>
      <p class="muted">{t.mavenIntro}</p>
      <pre>
        <code>{snippet}</code>
      </pre>
      <CopyButton text={snippet} />
    </details>
  );
};
