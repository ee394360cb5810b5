// The collections that moderators feature, on the start page.
import type { CollectionTile } from "#community/collections/tiles.js";
import { useFormat } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { Picture } from "#web/parts/picture.js";
import { texts } from "#words/texts.js";

export const CollectionTiles = ({ tiles }: { tiles: readonly CollectionTile[] }) => {
  const t = useTexts(texts.browse.home);
  return (
    <section class="stack">
      <div class="section-head">
        <h2>{t.collections}</h2>
        <a href="/search/collections" aria-label={`${t.more}: ${t.collections}`}>
          {t.more}
        </a>
      </div>
      <ul class="collection-tiles">
        {tiles.map((tile) => (
          <Tile key={tile.id} tile={tile} />
        ))}
      </ul>
    </section>
  );
};

/** The whole tile is one link. */
const Tile = ({ tile: { id, name, description, curator, projects, icons } }: { tile: CollectionTile }) => {
  const t = useTexts(texts.browse.list);
  const format = useFormat();
  return (
    <li class="collection-tile">
      <span class="collection-icons">
        {icons.map((icon) => (
          <Picture key={icon} src={icon} size={40} />
        ))}
      </span>
      <div>
        <h3>
          <a href={`/collection/${id}`} dir="auto">
            {name}
          </a>
        </h3>
        {description !== "" && (
          <p class="collection-about">
            <bdi>{description}</bdi>
          </p>
        )}
        <p class="muted">
          {t.by} <span dir="auto">{curator}</span> · {t.inCollection(format.count(projects), projects === 1)}
        </p>
      </div>
    </li>
  );
};
