// Other projects on the pages of a project. The same popular projects are on many pages, so that they are kept in memory until
// they change.
import { type PreparedCatalog, preparedOf } from "#content/catalog/prepared-catalog.js";
import { readListItem } from "#content/records/list-items.js";
import type { PreparedProject } from "#content/records/prepared-project.js";
import type { ProjectListItem } from "#content/shapes/project.js";
import { perServer } from "#platform/changes/server-memory.js";
import type { Resources } from "#platform/http/resources.js";

export interface ProjectTile extends Pick<ProjectListItem, "id" | "slug" | "name" | "icon" | "summary" | "author"> {
  /** Whether public lists show it. */
  isListed: boolean;
}

/** Returns undefined for a project that is not prepared at present, and null for one that is not public. */
export type GetTile = (id: string) => ProjectTile | null | undefined;

interface KeptTile {
  tile: ProjectTile;
  slot: number;
  edition: number;
}

const tileBytes = 4 * 1024 * 1024;
const tilesOf = perServer((resources: Resources) =>
  resources.memory.createCache<KeptTile>({ name: "projectTiles", bytes: tileBytes }),
);

export const itemOf = (project: PreparedProject): ProjectListItem =>
  JSON.parse(project.pieceText("listItem")) as ProjectListItem;

export const tileOf = (project: PreparedProject): ProjectTile => toTile(itemOf(project), project.details.isListed);

const toTile = ({ id, slug, name, icon, summary, author }: ProjectListItem, isListed: boolean): ProjectTile => ({
  ...{ id, slug, name, icon, summary, author, isListed },
});

/** From its record, if it is in the files: an object of the whole project would cost more. */
function readTile(prepared: PreparedCatalog, slot: number): ProjectTile | undefined {
  const core = prepared.coreAt(slot);
  if (!core) {
    const project = prepared.peekAt(slot);
    return project && tileOf(project);
  }
  try {
    const { text, isListed } = readListItem(core);
    return toTile(JSON.parse(text) as ProjectListItem, isListed);
  } catch {
    // It is damaged, and prepared again when it is loaded.
    return undefined;
  }
}

/** The objects besides their texts. */
const usualBytes = 500;
const weightOf = ({ slug, name, icon, summary }: ProjectTile): number =>
  usualBytes + slug.length + name.length + summary.length + (icon?.length ?? 0);

export function peekTiles(resources: Resources): GetTile {
  const prepared = preparedOf(resources);
  const { places } = prepared;
  const tiles = tilesOf(resources);
  const { isFollowing } = resources.changeLog;
  return (id) => {
    const kept = isFollowing ? tiles.get(id) : undefined;
    if (kept && kept.edition === places.editionAt(kept.slot)) return kept.tile;
    const slot = places.find(id);
    if (slot === undefined) return undefined;
    const edition = places.editionAt(slot);
    const tile = readTile(prepared, slot);
    if (!tile) return places.isHidden(slot) ? null : undefined;
    tiles.set(id, { tile, slot, edition }, weightOf(tile));
    return tile;
  };
}
