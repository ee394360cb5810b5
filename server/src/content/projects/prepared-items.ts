// The cores and list items of public projects, straight from their records, without loading the projects.
import { preparedOf } from "#content/catalog/prepared-catalog.js";
import { hashIndexOf } from "#content/hashes/hash-index.js";
import { type CoreSource, hasSlug, readCore } from "#content/records/core-pieces.js";
import { type ItemOptions, ItemsOfRecords, type ListItems } from "#content/records/list-items.js";
import type { Resources } from "#platform/http/resources.js";

/**
 * The list items of the public projects with these ids or slugs, each once. Undefined unless all of them are in the files;
 * then they must be loaded.
 */
export function peekListItems(
  resources: Resources,
  refs: readonly string[],
  options: ItemOptions = {},
): ListItems | undefined {
  const items = new ItemsOfRecords(refs.length);
  const slots = new Set<number>();
  try {
    for (const ref of refs) {
      const core = peekCore(resources, ref);
      if (!core) return undefined;
      if (!slots.has(core.slot)) items.add(core, options);
      slots.add(core.slot);
    }
  } catch {
    // One of them is damaged. It is prepared again when it is loaded.
    return undefined;
  }
  return items;
}

/** The core of the public project with this id or slug, if it is in the files. Throws if it is damaged. */
export function peekCore(resources: Resources, ref: string): CoreSource | undefined {
  const prepared = preparedOf(resources);
  const byId = prepared.coreAt(prepared.places.find(ref) ?? -1);
  if (byId) return byId;
  for (const number of hashIndexOf(resources).projectsNamed(ref) ?? []) {
    const core = prepared.coreAt(prepared.files?.slotOf(number) ?? -1);
    if (core && hasSlug(readCore(core), ref.toLowerCase())) return core;
  }
  return undefined;
}
