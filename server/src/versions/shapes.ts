// A version and its parts as answers show them (interface §2).
import Type, { type Static } from "typebox";
import { Id, ImageUrl, Named, Nullable, Timestamp } from "../http/schemas.js";

export const channels = ["release", "beta", "alpha", "dev"] as const;
export const versionNumberPattern = "^[A-Za-z0-9][A-Za-z0-9._+-]*$";
export const dependencyTypes = ["required", "optional", "incompatible", "embedded"] as const;

export const File = Named("File", {
  id: Id,
  isPrimary: Type.Boolean(),
  name: Type.String(),
  size: Type.Integer(),
  type: Type.String(),
  url: Type.String({ format: "uri" }),
  sha1_hash: Type.String(),
  sha512_hash: Type.String(),
});
export type File = Static<typeof File>;

export const Author = Named("Author", { id: Id, userName: Type.String(), avatar: ImageUrl, role: Type.String() });

export const Dependency = Named("Dependency", {
  id: Type.Optional(Type.String({ description: "In answers to hash look-ups only" })),
  projectId: Id,
  versionId: Nullable(Id),
  dependencyType: Type.Enum([...dependencyTypes]),
});

export const Version = Named("ProjectVersionData", {
  id: Id,
  projectId: Id,
  title: Type.String(),
  versionNumber: Type.String(),
  slug: Type.String(),
  datePublished: Timestamp,
  featured: Type.Boolean(),
  downloads: Type.Integer(),
  changelog: Type.String(),
  releaseChannel: Type.Enum([...channels]),
  gameVersions: Type.Array(Type.String()),
  loaders: Type.Array(Type.String()),
  primaryFile: File,
  files: Type.Array(File),
  author: Author,
  dependencies: Type.Array(Dependency),
  yanked: Type.Boolean({ description: "Withdrawn by its author: no longer offered as latest or as an update" }),
  yankReason: Nullable(Type.String()),
  provenance: Nullable(
    Type.Object(
      {
        repository: Type.String(),
        repositoryUrl: Type.String(),
        workflow: Type.String(),
        ref: Nullable(Type.String()),
        commit: Nullable(Type.String()),
        commitUrl: Nullable(Type.String()),
        run: Nullable(Type.String()),
      },
      { description: "Of what it was built, on the word of the build service; null where it was not published so" },
    ),
  ),
  yankReplacementId: Nullable(Type.String({ description: "The version of the project to take instead" })),
  isDuplicate: Type.Optional(
    Type.Boolean({ description: "The next older version says the same; in the list and the single version only" }),
  ),
});
export type Version = Static<typeof Version>;
