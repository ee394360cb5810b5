// The changes that a new taxonomy makes: entries that come and go, and the projects and versions that use those that go. An
// administrator sees it before the taxonomy is applied.

import { sql } from "kysely";
import { fromJson } from "#lib/json.js";
import { inList } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import type { TaxonomyDocument } from "./document.js";
import { compileTaxonomy, type Taxonomy } from "./taxonomy.js";

export const comparedLists = ["projectTypes", "loaders", "categories", "gameVersions", "licenses"] as const;
export type ComparedList = (typeof comparedLists)[number];

export interface Use {
  projects: number;
  versions: number;
}

export interface ListChanges {
  list: ComparedList;
  added: string[];
  removed: { name: string; use: Use }[];
  /** Entries with another label, icon, color, project types and so on. */
  changed: string[];
  /** One entry has another name: the old and the new one. It is among the added and removed ones too. */
  renamed: [string, string] | undefined;
  isReordered: boolean;
}

export interface TaxonomyChanges {
  lists: ListChanges[];
  isSame: boolean;
  /** Projects whose types, loaders or categories are allowed now and would no longer be. */
  misfits: { count: number; examples: { slug: string; name: string }[] };
  /** There are more projects than were counted. */
  isPartial: boolean;
}

const nameOf = (entry: object): string => {
  const { value, name, id } = entry as { value?: string; name?: string; id?: string };
  return value ?? id ?? name ?? "";
};
const entriesOf = (document: TaxonomyDocument, list: ComparedList): readonly object[] =>
  list === "licenses" ? document.licenses.additional : document[list];

function compareList(before: TaxonomyDocument, after: TaxonomyDocument, list: ComparedList): ListChanges {
  const [old, fresh] = [entriesOf(before, list), entriesOf(after, list)];
  const known = new Map(old.map((entry) => [nameOf(entry), JSON.stringify(entry)]));
  const kept = new Set(fresh.map(nameOf));
  const added = fresh.map(nameOf).filter((name) => !known.has(name));
  const removed = old.map(nameOf).filter((name) => !kept.has(name));
  const common = (entries: readonly object[]) =>
    entries.map(nameOf).filter((name) => known.has(name) && kept.has(name));
  const isRenamed =
    added.length === 1 &&
    removed.length === 1 &&
    fresh.findIndex((entry) => nameOf(entry) === added[0]) === old.findIndex((entry) => nameOf(entry) === removed[0]);
  return {
    list,
    added,
    removed: removed.map((name) => ({ name, use: { projects: 0, versions: 0 } })),
    changed: fresh
      .filter((entry) => known.has(nameOf(entry)) && known.get(nameOf(entry)) !== JSON.stringify(entry))
      .map(nameOf),
    renamed: isRenamed ? [removed[0]!, added[0]!] : undefined,
    isReordered: common(old).join("\n") !== common(fresh).join("\n"),
  };
}

/** The projects of one statement, so that SQLite does not hold up other requests. */
const batchSize = 500;
/** More projects are not counted. */
const mostProjects = 200_000;
const mostExamples = 5;

export async function findTaxonomyChanges(
  db: Db,
  before: TaxonomyDocument,
  after: TaxonomyDocument,
): Promise<TaxonomyChanges> {
  const lists = comparedLists.map((list) => compareList(before, after, list));
  const isSame = JSON.stringify(before) === JSON.stringify(after);
  const changes: TaxonomyChanges = { lists, isSame, misfits: { count: 0, examples: [] }, isPartial: false };
  if (isSame) return changes;
  const [old, fresh] = [compileTaxonomy(before), compileTaxonomy(after)];
  const uses = Object.fromEntries(
    lists.map(({ list, removed }) => [list, new Map(removed.map(({ name, use }) => [name, use]))]),
  ) as Record<ComparedList, Map<string, Use>>;
  let last = "";
  for (let count = 0; ; count += batchSize) {
    const batch = await loadBatch(db, last);
    if (count >= mostProjects) changes.isPartial = batch.length > 0;
    if (batch.length === 0 || changes.isPartial) return changes;
    last = batch.at(-1)!.id;
    await countUses(db, batch, uses);
    for (const project of batch) {
      if (!fits(old, project) || fits(fresh, project)) continue;
      changes.misfits.count++;
      if (changes.misfits.examples.length < mostExamples)
        changes.misfits.examples.push({ slug: project.slug, name: project.name });
    }
  }
}

interface UsedNames {
  id: string;
  slug: string;
  name: string;
  license: string;
  types: string[];
  loaders: string[];
  gameVersions: string[];
  categories: string[];
}

async function loadBatch(db: Db, after: string): Promise<UsedNames[]> {
  const rows = await db
    .selectFrom("projects")
    .select(["id", "slug", "name", "license_id", "types", "loaders", "game_versions"])
    .where("id", ">", after)
    .orderBy("id")
    .limit(batchSize)
    .execute();
  if (rows.length === 0) return [];
  const categories = await db
    .selectFrom("project_categories")
    .select(["project_id", "category"])
    .where("project_id", ">", after)
    .where("project_id", "<=", rows.at(-1)!.id)
    .execute();
  const byProject = Map.groupBy(categories, ({ project_id }) => project_id);
  return rows.map((row) => ({
    id: row.id,
    slug: row.slug,
    name: row.name,
    license: row.license_id,
    types: fromJson(row.types),
    loaders: fromJson(row.loaders),
    gameVersions: fromJson(row.game_versions),
    categories: (byProject.get(row.id) ?? []).map(({ category }) => category),
  }));
}

async function countUses(db: Db, batch: readonly UsedNames[], uses: Record<ComparedList, Map<string, Use>>) {
  const withVersions = new Set<string>();
  for (const project of batch) {
    const named: Record<ComparedList, readonly string[]> = {
      projectTypes: project.types,
      loaders: project.loaders,
      categories: project.categories,
      gameVersions: project.gameVersions,
      licenses: [project.license],
    };
    for (const list of comparedLists)
      for (const name of named[list]) {
        const use = uses[list].get(name);
        if (!use) continue;
        use.projects++;
        if (list === "loaders" || list === "gameVersions") withVersions.add(project.id);
      }
  }
  if (withVersions.size === 0) return;
  for (const [column, list] of [
    ["loader", "loaders"],
    ["game_version", "gameVersions"],
  ] as const) {
    const names = [...uses[list].keys()];
    if (names.length === 0) continue;
    const rows = await db
      .selectFrom("version_compat")
      .select([`${column} as name`, sql<number>`count(distinct version_id)`.as("versions")])
      .where(inList(db, sql.ref("project_id"), [...withVersions]))
      .where(inList(db, sql.ref(column), names))
      .groupBy(column)
      .execute();
    for (const { name, versions } of rows) uses[list].get(name)!.versions += Number(versions);
  }
}

function fits(taxonomy: Taxonomy, { types, loaders, categories }: UsedNames): boolean {
  const allowed = taxonomy.categoriesAllowed(types);
  return (
    taxonomy.allowedTypeCombination(types).ok &&
    taxonomy.loadersAllowed(types, loaders).ok &&
    categories.every((category) => allowed.has(category))
  );
}
