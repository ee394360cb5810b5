// Makes values of another registry fit here: lengths, names of the taxonomy, links. Shortened or dropped values are noted
// in the report; values that cannot be used at all are refused by the same checks as those of any author.
import * as projects from "#content/projects/edit-contract.js";
import { environments } from "#content/shapes/project.js";
import { channels, dependencyTypes, versionNumberPattern } from "#content/shapes/version.js";
import { type DonationLink, isDonationLink, isWebLink, maxDonationLinks } from "#content/shapes/web-links.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { type LengthName, lengths } from "#lib/lengths.js";
import type { Channel, DependencyType, Environment } from "#platform/db/tables.js";
import { parseBody } from "#platform/http/validation.js";
import type { SourceProject, SourceVersion } from "./source.js";

export type Remark = (text: string) => void;

/** Cut to the length that is allowed here. */
export function short(text: string, name: LengthName, what: string, remark: Remark): string {
  const [, most] = lengths[name];
  if (text.length <= most) return text;
  remark(`${what} was shortened to ${most} characters.`);
  const cut = text.slice(0, most);
  // Half of a character of two units is not text.
  return (/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut).trimEnd();
}

/** The local name of a type: registries write "resourcepack" or "resource-pack". */
const typeName = (taxonomy: Taxonomy, name: string): string =>
  taxonomy.isProjectType(name)
    ? name
    : (taxonomy.projectTypes.find((type) => type.replaceAll("-", "") === name.replaceAll("-", "")) ?? name);

/** Where a registry names one type, a loader tells the others: Modrinth calls plugins and data packs mods, too. */
export function typesOf(taxonomy: Taxonomy, project: SourceProject, versions: readonly SourceVersion[]): string[] {
  const named = [...new Set(project.types.map((type) => typeName(taxonomy, type)))];
  if (!project.typesFollowLoaders) return named;
  const loaders = [...new Set(versions.flatMap((version) => version.loaders))].filter(taxonomy.isLoader);
  const isFit = (type: string, loader: string) => taxonomy.loadersAllowed([type], [loader]).ok;
  const more = loaders
    .filter((loader) => !named.some((type) => isFit(type, loader)))
    .flatMap((loader) => taxonomy.projectTypes.find((type) => isFit(type, loader)) ?? []);
  const used = more.length > 0 ? named.filter((type) => loaders.some((loader) => isFit(type, loader))) : named;
  return [...new Set([...used, ...more])];
}

export interface Details {
  name: string;
  slug: string;
  summary: string;
  description: string;
  types: string[];
  visibility: SourceProject["visibility"];
  clientSide: Environment;
  serverSide: Environment;
  categories: string[];
  featured: string[];
  license: { id: string | null; name: string | null; url: string | null } | null;
  links: SourceProject["links"] & { donationLinks: DonationLink[] };
  disclosures: SourceProject["disclosures"];
}

/** Throws a refusal if a value is not allowed here. */
export function fitProject(taxonomy: Taxonomy, project: SourceProject, types: string[], remark: Remark): Details {
  const of = (what: string) => `The ${what} of ${project.slug}`;
  const link = (url: string | null, what: string): string | null => {
    if (!url || (isWebLink(url) && url.length <= lengths.link[1])) return url || null;
    remark(`${of(what)} was left out: it is not an ordinary URL.`);
    return null;
  };
  const side = (given: string): Environment => environments.find((one) => one === given) ?? "unknown";
  const sides = { clientSide: side(project.clientSide), serverSide: side(project.serverSide) };
  const categories = [...new Set(project.categories)].filter(taxonomy.isCategory);
  const donations = project.donationLinks.filter(({ url }) => isDonationLink(url) && url.length <= lengths.link[1]);
  const { links } = project;
  const body = {
    name: short(project.name.trim(), "projectName", of("name"), remark),
    slug: project.slug,
    summary: short(project.summary.replaceAll(/[\r\n]+/g, " "), "projectSummary", of("summary"), remark),
    visibility: project.visibility,
  };
  parseBody(projects.createProject, { ...body, type: types });
  return {
    ...body,
    types,
    description: short(project.description, "projectDescription", of("description"), remark),
    ...taxonomy.environmentFor(types, sides),
    categories,
    featured: project.featuredCategories.filter((name) => categories.includes(name)).slice(0, 3),
    license: fitLicense(taxonomy, project.license, (url) => link(url, "license URL")),
    links: {
      issueTracker: link(links.issueTracker, "issue tracker"),
      sourceCode: link(links.sourceCode, "source code"),
      wikiPage: link(links.wikiPage, "documentation"),
      discordServer: link(links.discordServer, "Discord server"),
      donationLinks: donations.slice(0, maxDonationLinks).map(({ platform, url }) => ({
        platform: short(platform.trim(), "donationPlatform", of("donation platform"), remark),
        url,
      })),
    },
    disclosures: project.disclosures,
  };
}

/** By its id if it is known here, otherwise by its name and URL. Null if there is neither. */
function fitLicense(
  taxonomy: Taxonomy,
  { id, name, url }: SourceProject["license"],
  link: (url: string) => string | null,
): Details["license"] {
  const known = id === "" ? undefined : taxonomy.findLicense(id)?.licenseId;
  if (known) return { id: known, name: null, url: link(url) };
  return (name || id) && link(url) ? { id: null, name: (name || id).slice(0, lengths.licenseName[1]), url } : null;
}

/** Names that the taxonomy here does not have, such as `loader "forge"`. */
export function unknownNames(
  taxonomy: Taxonomy,
  project: SourceProject,
  types: readonly string[],
  versions: readonly SourceVersion[],
): string[] {
  const unknown = (kind: string, names: Iterable<string>, isKnown: (name: string) => boolean) =>
    [...new Set(names)].filter((name) => !isKnown(name)).map((name) => `${kind} ${name}`);
  const { license } = project;
  const isUsable = license.id === "" || fitLicense(taxonomy, license, (url) => (isWebLink(url) ? url : null)) !== null;
  return [
    ...unknown("type", types, taxonomy.isProjectType),
    ...unknown("category", project.categories, taxonomy.isCategory),
    ...unknown("license", isUsable ? [] : [license.id], () => false),
    ...unknown(
      "loader",
      versions.flatMap(({ loaders }) => loaders),
      taxonomy.isLoader,
    ),
    ...unknown(
      "game version",
      versions.flatMap(({ gameVersions }) => gameVersions),
      taxonomy.isGameVersion,
    ),
  ];
}

const numberForm = new RegExp(versionNumberPattern);

/**
 * The number of each version here, by its id: other characters become "-", and where several versions of a project have
 * the same number, as for several loaders, the later ones get the loader's name.
 */
export function numbersOf(slug: string, versions: readonly SourceVersion[], remark: Remark): Map<string, string> {
  const taken = new Set<string>();
  const numbers = new Map<string, string>();
  const longest = lengths.versionNumber[1];
  for (const { id, number, loaders } of versions) {
    const plain = number
      .replaceAll(/[^\w.+-]+/g, "-")
      .replace(/^[^A-Za-z0-9]+/, "")
      .slice(0, longest);
    const choices = [plain, `${plain}+${loaders[0] ?? "2"}`, `${plain}+${id}`].map((one) => one.slice(-longest));
    const chosen = choices.find((one) => numberForm.test(one) && !taken.has(one)) ?? id;
    if (chosen !== number) remark(`The version ${number} of ${slug} has the number ${chosen} here.`);
    taken.add(chosen);
    numbers.set(id, chosen);
  }
  return numbers;
}

export interface VersionDetails {
  title: string;
  changelog: string;
  channel: Channel;
  versionNumber: string;
  featured: boolean;
  loaders: string[];
  gameVersions: string[];
}

export function fitVersion(
  taxonomy: Taxonomy,
  slug: string,
  version: SourceVersion,
  number: string,
  remark: Remark,
): VersionDetails {
  const of = (what: string) => `The ${what} of ${slug} ${number}`;
  const title = short(version.title.trim(), "versionTitle", of("title"), remark);
  return {
    title: title.length >= lengths.versionTitle[0] ? title : `Version ${number}`.slice(0, lengths.versionTitle[1]),
    changelog: short(version.changelog, "changelog", of("changelog"), remark),
    channel: channels.find((one) => one === version.channel) ?? "release",
    versionNumber: number,
    featured: version.featured,
    loaders: [...new Set(version.loaders)].filter(taxonomy.isLoader),
    gameVersions: taxonomy.sortGameVersions([...new Set(version.gameVersions)].filter(taxonomy.isGameVersion)),
  };
}

export const dependencyTypeOf = (type: string): DependencyType | undefined =>
  dependencyTypes.find((one) => one === type);
