// What plans and previews are made of, as answers show it.
import Type, { type Static } from "typebox";
import { Id, Named, Nullable, Timestamp } from "../http/schemas.js";
import { channels, File } from "../versions/shapes.js";

export const VersionSummary = Named("VersionSummary", {
  id: Id,
  projectId: Id,
  versionNumber: Type.String(),
  slug: Type.String(),
  releaseChannel: Type.Enum([...channels]),
  datePublished: Timestamp,
  gameVersions: Type.Array(Type.String()),
  loaders: Type.Array(Type.String()),
  yanked: Type.Boolean(),
});
export type VersionSummary = Static<typeof VersionSummary>;

export const ProjectSummary = Named("ProjectSummary", { id: Id, slug: Type.String(), name: Type.String() });
export type ProjectSummary = Static<typeof ProjectSummary>;

export const Demand = Named(
  "Demand",
  {
    kind: Type.Enum(["wanted", "installed", "required", "incompatible"], {
      description: "Asked for by the caller, there already, or what a version says that it needs or cannot be with",
    }),
    projectId: Nullable(Id),
    projectSlug: Nullable(Type.String()),
    versionId: Nullable(Id),
    versionNumber: Nullable(Type.String()),
    onProjectId: Nullable(Type.String({ description: "null where you cannot see that project" })),
    onProjectSlug: Nullable(Type.String()),
    onVersionId: Nullable(Id),
    onVersionNumber: Nullable(Type.String()),
  },
  { description: "Who (projectId, versionId; null for the caller himself) asks what (onProjectId, onVersionId)" },
);
export type Demand = Static<typeof Demand>;

export const ClashReason = Named("ClashReason", {
  kind: Type.Enum(["noVersion", "pinsDiffer", "incompatible"]),
  projectId: Nullable(Type.String({ description: "null where you cannot see that project" })),
  projectSlug: Nullable(Type.String()),
  missing: Nullable(
    Type.Enum(["project", "version", "gameVersion", "loader", "releaseChannel", "setup"], {
      description: "With noVersion: what there is no version for; setup: each alone, but not all of them together",
    }),
  ),
  newest: Nullable(VersionSummary),
  demands: Type.Array(Demand),
  message: Type.String(),
});
export type ClashReason = Static<typeof ClashReason>;

export const Clash = Named(
  "Clash",
  {
    demands: Type.Array(Demand),
    isSmallest: Type.Boolean({
      description:
        "Whether no fewer demands clash; false where finding that out would take too long. None of these can be left out in any case",
    }),
    reasons: Type.Array(ClashReason),
  },
  { description: "Demands that cannot be met together, none of which can be left out, and the dead ends they lead to" },
);
export type Clash = Static<typeof Clash>;

export const PlannedFile = Named("PlannedFile", {
  action: Type.Enum(["add", "keep", "replace"]),
  project: ProjectSummary,
  version: VersionSummary,
  file: File,
  fits: Type.Boolean({ description: "Whether the version names the game version and the loader that were asked for" }),
  reasons: Type.Array(Demand),
  replaces: Type.Array(Type.Object({ hash: Type.String(), versionId: Id }), {
    description: "Installed files of the same project that have to go",
  }),
});
export type PlannedFile = Static<typeof PlannedFile>;

export const Suggestion = Named("Suggestion", {
  project: ProjectSummary,
  versionId: Nullable(Id),
  forVersionIds: Type.Array(Id),
});

export const Plan = Named("Plan", {
  resolved: Type.Boolean(),
  files: Type.Array(PlannedFile, {
    description: "What is needed stands before what needs it; empty where resolved is false",
  }),
  downloadSize: Type.Integer({ description: "Bytes of all files that are not there yet" }),
  clash: Nullable(Clash),
  optional: Type.Array(Suggestion, {
    description: "What the planned versions can make use of and the plan does not hold",
  }),
  unmet: Type.Array(Demand, { description: "What installed versions lack, though nobody can give it" }),
  unknown: Type.Array(Type.String(), { description: "Installed hashes that belong to no version, as they were sent" }),
});
export type Plan = Static<typeof Plan>;

export const ChangelogPart = Named("ChangelogPart", {
  version: VersionSummary,
  changelog: Type.String({ description: "Markdown" }),
  truncated: Type.Boolean(),
});
export type ChangelogPart = Static<typeof ChangelogPart>;

export const PreviewedFile = Named("PreviewedFile", {
  hash: Type.String({ description: "As it was sent" }),
  change: Type.Enum(["kept", "updated", "missing", "incompatible", "unknown"], {
    description:
      "missing: the project has no version for this; incompatible: it has, but it clashes with others; unknown: no version has this file",
  }),
  project: Nullable(ProjectSummary),
  current: Nullable(VersionSummary),
  next: Nullable(VersionSummary),
  file: Nullable(File),
  newest: Nullable(VersionSummary),
  changelogs: Type.Array(ChangelogPart, { description: "From the next version back to the present one, newest first" }),
  changelogsTruncated: Type.Boolean(),
});
export type PreviewedFile = Static<typeof PreviewedFile>;

export const UpdatePreview = Named("UpdatePreview", {
  files: Type.Array(PreviewedFile, { description: "One for each hash, in the order of the request" }),
  additions: Type.Array(PlannedFile, { description: "What has to be added, because what is updated needs it" }),
  clashes: Type.Array(Clash),
  downloadSize: Type.Integer({ description: "Bytes of all updates and additions" }),
});
export type UpdatePreview = Static<typeof UpdatePreview>;
