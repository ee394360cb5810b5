// The facts in an uploaded file as initial values of forms. The author can change all of them.
import { sql } from "kysely";
import { visibleTo } from "#content/projects/policy.js";
import { versionNumberPattern } from "#content/shapes/version.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import type { FileFacts } from "#content/uploads/contract.js";
import { lengths } from "#lib/lengths.js";
import { isReservedSlug, slugPattern } from "#lib/slugs.js";
import { inList } from "#platform/db/dialect.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import { findNamedLicense } from "#web/shared/named-license.js";

export interface VersionValues {
  title: string;
  versionNumber: string;
  releaseChannel: string;
  featured: boolean;
  loaders: readonly string[];
  gameVersions: readonly string[];
  dependencies: readonly DependencyValue[];
  changelog: string;
  /** Empty rows for further dependencies. */
  blankRows: number;
}

export interface DependencyValue {
  project: string;
  version: string;
  type: string;
}

export const blankVersion: VersionValues = {
  title: "",
  versionNumber: "",
  releaseChannel: "release",
  featured: false,
  loaders: [],
  gameVersions: [],
  dependencies: [],
  changelog: "",
  blankRows: 1,
};

/** "2.0.0-beta.1" contains its channel. */
const channelOf = (version: string): string => {
  if (/alpha|(?:^|[-.])a\d/i.test(version)) return "alpha";
  if (/beta|rc|pre|(?:^|[-.])b\d/i.test(version)) return "beta";
  return /dev|snapshot|nightly/i.test(version) ? "dev" : "release";
};

const clip = (text: string, [, most]: readonly [number, number]): string => [...text].slice(0, most).join("").trim();

interface Subject {
  types: readonly string[];
  /** The loaders and game versions of the last version, which are often the same. */
  last?: { loaders: readonly string[]; gameVersions: readonly string[] } | undefined;
}

export async function versionValues(
  { db }: Resources,
  viewer: Viewer,
  taxonomy: Taxonomy,
  facts: FileFacts,
  { types, last }: Subject,
): Promise<VersionValues> {
  const number = facts.version && new RegExp(versionNumberPattern).test(facts.version) ? facts.version : "";
  const loaders = facts.loaders.filter((loader) => taxonomy.loadersAllowed(types, [loader]).ok);
  const { gameVersions } = facts;
  const wanted = facts.dependencies.map(({ id }) => id.toLowerCase());
  const found = await db
    .selectFrom("projects")
    .select("projects.slug")
    .where(inList(db, sql.ref("projects.slug"), wanted))
    .where(visibleTo(viewer))
    .execute();
  const slugs = new Set(found.map(({ slug }) => slug));
  return {
    ...blankVersion,
    title: facts.name && number ? clip(`${facts.name} ${number}`, lengths.versionTitle) : "",
    versionNumber: clip(number, lengths.versionNumber),
    releaseChannel: channelOf(number),
    loaders: loaders.length > 0 ? loaders : (last?.loaders ?? []),
    gameVersions: gameVersions.length > 0 ? gameVersions : (last?.gameVersions ?? []),
    dependencies: facts.dependencies
      .filter(({ id }) => slugs.has(id.toLowerCase()))
      .map(({ id, required }) => ({
        project: id.toLowerCase(),
        version: "",
        type: required ? "required" : "optional",
      })),
  };
}

export interface ProjectValues {
  name: string;
  slug: string;
  summary: string;
  types: string[];
  license: string;
}

export function projectValues(taxonomy: Taxonomy, facts: FileFacts, fileName: string): ProjectValues {
  const stem = fileName.replace(/\.[^.]*$/, "").replace(/[-_]?v?\d[\w.+]*$/, "");
  const name = clip((facts.name ?? stem.replace(/[-_]+/g, " ")).replace(/\s+/g, " "), lengths.projectName);
  const summary = (facts.description ?? "").replace(/\s+/g, " ").trim();
  return {
    name,
    slug: toSlug(facts.id ?? name),
    summary: clip(summary, lengths.projectSummary),
    types: taxonomy.projectTypes.filter((type) => fitsType(taxonomy, type, facts)).slice(0, 1),
    license: findNamedLicense(taxonomy, facts.license),
  };
}

/** The first type whose loaders and file types it fits: a pack has the loaders of mods, but is none. */
function fitsType(taxonomy: Taxonomy, type: string, { loaders, type: fileType }: FileFacts): boolean {
  if (loaders.length > 0 && !taxonomy.loadersAllowed([type], loaders).ok) return false;
  return (taxonomy.primaryFileTypes([type]) as string[]).includes(fileType ?? "");
}

export function toSlug(text: string): string {
  const slug = text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9._+-]+/g, "-")
    .replace(/^[^a-z0-9]+|(?<!-)-+$/g, "")
    .slice(0, lengths.slug[1]);
  return new RegExp(slugPattern).test(slug) && !isReservedSlug(slug) ? slug : "";
}
