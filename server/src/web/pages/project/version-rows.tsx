// Versions as rows of a table; on phones each is a card with labelled fields.
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { useFormat } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { ButtonLink } from "#web/parts/button.js";
import { ChannelPill } from "#web/parts/channel-pill.js";
import { Icon } from "#web/parts/icon.js";
import { Time } from "#web/parts/time.js";
import type { PageVersion } from "#web/shared/project-view.js";
import { downloadPath, versionPath } from "#web/shared/version-paths.js";
import { texts } from "#words/texts.js";
import { rangeText, toRanges } from "./game-version-ranges.js";

interface Props {
  slug: string;
  versions: readonly PageVersion[];
  taxonomy: Taxonomy;
}

export const VersionTable = ({ slug, versions, taxonomy }: Props) => {
  const { columns } = useTexts(texts.project.version);
  // Neighbours often have the same game versions.
  const known = new Map<ReadonlySet<string>, readonly string[]>();
  const rangesOf = (gameVersions: ReadonlySet<string>): readonly string[] => {
    const ranges = known.get(gameVersions) ?? toRanges([...gameVersions], taxonomy).map(rangeText);
    known.set(gameVersions, ranges);
    return ranges;
  };
  return (
    <table class="stacked versions">
      <thead>
        <tr>
          <th scope="col">{columns.version}</th>
          <th scope="col">{columns.gameVersions}</th>
          <th scope="col">{columns.loaders}</th>
          <th scope="col">{columns.published}</th>
          <th scope="col" class="number">
            {columns.downloads}
          </th>
          <th scope="col" class="number">
            {columns.size}
          </th>
          <th scope="col">{columns.file}</th>
        </tr>
      </thead>
      <tbody>
        {versions.map((version) => (
          <VersionRow key={version.id} slug={slug} version={version} taxonomy={taxonomy} rangesOf={rangesOf} />
        ))}
      </tbody>
    </table>
  );
};

interface RowProps {
  slug: string;
  version: PageVersion;
  taxonomy: Taxonomy;
  rangesOf: (gameVersions: ReadonlySet<string>) => readonly string[];
}

const VersionRow = ({ slug, version, taxonomy, rangesOf }: RowProps) => {
  const t = useTexts(texts.project.version);
  const format = useFormat();
  const { columns } = t;
  const { title, downloads, primaryFile } = version.own.value;
  const ranges = rangesOf(version.gameVersions);
  return (
    <tr>
      <td class="version-cell">
        <ChannelPill channel={version.channel} />
        <span>
          <a href={versionPath(slug, version.slug)}>
            <b>{version.versionNumber}</b>
          </a>{" "}
          {version.yanked && <span class="pill yanked">{t.yanked}</span>}
          {title !== version.versionNumber && (
            <span class="muted small" dir="auto">
              {title}
            </span>
          )}
        </span>
      </td>
      <td data-label={columns.gameVersions} title={ranges.length > 4 ? format.series(ranges) : undefined}>
        {format.series(ranges.slice(0, 4))}
        {ranges.length > 4 && " …"}
      </td>
      <td data-label={columns.loaders}>
        {format.series([...version.loaders].map((loader) => taxonomy.loaderLabel(loader))) || "–"}
      </td>
      <td data-label={columns.published}>
        <Time at={version.datePublished} />
      </td>
      <td data-label={columns.downloads} class="number" title={format.number(downloads)}>
        {format.count(downloads)}
      </td>
      <td data-label={columns.size} class="number">
        {format.bytes(primaryFile.size)}
      </td>
      <td>
        <ButtonLink
          kind="quiet"
          small
          href={downloadPath(slug, version)}
          aria-label={t.downloadOf(version.versionNumber)}
        >
          <Icon name="download" /> {t.download}
        </ButtonLink>
      </td>
    </tr>
  );
};
