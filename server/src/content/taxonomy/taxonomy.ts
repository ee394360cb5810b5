// A compiled, immutable taxonomy: the lists that the tag routes return, and look-ups for other features.

import { readFileSync } from "node:fs";
import { ownFile } from "#lib/own-files.js";
import { type FileType, fileTypes } from "#platform/archives/file-types.js";
import { type Said, say } from "#words/said.js";
import type { TaxonomyDocument } from "./document.js";
import { type License, spdxLicenses } from "./licenses.js";
import { type categoryKinds, type releaseTypes, sideRules } from "./terms.js";

export interface GameVersion {
  readonly label: string;
  readonly value: string;
  readonly releaseType: (typeof releaseTypes)[number];
  readonly major: boolean;
}

export interface Category {
  readonly name: string;
  readonly projectTypes: readonly string[];
  readonly type: (typeof categoryKinds)[number];
  readonly isDisplayed: boolean;
}

export interface Loader {
  readonly name: string;
  readonly supportedProjectTypes: readonly string[];
}

/** How a project type is shown. Texts that the operator has not set are absent. */
export interface ProjectTypeWords {
  readonly label?: string | undefined;
  readonly plural?: string | undefined;
  /** The path of its list, without the slash. */
  readonly path: string;
}

/** How a type, loader or category is shown beside its name, as far as the operator has chosen it. */
export interface TagLook {
  readonly icon?: string | undefined;
  readonly color?: string | undefined;
}

export type Environment = "unknown" | "required" | "optional" | "unsupported";
export interface Environments {
  clientSide: Environment;
  serverSide: Environment;
}

export type Verdict = { ok: true } | { ok: false; reason: Said };

export interface Taxonomy {
  readonly projectTypes: readonly string[];
  readonly loaders: readonly Loader[];
  readonly categories: readonly Category[];
  /** Newest first. */
  readonly gameVersions: readonly GameVersion[];
  readonly licenses: readonly Readonly<License>[];
  readonly featuredLicenses: readonly Readonly<License>[];
  /** The licenses that the taxonomy adds to the SPDX list, such as "All Rights Reserved". */
  readonly ownLicenses: readonly Readonly<License>[];

  isProjectType(name: string): boolean;
  isLoader(name: string): boolean;
  isCategory(name: string): boolean;
  isGameVersion(value: string): boolean;
  /** Case-sensitive, as projects store it. */
  isLicenseId(id: string): boolean;

  projectTypeLabel(name: string): string;
  findProjectType(name: string): ProjectTypeWords | undefined;
  /** The type whose list has this path. */
  projectTypeAt(path: string): string | undefined;
  loaderLabel(name: string): string;
  tagLookOf(kind: "type" | "loader" | "category", name: string): TagLook | undefined;
  /** Ignores case. */
  findLicense(id: string): Readonly<License> | undefined;

  /** All categories without a type; none for an unknown type. */
  categoriesFor(type?: string): readonly Category[];
  loadersFor(type?: string): readonly Loader[];

  /** 0 is the newest; unknown versions come last. */
  gameVersionRank(value: string): number;
  sortGameVersions(values: readonly string[]): string[];

  allowedTypeCombination(types: readonly string[]): Verdict;
  loadersAllowed(types: readonly string[], loaders: readonly string[]): Verdict;
  /** Names of the categories that a project of these types can have. */
  categoriesAllowed(types: readonly string[]): ReadonlySet<string>;
  primaryFileTypes(types: readonly string[]): FileType[];
  /** The environment of each side: fixed by the types, chosen by the author, or unknown. */
  environmentFor(types: readonly string[], chosen?: Partial<Environments>): Environments;
}

/** The taxonomy that is used if the operator configures no file. The build copies it next to the code. */
export function readDefaultTaxonomyText(): string {
  return readFileSync(ownFile("content/taxonomy/default.yaml"), "utf8");
}

/** The same, parsed: `npm run docs` writes it, because parsing YAML would be a tenth of every start. */
export function readDefaultTaxonomy(): TaxonomyDocument {
  return JSON.parse(readFileSync(ownFile("content/taxonomy/default.json"), "utf8"));
}

export function compileTaxonomy(document: TaxonomyDocument): Taxonomy {
  const types = new Map(document.projectTypes.map((type) => [type.name, type]));
  const knownTypes = (names: readonly string[]) => names.flatMap((name) => types.get(name) ?? []);

  const words = new Map(
    document.projectTypes.map(({ name, label, plural, path = `${name}s` }) => [
      name,
      Object.freeze({ label, plural, path }),
    ]),
  );
  const typesByPath = new Map(Array.from(words, ([name, { path }]) => [path, name]));

  const looks = {
    type: groupLooks(document.projectTypes),
    loader: groupLooks(document.loaders),
    category: groupLooks(document.categories),
  };

  const loaders = document.loaders.map(({ name, projectTypes }) => ({ name, supportedProjectTypes: projectTypes }));
  const loaderLabels = new Map(document.loaders.map(({ name, label }) => [name, label]));
  const loadersByType = groupByType(loaders, (loader) => loader.supportedProjectTypes);

  const categories = document.categories.map(({ name, projectTypes, kind, displayed }) => ({
    name,
    projectTypes,
    type: kind,
    isDisplayed: displayed,
  }));
  const categoryNames = new Set(categories.map(({ name }) => name));
  const categoriesByType = groupByType(categories, (category) => category.projectTypes);

  const gameVersions = document.gameVersions.map(
    ({ value, label = value, releaseType = document.defaultReleaseType, major }) => ({
      label,
      value,
      releaseType,
      major,
    }),
  );
  const ranks = new Map(gameVersions.map(({ value }, rank) => [value, rank]));
  const gameVersionRank = (value: string) => ranks.get(value) ?? gameVersions.length;

  const { spdx, featured, additional } = document.licenses;
  const own: License[] = additional.map(({ id, name, ...rest }) => ({ name, licenseId: id, ...rest }));
  const licenses = spdx ? [...own, ...spdxLicenses] : own;
  const licensesById = new Map(licenses.map((license) => [license.licenseId.toLowerCase(), license]));
  const findLicense = (id: string) => licensesById.get(id.toLowerCase());

  const sideOf = (names: readonly string[], side: keyof Environments, chosen: Environment = "unknown") => {
    const rules = new Set(knownTypes(names).map((type) => type[side]));
    const strongest = sideRules.find((rule) => rules.has(rule)) ?? "chosen";
    return strongest === "chosen" ? chosen : strongest;
  };

  return Object.freeze<Taxonomy>({
    projectTypes: deepFreeze([...types.keys()]),
    loaders: deepFreeze(loaders),
    categories: deepFreeze(categories),
    gameVersions: deepFreeze(gameVersions),
    licenses: deepFreeze(licenses),
    ownLicenses: deepFreeze(own),
    featuredLicenses: deepFreeze(featured.flatMap((id) => findLicense(id) ?? [])),

    isProjectType: (name) => types.has(name),
    isLoader: (name) => loaderLabels.has(name),
    isCategory: (name) => categoryNames.has(name),
    isGameVersion: (value) => ranks.has(value),
    isLicenseId: (id) => findLicense(id)?.licenseId === id,

    findProjectType: (name) => words.get(name),
    projectTypeAt: (path) => typesByPath.get(path),
    projectTypeLabel: (name) => types.get(name)?.label ?? toLabel(name),
    loaderLabel: (name) => loaderLabels.get(name) ?? toLabel(name),
    tagLookOf: (kind, name) => looks[kind].get(name),
    findLicense,

    categoriesFor: (type) => (type === undefined ? categories : (categoriesByType.get(type) ?? [])),
    loadersFor: (type) => (type === undefined ? loaders : (loadersByType.get(type) ?? [])),

    gameVersionRank,
    sortGameVersions: (values) => values.toSorted((a, b) => gameVersionRank(a) - gameVersionRank(b)),

    allowedTypeCombination: (names) => judgeCombination(document, names),
    loadersAllowed: (names, wanted) => {
      const allowed = new Set(names.flatMap((type) => loadersByType.get(type) ?? []).map(({ name }) => name));
      const refused = wanted.find((loader) => !allowed.has(loader));
      if (refused === undefined) return { ok: true };
      const hint = allowed.size > 0 ? say.problems.chooseFrom([...allowed].join(", ")) : say.problems.noLoaders;
      return { ok: false, reason: say.problems.loaderNotFor(refused, names.join(" + "), hint) };
    },
    categoriesAllowed: (names) =>
      new Set(names.flatMap((type) => categoriesByType.get(type) ?? []).map(({ name }) => name)),
    primaryFileTypes: (names) => {
      const allowed = new Set<string>(knownTypes(names).flatMap((type) => type.primaryFileTypes));
      return fileTypes.filter((type) => allowed.has(type));
    },
    environmentFor: (names, chosen = {}) => ({
      clientSide: sideOf(names, "clientSide", chosen.clientSide),
      serverSide: sideOf(names, "serverSide", chosen.serverSide),
    }),
  });
}

function groupByType<Item>(items: Item[], typesOf: (item: Item) => string[]): Map<string, readonly Item[]> {
  const byType = new Map<string, Item[]>();
  for (const item of items) {
    for (const type of typesOf(item)) {
      const list = byType.get(type);
      if (list) list.push(item);
      else byType.set(type, [item]);
    }
  }
  return new Map([...byType].map(([type, list]) => [type, Object.freeze(list)]));
}

/** Only the entries for which the operator has chosen something. */
const groupLooks = (entries: readonly ({ name: string } & TagLook)[]): ReadonlyMap<string, TagLook> =>
  new Map(
    entries
      .filter(({ icon, color }) => icon !== undefined || color !== undefined)
      .map(({ name, icon, color }) => [name, Object.freeze({ icon, color })]),
  );

function judgeCombination({ projectTypes, combinations }: TaxonomyDocument, names: readonly string[]): Verdict {
  const wanted = [...new Set(names)];
  if (wanted.length === 0) return { ok: false, reason: say.problems.chooseType };
  const known = projectTypes.map(({ name }) => name);
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    return { ok: false, reason: say.problems.noType(unknown, known.join(", ")) };
  }
  if (wanted.length === 1 || combinations.some((group) => wanted.every((name) => group.includes(name)))) {
    return { ok: true };
  }
  const allowed = combinations.map((group) => group.join(" + ")).join(", ");
  const hint = allowed ? say.problems.chooseTypeOf(allowed) : say.problems.chooseOneType;
  return { ok: false, reason: say.problems.typesApart(wanted.join(" + "), hint) };
}

/** "resource-pack" becomes "Resource pack". */
function toLabel(name: string): string {
  const words = name.replaceAll(/[-_]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
