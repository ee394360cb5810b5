// The taxonomy, the figures of the site and its name, in Modrinth's form.
import { getTaxonomy } from "#content/taxonomy/read.js";
import type { GameVersion, Taxonomy } from "#content/taxonomy/taxonomy.js";
import { readStatistics } from "#discovery/statistics/read.js";
import { reportTypes } from "#lib/report-types.js";
import { version } from "#lib/version.js";
import { fail } from "#platform/errors.js";
import { type Route, route } from "#platform/http/endpoint.js";
import { timestamp } from "#platform/http/schemas.js";
import { toPlatformId, toTypeName } from "./mapping.js";
import * as contract from "./tag-contract.js";

export const modrinthTagRoutes: Route[] = [
  // One entry for each type of project that can have the category.
  route(contract.modrinthGetCategories, async (_call, resources) =>
    (await getTaxonomy(resources)).categories.flatMap(({ name, projectTypes, type }) =>
      projectTypes.map((each) => ({ icon: "", name, project_type: toTypeName(each), header: headers[type] })),
    ),
  ),

  route(contract.modrinthGetLoaders, async (_call, resources) =>
    (await getTaxonomy(resources)).loaders.map(({ name, supportedProjectTypes }) => ({
      icon: "",
      name,
      supported_project_types: supportedProjectTypes.map(toTypeName),
    })),
  ),

  route(contract.modrinthGetGameVersions, async (_call, resources) => toGameVersions(await getTaxonomy(resources))),

  route(contract.modrinthGetLicenses, async (_call, resources) =>
    (await getTaxonomy(resources)).licenses.map(({ licenseId, name }) => ({ short: licenseId, name })),
  ),

  route(contract.modrinthGetLicense, async ({ params }, resources) => {
    const license = (await getTaxonomy(resources)).findLicense(params.id);
    if (!license) throw fail.licenseNotFound();
    return { title: license.name, body: license.text ?? license.url ?? "" };
  }),

  route(contract.modrinthGetDonationPlatforms, async () =>
    donationPlatforms.map((name) => ({ short: toPlatformId(name), name })),
  ),

  route(contract.modrinthGetProjectTypes, async (_call, resources) =>
    (await getTaxonomy(resources)).projectTypes.map(toTypeName),
  ),
  route(contract.modrinthGetReportTypes, async () => [...reportTypes]),
  route(contract.modrinthGetSideTypes, async () => ["required", "optional", "unsupported", "unknown"]),

  route(contract.modrinthGetStatistics, async (_call, { db }) => {
    const { projects, versions, files, authors } = await readStatistics(db);
    return { projects, versions, files, authors };
  }),

  route(contract.modrinthGetRoot, async (_call, { config }) => ({
    about: "Modshelf, a registry of add-ons for games. This interface follows Modrinth's API v2.",
    documentation: `${config.http.url}/api/docs`,
    name: "modshelf",
    version,
  })),
];

const headers = {
  category: "categories",
  feature: "features",
  resolution: "resolutions",
  performance_impact: "performance impact",
} as const;

/** Authors may name any platform; these are the usual ones. */
const donationPlatforms = ["Patreon", "Buy Me a Coffee", "PayPal", "GitHub Sponsors", "Ko-fi", "Other"];

const versionTypes: Record<GameVersion["releaseType"], string> = {
  release: "release",
  beta: "beta",
  alpha: "alpha",
  "pre-release": "snapshot",
  snapshot: "snapshot",
};

const dayMs = 86_400_000;

/** The taxonomy has no dates, only an order: these dates have the same order, a day between each two. */
const toGameVersions = ({ gameVersions }: Taxonomy) =>
  gameVersions.map(({ value, releaseType, major }, rank) => ({
    version: value,
    version_type: versionTypes[releaseType],
    date: timestamp((gameVersions.length - rank) * dayMs),
    major,
  }));
