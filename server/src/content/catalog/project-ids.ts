// Projects as callers name them: by id, slug or old slug.
import { findIdsByRef } from "#platform/db/refs.js";
import type { Resources } from "#platform/http/resources.js";
import { catalogOf } from "./catalog.js";

/** Ids behind ids, slugs and old slugs; refs that lead nowhere are left out. */
export async function findProjectIds(resources: Resources, refs: readonly string[]): Promise<Map<string, string>> {
  const catalog = catalogOf(resources);
  const known = new Map(refs.map((ref) => [ref, catalog.peekId(ref)] as const));
  const missing = refs.filter((ref) => known.get(ref) === undefined);
  const found = missing.length === 0 ? undefined : await findIdsByRef(resources.db, "projects", missing);
  return new Map(
    refs.flatMap((ref) => {
      const id = known.get(ref) ?? found?.get(ref);
      return id === undefined ? [] : [[ref, id] as const];
    }),
  );
}

/** The same as a list: each project once, in the order in which they are named first. */
export const listProjectIds = async (resources: Resources, refs: readonly string[]): Promise<string[]> => [
  ...new Set((await findProjectIds(resources, refs)).values()),
];
