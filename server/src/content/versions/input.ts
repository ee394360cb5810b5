// From what a form or a JSON body says to the fields of a version: known loaders and game versions, dependencies that
// exist. What the author left out is taken from the archive's manifest.

import { versionNumberPattern } from "#content/shapes/version.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { lengths } from "#lib/lengths.js";
import type { Channel, Db } from "#platform/db/tables.js";
import { type Issue, invalid } from "#platform/errors.js";
import type { Viewer } from "#platform/http/viewer.js";
import { checkDependencies, type DependencyInput } from "./dependency-input.js";
import type { VersionParts } from "./edit-contract.js";
import { parseList } from "./lists.js";

export interface VersionFields {
  title: string;
  changelog: string;
  featured: boolean;
  channel: Channel;
  versionNumber: string;
  loaders: string[];
  gameVersions: string[];
  dependencies: DependencyInput[];
}

/** Metadata of the archive, as far as it can fill gaps. */
export interface ArchiveHints {
  id?: string | undefined;
  name?: string | undefined;
  version?: string | undefined;
  description?: string | undefined;
  loaders: readonly string[];
  gameVersionRange?: string | undefined;
  dependencies?: readonly { id: string; required: boolean }[] | undefined;
}

export interface InputContext {
  db: Db;
  viewer: Viewer;
  taxonomy: Taxonomy;
  project: { id: string; types: readonly string[] };
  maxDependencies: number;
}

/** Only what was given; absent fields stay absent. All problems are reported together. */
export async function parseVersionParts(context: InputContext, parts: VersionParts): Promise<Partial<VersionFields>> {
  const issues: Issue[] = [];
  const loaders = checkLoaders(context, parts.loaders, issues);
  const gameVersions = checkGameVersions(context, parts.gameVersions, issues);
  const dependencies = await checkDependencies(context, parts.dependencies, issues);
  if (issues.length > 0) throw invalid(...issues);
  return {
    ...(parts.title !== undefined && { title: parts.title }),
    ...(parts.changelog !== undefined && { changelog: parts.changelog ?? "" }),
    ...(parts.featured !== undefined && { featured: String(parts.featured) === "true" }),
    ...(parts.releaseChannel !== undefined && { channel: parts.releaseChannel }),
    ...(parts.versionNumber !== undefined && { versionNumber: parts.versionNumber }),
    ...(loaders && { loaders }),
    ...(gameVersions && { gameVersions }),
    ...(dependencies && { dependencies }),
  };
}

/** A whole version: gaps filled from the archive, then from defaults; what is still missing is named. */
export function completeFields(
  { taxonomy, project }: InputContext,
  given: Partial<VersionFields>,
  hints: ArchiveHints,
): VersionFields {
  const versionNumber = given.versionNumber ?? usableNumber(hints.version);
  const { gameVersions } = given;
  if (versionNumber === undefined || gameVersions === undefined) {
    const missing = Object.entries({ versionNumber, gameVersions }).filter(([, value]) => value === undefined);
    throw invalid(...missing.map(([path]) => ({ path, message: "is missing, and the archive does not say it" })));
  }
  return {
    title: titleFrom(hints.name, versionNumber),
    loaders: hints.loaders.filter((loader) => taxonomy.loadersAllowed(project.types, [loader]).ok),
    changelog: "",
    featured: false,
    channel: "release",
    dependencies: [],
    ...given,
    versionNumber,
    gameVersions,
  };
}

const numberForm = new RegExp(versionNumberPattern);

const usableNumber = (version: string | undefined): string | undefined =>
  version !== undefined && version.length <= lengths.versionNumber[1] && numberForm.test(version) ? version : undefined;

function titleFrom(name: string | undefined, versionNumber: string): string {
  const [least, most] = lengths.versionTitle;
  // By characters, not by halves of them.
  const room = most - versionNumber.length - 1;
  const short = [...(name ?? "").replace(/\s+/g, " ").trim()].slice(0, Math.max(0, room)).join("").trim();
  if (short !== "") return `${short} ${versionNumber}`;
  return versionNumber.length >= least ? versionNumber : `Version ${versionNumber}`;
}

const longestName = 64;

/** A list of names, each once; undefined where it is absent or no such list. */
function parseNames(path: string, given: VersionParts["loaders"], issues: Issue[]): string[] | undefined {
  const list = parseList(given);
  if (list === "absent") return undefined;
  const isName = (item: unknown): item is string => typeof item === "string" && item.length <= longestName;
  if (list?.every(isName)) return [...new Set(list)];
  issues.push({ path, message: "must be a JSON array of short texts" });
  return undefined;
}

function checkLoaders({ taxonomy, project }: InputContext, given: VersionParts["loaders"], issues: Issue[]) {
  const loaders = parseNames("loaders", given, issues);
  const verdict = taxonomy.loadersAllowed(project.types, loaders ?? []);
  if (!verdict.ok) issues.push({ path: "loaders", message: verdict.reason });
  return loaders;
}

function checkGameVersions({ taxonomy }: InputContext, given: VersionParts["gameVersions"], issues: Issue[]) {
  const path = "gameVersions";
  const values = parseNames(path, given, issues);
  if (!values) return undefined;
  const unknown = values.filter((value) => !taxonomy.isGameVersion(value));
  if (unknown.length > 0)
    issues.push({ path, message: `unknown: ${unknown.slice(0, 10).join(", ")}; see /api/tags/game-versions` });
  else if (values.length === 0) issues.push({ path, message: "must name at least one" });
  return taxonomy.sortGameVersions(values);
}
