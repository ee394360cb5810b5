// The compatibility matrix: game versions × loaders, each cell the best version as shape, colour, word and link.

import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { useFrame } from "#web/context/frame.js";
import { fillHtml, keepHtml } from "#web/context/kept-html.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { channelShapes } from "#web/parts/channel-pill.js";
import { TagIcon } from "#web/parts/tag-icon.js";
import type { PageVersion } from "#web/shared/project-view.js";
import { choiceQuery } from "#web/shared/version-filter.js";
import { texts } from "#words/texts.js";
import { anyLoader, type Compat, type CompatRow, toCompat } from "./compat.js";
import { rangeText } from "./game-version-ranges.js";

/** The other rows are collapsed. */
const rowsAtOnce = 8;

interface Props {
  slug: string;
  versions: readonly PageVersion[];
  taxonomy: Taxonomy;
}

export const CompatMatrix = ({ slug, versions, taxonomy }: Props) => {
  const t = useTexts(texts.project.page);
  const compat = toCompat(versions, taxonomy);
  const [first, rest] = [compat.rows.slice(0, rowsAtOnce), compat.rows.slice(rowsAtOnce)];
  if (first.length === 0) return <p class="muted">{t.noVersions}</p>;
  return (
    <>
      <Rows slug={slug} compat={compat} rows={first} taxonomy={taxonomy} />
      {rest.length > 0 && (
        <details>
          <summary>{t.olderGameVersions(rest.length)}</summary>
          <Rows slug={slug} compat={compat} rows={rest} taxonomy={taxonomy} />
        </details>
      )}
    </>
  );
};

interface RowsProps {
  slug: string;
  compat: Compat;
  rows: readonly CompatRow[];
  taxonomy: Taxonomy;
}

const Rows = ({ slug, compat, rows, taxonomy }: RowsProps) => {
  const t = useTexts(texts.project.page);
  const { setup } = useFrame();
  return (
    // It scrolls if there are many loaders, so it must be reachable by keyboard.
    <section class="matrix" tabindex={0} aria-label={t.compat}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t.gameVersion}</th>
            {compat.loaders.map((loader) => (
              <th key={loader} scope="col">
                {loader !== anyLoader && <TagIcon kind="loader" name={loader} />}{" "}
                {loader === anyLoader ? t.anyLoader : taxonomy.loaderLabel(loader)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ range, cells }) => {
            const isMine = setup.gameVersion !== "" && range.values.includes(setup.gameVersion);
            return (
              <tr key={range.newest} class={isMine ? "matrix-mine" : undefined}>
                <th scope="row" title={range.values.length > 2 ? range.values.join(", ") : undefined}>
                  {rangeText(range)}
                  {isMine && <span class="matrix-note">{t.yourSetup}</span>}
                </th>
                {cells.map((version, at) => (
                  <Cell
                    key={compat.loaders[at]}
                    slug={slug}
                    version={version}
                    gameVersion={isMine ? setup.gameVersion : range.newest}
                    loader={compat.loaders[at]!}
                  />
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
};

interface CellProps {
  slug: string;
  version: PageVersion | undefined;
  gameVersion: string;
  loader: string;
}

const Cell = ({ slug, version, gameVersion, loader }: CellProps) => {
  const t = useTexts(texts.parts.common);
  const words = useTexts(texts.project.page);
  if (!version)
    return keepHtml("no cell", () => (
      <td>
        <span class="muted" title={words.noneHere}>
          –
        </span>
      </td>
    ));
  const { channel, versionNumber } = version;
  const path = `${projectPath(slug)}/download${choiceQuery({ gameVersion, loader, channel })}`;
  return fillHtml(`cell ${channel}`, [path, versionNumber], ([href, number]) => (
    <td>
      <a class={`matrix-cell ${channel}`} href={href}>
        <span aria-hidden="true">{channelShapes[channel]}</span> <b title={number}>{number}</b>{" "}
        <i>{t.channels[channel]}</i>
      </a>
    </td>
  ));
};
