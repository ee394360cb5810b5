// The taxonomy, the figures of the site and its name, in Modrinth's form.
import Type from "typebox";
import { open } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Ref } from "#platform/http/schemas.js";
import { shared } from "./project-contract.js";

const text = Type.String();
const texts = Type.Array(text);

const tag = {
  ...shared,
  access: open,
  rate: "search",
  // As our own tags: only the operator changes them.
  cacheControl: "public, max-age=300",
} as const;

export const modrinthGetCategories = endpoint({
  ...tag,
  id: "modrinthGetCategories",
  path: "/v2/tag/category",
  summary: "List categories in Modrinth's form",
  answer: Type.Array(Type.Object({ icon: text, name: text, project_type: text, header: text })),
});

export const modrinthGetLoaders = endpoint({
  ...tag,
  id: "modrinthGetLoaders",
  path: "/v2/tag/loader",
  summary: "List loaders in Modrinth's form",
  answer: Type.Array(Type.Object({ icon: text, name: text, supported_project_types: texts })),
});

export const modrinthGetGameVersions = endpoint({
  ...tag,
  id: "modrinthGetGameVersions",
  path: "/v2/tag/game_version",
  summary: "List game versions in Modrinth's form",
  answer: Type.Array(Type.Object({ version: text, version_type: text, date: text, major: Type.Boolean() })),
});

export const modrinthGetLicenses = endpoint({
  ...tag,
  id: "modrinthGetLicenses",
  path: "/v2/tag/license",
  summary: "List licenses in Modrinth's form",
  answer: Type.Array(Type.Object({ short: text, name: text })),
});

export const modrinthGetLicense = endpoint({
  ...tag,
  id: "modrinthGetLicense",
  path: "/v2/tag/license/:id",
  summary: "Get a license in Modrinth's form",
  params: Type.Object({ id: Ref("Id of the license", "MIT") }),
  answer: Type.Object({ title: text, body: text }),
  errors: ["licenseNotFound"],
});

export const modrinthGetDonationPlatforms = endpoint({
  ...tag,
  id: "modrinthGetDonationPlatforms",
  path: "/v2/tag/donation_platform",
  summary: "List donation platforms in Modrinth's form",
  answer: Type.Array(Type.Object({ short: text, name: text })),
});

const listOfTexts = <I extends string>(id: I, name: string, what: string) =>
  endpoint({ ...tag, id, path: `/v2/tag/${name}`, summary: `List ${what} in Modrinth's form`, answer: texts });

export const modrinthGetProjectTypes = listOfTexts("modrinthGetProjectTypes", "project_type", "project types");
export const modrinthGetReportTypes = listOfTexts("modrinthGetReportTypes", "report_type", "reasons for reports");
export const modrinthGetSideTypes = listOfTexts("modrinthGetSideTypes", "side_type", "environments");

export const modrinthGetStatistics = endpoint({
  ...shared,
  id: "modrinthGetStatistics",
  path: "/v2/statistics",
  access: open,
  summary: "Get the figures of the site in Modrinth's form",
  answer: Type.Object({
    projects: Type.Integer(),
    versions: Type.Integer(),
    files: Type.Integer(),
    authors: Type.Integer(),
  }),
});

export const modrinthGetRoot = endpoint({
  ...shared,
  id: "modrinthGetRoot",
  path: "/v2",
  access: open,
  summary: "Get the name and version of the service",
  answer: Type.Object({ about: text, documentation: text, name: text, version: text }),
});
