// The endpoint for what a pack contains.
import Type, { type Static } from "typebox";
import { projectRef } from "#content/projects/contract.js";
import { readable } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Choice, Described, Id, ImageUrl, Named, Nullable, Ref } from "#platform/http/schemas.js";

const sideMeanings = {
  required: "The file is needed on this side",
  optional: "Users can choose whether they want it on this side",
  unsupported: "The file is not used on this side",
} as const;

const ContainedVersion = Named(
  "ContainedVersion",
  {
    id: Described(Id, "Id of the version"),
    slug: Type.String({ description: "Name of the version in URLs" }),
    versionNumber: Type.String({ description: "Version number as the author wrote it" }),
  },
  { description: "A version that has a file of a pack, or that would replace it" },
);

const ContainedFile = Named(
  "ContainedFile",
  {
    path: Type.String({ description: "Where the file is put, relative to the folder of the game" }),
    size: Nullable(Type.Integer(), "Size in bytes; null where the pack does not say it"),
    client: Choice(sideMeanings, { description: "Whether clients need it" }),
    server: Choice(sideMeanings, { description: "Whether servers need it" }),
    sha1: Nullable(Type.String(), "SHA-1 in hex; null where the pack does not say it"),
    sha512: Nullable(Type.String(), "SHA-512 in hex; null where the pack does not say it"),
    host: Nullable(Type.String(), "Host of its first download address; null where the pack has none"),
    isInside: Type.Boolean({ description: "Whether the pack itself contains the file" }),
    project: Nullable(
      Named(
        "ContainedProject",
        {
          id: Described(Id, "Id of the project"),
          slug: Type.String({ description: "Name of the project in URLs" }),
          name: Type.String({ description: "Name" }),
          icon: Nullable(ImageUrl, "URL of the project's icon; null where it has none"),
        },
        { description: "The project of a file in a pack" },
      ),
      "Its project; null where the file is not on this site, or you cannot see the project",
    ),
    version: Nullable(ContainedVersion, "The newest version of the project that has this file"),
    update: Nullable(
      ContainedVersion,
      "The newest version of the project for the game version and loader of the pack, on the same channel or a more stable one; null where the pack has it",
    ),
  },
  { description: "A file of a pack" },
);
export type ContainedFile = Static<typeof ContainedFile>;

export const pageLimits = { most: 100, usual: 50 };

export const getPackContents = endpoint({
  id: "getPackContents",
  method: "GET",
  path: "/api/project/:ref/version/:version/contents",
  tag: "Versions",
  access: readable("project_read", "version_read"),
  rate: "bulk",
  summary: "List what a pack contains",
  description:
    "For versions whose primary file is a pack (.mrpack, or a packwiz folder as ZIP). Files are looked up by their hashes at every request, so files that were published here after the pack are found too.",
  params: Type.Object({ ...projectRef.properties, version: Ref("Version id or slug, or latest", "1.4.0") }),
  query: Type.Object({
    limit: Type.Optional(
      Type.Integer({
        ...{ minimum: 1, maximum: pageLimits.most, default: pageLimits.usual },
        description: "Maximum number of files per page",
      }),
    ),
    page: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_000, default: 1, description: "Page number, starting with 1" }),
    ),
  }),
  answer: Named(
    "PackContents",
    {
      format: Choice(
        { modrinth: "Modrinth's format, .mrpack", packwiz: "A packwiz folder" },
        { description: "Format of the pack" },
      ),
      gameVersion: Nullable(Type.String(), "Game version that the pack names"),
      loaders: Type.Array(Type.String(), { description: "Loaders that the pack names" }),
      files: Type.Array(ContainedFile, { description: "The files on this page, by their paths" }),
      ownFiles: Type.Object(
        {
          files: Type.Integer({ description: "How many there are" }),
          bytes: Type.Integer({ description: "Their size" }),
          folders: Type.Array(
            Type.Object({
              name: Type.String({ description: "Name of the folder; empty for files outside of any folder" }),
              files: Type.Integer({ description: "How many of them are in it" }),
            }),
            { description: "The folders with most of them" },
          ),
        },
        { description: "Other files that the pack itself contains, such as configurations" },
      ),
      total: Type.Integer({ description: "Number of files on all pages" }),
      limit: Type.Integer({ description: "Maximum number of files per page" }),
      page: Type.Integer({ description: "Page number, starting with 1" }),
    },
    { description: "The contents of a pack" },
  ),
  errors: ["projectNotFound", "versionNotFound", "packNotFound"],
});
