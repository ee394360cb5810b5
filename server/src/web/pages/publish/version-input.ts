// Converts the fields of the version form to the input of the API, and back.
import Type, { type Static } from "typebox";
import type { Version } from "#content/shapes/version.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { type VersionParts, versionParts } from "#content/versions/edit-contract.js";
import type { FilePart } from "#platform/http/endpoint.js";
import { parse } from "#platform/http/validation.js";
import { formFields, formLists, listOf, withPlainLines } from "#web/context/form.js";
import { withFamilies, withRange } from "./game-version-range.js";
import type { DependencyValue, VersionValues } from "./prefill.js";

export const versionBody = Type.Object({
  ...formFields("title", "versionNumber", "releaseChannel", "featured", "changelog", "again", "addRow").properties,
  ...formFields("gameVersionFrom", "gameVersionTo", "addRange").properties,
  ...formLists("primaryUpload", "additionalUploads", "loaders", "gameVersions", "gameVersionFamilies").properties,
  ...formLists("dependencyProject", "dependencyVersion", "dependencyType").properties,
});
export type VersionBody = Static<typeof versionBody>;

export const versionFiles = {
  primaryFile: {
    maxBytes: ({ config }) => config.limits.primaryFileBytes,
    description: "The file that players download",
  },
  additionalFiles: {
    maxBytes: ({ config }) => config.limits.additionalFileBytes,
    maxCount: ({ config }) => Math.max(1, config.limits.additionalFiles),
    description: "Repeatable",
  },
} as const satisfies Record<string, FilePart>;

/** As it was typed, to be shown again. */
export const toValues = (body: VersionBody, taxonomy: Taxonomy): VersionValues => ({
  title: body.title ?? "",
  versionNumber: body.versionNumber ?? "",
  releaseChannel: body.releaseChannel ?? "release",
  featured: body.featured !== undefined,
  loaders: listOf(body.loaders),
  gameVersions: gameVersionsOf(body, taxonomy),
  dependencies: dependenciesOf(body),
  changelog: withPlainLines(body.changelog),
  blankRows: Math.max(1, blankRowsIn(body) + (body.addRow === undefined ? 0 : 1)),
});

function gameVersionsOf(body: VersionBody, taxonomy: Taxonomy): string[] {
  const known = taxonomy.gameVersions.map(({ value }) => value);
  const ticked = withFamilies(listOf(body.gameVersions), listOf(body.gameVersionFamilies), known);
  return withRange(ticked, body.gameVersionFrom ?? "", body.gameVersionTo ?? "", known);
}

/** A button asks for another row or for ticks, not for the version to be saved. */
export const asksForMore = ({ addRow, addRange }: VersionBody): boolean =>
  addRow !== undefined || addRange !== undefined;

const blankRowsIn = (body: VersionBody): number =>
  listOf(body.dependencyProject).filter((project) => project.trim() === "").length;

/** Three lists of the same length make rows; rows without a project are ignored. */
function dependenciesOf(body: VersionBody): DependencyValue[] {
  const versions = listOf(body.dependencyVersion);
  const types = listOf(body.dependencyType);
  return listOf(body.dependencyProject).flatMap((project, at) =>
    project.trim() === ""
      ? []
      : [{ project: project.trim(), version: versions[at]?.trim() ?? "", type: types[at] ?? "" }],
  );
}

/** Throws problems with the names of the fields. An empty number and title are read from the file. */
export function toParts(values: VersionValues): VersionParts {
  const { title, versionNumber, releaseChannel, featured, loaders, gameVersions, dependencies, changelog } = values;
  return parse<VersionParts>(
    "body",
    versionParts,
    {
      ...(title.trim() !== "" && { title: title.trim() }),
      ...(versionNumber.trim() !== "" && { versionNumber: versionNumber.trim() }),
      ...{ releaseChannel, featured, changelog },
      loaders: [...loaders],
      gameVersions: [...gameVersions],
      dependencies: dependencies.map(({ project, version, type }) => ({
        projectId: project,
        versionId: version === "" ? null : version,
        dependencyType: type,
      })),
    },
    "form",
  );
}

/** Slugs and version numbers for the stored ids. */
export interface Names {
  projects: ReadonlyMap<string, string>;
  versions: ReadonlyMap<string, string>;
}

export const valuesOf = (version: Version, { projects, versions }: Names): VersionValues => ({
  title: version.title,
  versionNumber: version.versionNumber,
  releaseChannel: version.releaseChannel,
  featured: version.featured,
  loaders: version.loaders,
  gameVersions: version.gameVersions,
  dependencies: version.dependencies.map(({ projectId, versionId, dependencyType }) => ({
    project: projects.get(projectId) ?? projectId,
    version: versionId === null ? "" : (versions.get(versionId) ?? versionId),
    type: dependencyType,
  })),
  changelog: version.changelog,
  blankRows: 1,
});
