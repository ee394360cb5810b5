// Whether an answer that is kept in memory still shows the current state: it depends only on the projects that it shows.
import type { Resources } from "#platform/http/resources.js";
import { catalogOf } from "./catalog.js";
import { preparedOf } from "./prepared-catalog.js";

/** Returns false as soon as something that the answer shows may have changed, apart from figures. */
export type IsCurrent = () => boolean;

/** For an answer that was just made and shows only these public projects; without them, anything in the catalogue. */
export function followShown(resources: Resources, projectIds?: readonly string[]): IsCurrent {
  const catalog = catalogOf(resources);
  const { places, tasks } = preparedOf(resources);
  const { edition } = catalog;
  const isUnchanged = () => catalog.edition === edition;
  const editions = projectIds?.map((id) => places.editionOf(id));
  // Changes of a project that was never prepared are not followed, and none while the files are not open.
  if (!projectIds || !tasks || editions?.includes(undefined)) return isUnchanged;
  return () => isUnchanged() || projectIds.every((id, at) => places.editionOf(id) === editions![at]);
}
