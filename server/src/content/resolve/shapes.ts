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
    slug: Type.String({ description: "Name of the version in addresses" }),
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
    slug: Type.String({ description: "Name in addresses" }),
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
        wanted: "The caller asked for it",
        installed: "It is installed already",
        required: "A version says that it needs it",
        incompatible: "A version says that it does not work together with it",
      },
      { description: "Where the demand comes from" },
    ),
    projectId: Nullable(Id, "Id of the project that makes the demand; null for the caller"),
    projectSlug: Nullable(Type.String(), "Its name in addresses"),
    versionId: Nullable(Id, "Id of the version that makes the demand; null for the caller"),
    versionNumber: Nullable(Type.String(), "Its number"),
    onProjectId: Nullable(
      Type.String(),
      "Id of the project that is demanded or excluded; null where you cannot see that project",
    ),
    onProjectSlug: Nullable(Type.String(), "Its name in addresses"),
    onVersionId: Nullable(Id, "Id of the version that is demanded or excluded; null for any"),
    onVersionNumber: Nullable(Type.String(), "Its number"),
  },
  {
    description: "What the caller or a version (projectId, versionId) demands of a project (onProjectId, onVersionId)",
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
      { description: "What stands in the way" },
    ),
    projectId: Nullable(Type.String(), "Id of the project; null where you cannot see it"),
    projectSlug: Nullable(Type.String(), "Its name in addresses"),
    missing: Nullable(
      Choice(
        {
          project: "There is no such project",
          version: "There is no such version",
          gameVersion: "No version for the game version",
          loader: "No version for the loader",
          releaseChannel: "No version of the release channel",
          setup: "Versions for each of these alone, but none for all of them together",
        },
        { description: "With noVersion: what there is no version for" },
      ),
    ),
    newest: Nullable(VersionSummary, "The newest version of the project, whether or not it fits"),
    demands: Type.Array(Demand, { description: "The demands that meet here" }),
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
    reasons: Type.Array(ClashReason, { description: "The dead ends that they lead to" }),
  },
  { description: "Demands that cannot be met together, none of which can be left out, and the dead ends they lead to" },
);
export type Clash = Static<typeof Clash>;

export const PlannedFile = Named(
  "PlannedFile",
  {
    action: Choice(
      { add: "Install it", keep: "It is installed already", replace: "Install it in place of the files in replaces" },
      { description: "What to do" },
    ),
    project: ProjectSummary,
    version: VersionSummary,
    file: File,
    fits: Type.Boolean({
      description: "Whether the version names the game version and the loader that were asked for",
    }),
    reasons: Type.Array(Demand, { description: "Why it is in the plan" }),
    replaces: Type.Array(
      Type.Object({
        hash: Type.String({ description: "As it was sent" }),
        versionId: Described(Id, "Id of the version that it belongs to"),
      }),
      {
        description: "Installed files of the same project that have to go",
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
    versionId: Nullable(Id, "Id of the one version that will do; null for any"),
    forVersionIds: Type.Array(Id, { description: "Ids of the planned versions that can make use of it" }),
  },
  { description: "A project that the plan could have besides" },
);

export const Plan = Named(
  "Plan",
  {
    resolved: Type.Boolean({ description: "Whether there is a plan that meets all demands" }),
    files: Type.Array(PlannedFile, {
      description: "What is needed stands before what needs it; empty where resolved is false",
    }),
    downloadSize: Type.Integer({ description: "Bytes of all files that are not there yet" }),
    clash: Nullable(Clash, "Why there is no plan; null where there is one"),
    optional: Type.Array(Suggestion, {
      description: "What the planned versions can make use of and the plan does not hold",
    }),
    unmet: Type.Array(Demand, { description: "Demands of installed versions that no version can meet" }),
    unknown: Type.Array(Type.String(), {
      description: "Installed hashes that belong to no version, as they were sent",
    }),
  },
  { description: "What to install" },
);
export type Plan = Static<typeof Plan>;

export const ChangelogPart = Named(
  "ChangelogPart",
  {
    version: VersionSummary,
    changelog: Type.String({ description: "Markdown" }),
    truncated: Type.Boolean({ description: "Whether the text was cut off" }),
  },
  { description: "What changed with one version" },
);
export type ChangelogPart = Static<typeof ChangelogPart>;

export const PreviewedFile = Named(
  "PreviewedFile",
  {
    hash: Type.String({ description: "As it was sent" }),
    change: Choice(
      {
        kept: "It stays",
        updated: "There is a newer version that fits",
        missing: "The project has no version for this setup",
        incompatible: "There is a newer version, but it clashes with others",
        unknown: "No version has this file",
      },
      { description: "What an update would do" },
    ),
    project: Nullable(ProjectSummary, "The project that it belongs to; null where it is unknown"),
    current: Nullable(VersionSummary, "The version that it belongs to; null where it is unknown"),
    next: Nullable(VersionSummary, "The version to update to; null where it stays"),
    file: Nullable(File, "The file to download; null where it stays"),
    newest: Nullable(VersionSummary, "The newest version of the project, whether or not it fits"),
    changelogs: Type.Array(ChangelogPart, {
      description: "From the next version back to the present one, newest first",
    }),
    changelogsTruncated: Type.Boolean({ description: "Whether older changelogs were left out" }),
  },
  { description: "What an update would do to an installed file" },
);
export type PreviewedFile = Static<typeof PreviewedFile>;

export const UpdatePreview = Named(
  "UpdatePreview",
  {
    files: Type.Array(PreviewedFile, { description: "One for each hash, in the order of the request" }),
    additions: Type.Array(PlannedFile, { description: "What has to be added, because what is updated needs it" }),
    clashes: Type.Array(Clash, { description: "Why some updates are not possible" }),
    downloadSize: Type.Integer({ description: "Bytes of all updates and additions" }),
  },
  { description: "What an update of installed files would change" },
);
export type UpdatePreview = Static<typeof UpdatePreview>;
