// A version and its parts as answers show them (interface §2).
import Type, { type Static } from "typebox";
import { Choice, Described, Id, ImageUrl, Named, Nullable, Timestamp } from "#platform/http/schemas.js";

export const channels = ["release", "beta", "alpha", "dev"] as const;

export const channelMeanings = {
  release: "Finished and tested",
  beta: "Nearly finished, may have bugs",
  alpha: "Early and incomplete",
  dev: "A development build, for testers only",
} as const satisfies Record<(typeof channels)[number], string>;
export const ChannelOf = Choice(channelMeanings, { description: "How finished the version is" });
export const versionNumberPattern = "^[A-Za-z0-9][A-Za-z0-9._+-]*$";
export const dependencyTypes = ["required", "optional", "incompatible", "embedded"] as const;
export const dependencyMeanings = {
  required: "The version does not work without it",
  optional: "The version can make use of it",
  incompatible: "The version is incompatible with it",
  embedded: "It is contained in the version's files and need not be installed",
} as const satisfies Record<(typeof dependencyTypes)[number], string>;

export const File = Named(
  "VersionFile",
  {
    id: Described(Id, "Id of the file"),
    isPrimary: Type.Boolean({ description: "Whether this is the file that players install; each version has one" }),
    name: Type.String({ description: "File name" }),
    size: Type.Integer({ description: "Size in bytes" }),
    type: Type.String({ description: "Kind of file, such as jar or zip" }),
    url: Type.String({ description: "URL of the content; its content never changes", format: "uri" }),
    sha1_hash: Type.String({ description: "SHA-1 of the content in hex" }),
    sha512_hash: Type.String({ description: "SHA-512 of the content in hex" }),
  },
  { description: "A file of a version" },
);
export type File = Static<typeof File>;

export const Author = Named(
  "Author",
  {
    id: Described(Id, "Id of the user"),
    userName: Type.String({ description: "Username" }),
    avatar: Described(ImageUrl, "URL of the user's picture"),
    role: Type.String({ description: "Role in the team, such as Owner; may be empty" }),
  },
  { description: "The user who published a version" },
);

export const Dependency = Named(
  "Dependency",
  {
    id: Type.Optional(Type.String({ description: "In answers to hash look-ups only" })),
    projectId: Described(Id, "Id of the project that is depended on"),
    versionId: Nullable(Id, "Id of the required version; null for any version"),
    dependencyType: Choice(dependencyMeanings, { description: "How the version depends on it" }),
  },
  { description: "A dependency of a version" },
);

export const Version = Named(
  "ProjectVersionData",
  {
    id: Described(Id, "Id of the version"),
    projectId: Described(Id, "Id of the project"),
    title: Type.String({ description: "Title" }),
    versionNumber: Type.String({ description: "Version number as the author wrote it" }),
    slug: Type.String({ description: "Name of the version in URLs" }),
    datePublished: Described(Timestamp, "When it was published"),
    featured: Type.Boolean({ description: "Whether the author recommends it" }),
    downloads: Type.Integer({ description: "How often its primary file was downloaded" }),
    changelog: Type.String({ description: "Changelog in Markdown; may be empty" }),
    releaseChannel: ChannelOf,
    gameVersions: Type.Array(Type.String(), { description: "Game versions that it works with, newest first" }),
    loaders: Type.Array(Type.String(), { description: "Loaders that it works with; empty where it needs none" }),
    primaryFile: File,
    files: Type.Array(File, { description: "All files, the primary one first, then by name" }),
    author: Author,
    dependencies: Type.Array(Dependency, {
      description: "Other projects that it requires, can use or is incompatible with",
    }),
    yanked: Type.Boolean({ description: "Withdrawn by its author: no longer offered as latest or as an update" }),
    yankReason: Nullable(Type.String(), "Why it was withdrawn; null where it was not, or no reason was given"),
    provenance: Nullable(
      Type.Object(
        {
          repository: Type.String({ description: "Owner and name of the source repository" }),
          repositoryUrl: Type.String({ description: "URL of the repository" }),
          workflow: Type.String({ description: "The build file that ran" }),
          ref: Nullable(Type.String(), "Branch or tag that was built"),
          commit: Nullable(Type.String(), "Commit that was built"),
          commitUrl: Nullable(Type.String(), "URL of the commit"),
          run: Nullable(Type.String(), "URL of the build"),
        },
        {
          description:
            "The build that published it, as the build service states it; null if it was published in another way",
        },
      ),
    ),
    yankReplacementId: Nullable(Type.String({ description: "Id of the version that replaces it" })),
    isDuplicate: Type.Optional(
      Type.Boolean({
        description: "Whether the next older version has the same changelog; in the list and the single version only",
      }),
    ),
  },
  { description: "A version of a project" },
);
export type Version = Static<typeof Version>;
