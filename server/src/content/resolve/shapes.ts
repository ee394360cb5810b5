// The parts of plans and previews, as answers show them.
import Type, { type Static } from "typebox";
import { ChannelOf, File } from "#content/shapes/version.js";
import { Choice, Described, Id, Named, Nullable, Timestamp } from "#platform/http/schemas.js";

export const VersionSummary = Named(
  "VersionSummary",
  {
    id: Described(Id, "Id of the version"),
    projectId: Described(Id, "Id of the project"),
    versionNumber: Type.String({ description: "Version number" }),
    slug: Type.String({ description: "Name of the version in URLs" }),
    releaseChannel: ChannelOf,
    datePublished: Described(Timestamp, "When it was published"),
    gameVersions: Type.Array(Type.String(), { description: "Game versions that it works with, newest first" }),
    loaders: Type.Array(Type.String(), { description: "Loaders that it works with" }),
    yanked: Type.Boolean({ description: "Whether its author has withdrawn it" }),
  },
  { description: "A version in short" },
);
export type VersionSummary = Static<typeof VersionSummary>;

export const ProjectSummary = Named(
  "ProjectSummary",
  {
    id: Described(Id, "Id of the project"),
    slug: Type.String({ description: "Name in URLs" }),
    name: Type.String({ description: "Name of the project" }),
  },
  { description: "A project in short" },
);
export type ProjectSummary = Static<typeof ProjectSummary>;

export const Demand = Named(
  "Demand",
  {
    kind: Choice(
      {
        wanted: "The caller requested it",
        installed: "It is installed already",
        required: "A version requires it",
        incompatible: "A version is incompatible with it",
      },
      { description: "Origin of the demand" },
    ),
    projectId: Nullable(Id, "Id of the project that makes the demand; null for the caller"),
    projectSlug: Nullable(Type.String(), "Its name in URLs"),
    versionId: Nullable(Id, "Id of the version that makes the demand; null for the caller"),
    versionNumber: Nullable(Type.String(), "Its number"),
    onProjectId: Nullable(
      Type.String(),
      "Id of the project that is demanded or excluded; null where you cannot see that project",
    ),
    onProjectSlug: Nullable(Type.String(), "Its name in URLs"),
    onVersionId: Nullable(Id, "Id of the version that is demanded or excluded; null for any"),
    onVersionNumber: Nullable(Type.String(), "Its number"),
  },
  {
    description:
      "A demand of the caller or of a version (projectId, versionId) on a project (onProjectId, onVersionId)",
  },
);
export type Demand = Static<typeof Demand>;

export const ClashReason = Named(
  "ClashReason",
  {
    kind: Choice(
      {
        noVersion: "The project has no version that fits",
        pinsDiffer: "Different versions of the project are demanded",
        incompatible: "A version excludes the project",
      },
      { description: "Kind of clash" },
    ),
    projectId: Nullable(Type.String(), "Id of the project; null where you cannot see it"),
    projectSlug: Nullable(Type.String(), "Its name in URLs"),
    missing: Nullable(
      Choice(
        {
          project: "Project not found",
          version: "Version not found",
          gameVersion: "No version for the game version",
          loader: "No version for the loader",
          releaseChannel: "No version in the release channel",
          setup: "There are versions for each of these, but none for all of them",
        },
        { description: "With noVersion: the part of the request that no version matches" },
      ),
    ),
    newest: Nullable(VersionSummary, "The newest version of the project, whether or not it matches"),
    demands: Type.Array(Demand, { description: "The demands that clash" }),
    message: Type.String({ description: "The reason in a sentence" }),
  },
  { description: "Why demands cannot be met" },
);
export type ClashReason = Static<typeof ClashReason>;

export const Clash = Named(
  "Clash",
  {
    demands: Type.Array(Demand, { description: "The demands that cannot be met together" }),
    isSmallest: Type.Boolean({
      description:
        "Whether no fewer demands clash; false where finding that out would take too long. None of these can be left out in any case",
    }),
    reasons: Type.Array(ClashReason, { description: "The reasons why" }),
  },
  { description: "A smallest set of demands that cannot be met together, and the reasons why" },
);
export type Clash = Static<typeof Clash>;

export const PlannedFile = Named(
  "PlannedFile",
  {
    action: Choice(
      { add: "Install it", keep: "It is installed already", replace: "Install it and remove the files in replaces" },
      { description: "Action" },
    ),
    project: ProjectSummary,
    version: VersionSummary,
    file: File,
    fits: Type.Boolean({
      description: "Whether the version supports the requested game version and loader",
    }),
    reasons: Type.Array(Demand, { description: "Why it is in the plan" }),
    replaces: Type.Array(
      Type.Object({
        hash: Type.String({ description: "As sent by the client" }),
        versionId: Described(Id, "Id of the version that it belongs to"),
      }),
      {
        description: "Installed files of the same project that must be removed",
      },
    ),
  },
  { description: "A file of a plan" },
);
export type PlannedFile = Static<typeof PlannedFile>;

export const Suggestion = Named(
  "Suggestion",
  {
    project: ProjectSummary,
    versionId: Nullable(Id, "Id of the required version; null for any"),
    forVersionIds: Type.Array(Id, { description: "Ids of the planned versions that can use it" }),
  },
  { description: "A project that could be added to the plan" },
);

export const Plan = Named(
  "Plan",
  {
    resolved: Type.Boolean({ description: "Whether there is a plan that meets all demands" }),
    files: Type.Array(PlannedFile, {
      description: "Dependencies come before their dependents; empty where resolved is false",
    }),
    downloadSize: Type.Integer({ description: "Size of all files that are not installed yet, in bytes" }),
    clash: Nullable(Clash, "Why there is no plan; null where there is one"),
    optional: Type.Array(Suggestion, {
      description: "Optional dependencies that are not in the plan",
    }),
    unmet: Type.Array(Demand, { description: "Demands of installed versions that no version can meet" }),
    unknown: Type.Array(Type.String(), {
      description: "Installed hashes that belong to no version, as sent by the client",
    }),
  },
  { description: "An installation plan" },
);
export type Plan = Static<typeof Plan>;

export const ChangelogPart = Named(
  "ChangelogPart",
  {
    version: VersionSummary,
    changelog: Type.String({ description: "Markdown" }),
    truncated: Type.Boolean({ description: "Whether the text was cut off" }),
  },
  { description: "The changelog of one version" },
);
export type ChangelogPart = Static<typeof ChangelogPart>;

export const PreviewedFile = Named(
  "PreviewedFile",
  {
    hash: Type.String({ description: "As sent by the client" }),
    change: Choice(
      {
        kept: "It is kept",
        updated: "There is a newer version that fits",
        missing: "The project has no version for this setup",
        incompatible: "There is a newer version, but it clashes with others",
        unknown: "No version has this file",
      },
      { description: "Effect of the update" },
    ),
    project: Nullable(ProjectSummary, "The project that it belongs to; null where it is unknown"),
    current: Nullable(VersionSummary, "The version that it belongs to; null where it is unknown"),
    next: Nullable(VersionSummary, "The version to update to; null where it stays"),
    file: Nullable(File, "The file to download; null where it stays"),
    newest: Nullable(VersionSummary, "The newest version of the project, whether or not it matches"),
    changelogs: Type.Array(ChangelogPart, {
      description: "From the next version back to the current one, newest first",
    }),
    changelogsTruncated: Type.Boolean({ description: "Whether older changelogs were left out" }),
  },
  { description: "The effect of an update on an installed file" },
);
export type PreviewedFile = Static<typeof PreviewedFile>;

export const UpdatePreview = Named(
  "UpdatePreview",
  {
    files: Type.Array(PreviewedFile, { description: "One for each hash, in the order of the request" }),
    additions: Type.Array(PlannedFile, {
      description: "Files that must be added because updated versions require them",
    }),
    clashes: Type.Array(Clash, { description: "Why some updates are not possible" }),
    downloadSize: Type.Integer({ description: "Size of all updates and additions, in bytes" }),
  },
  { description: "A preview of an update of installed files" },
);
export type UpdatePreview = Static<typeof UpdatePreview>;
