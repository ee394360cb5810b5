// Endpoints for many versions at once: which files to install, a pack of them, and what an update would change.
import Type from "typebox";
import { ChannelFilter } from "#content/shapes/version-filter.js";
import { algorithm, maxHashes } from "#content/version-files/contract.js";
import { readable } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Choice, Ref } from "#platform/http/schemas.js";
import { Plan, UpdatePreview } from "./shapes.js";

const maxWanted = 200;

const Hash = Type.String({ maxLength: 128, description: "Hex, in either case", examples: ["a".repeat(128)] });
const setup = {
  gameVersion: Type.Optional(
    Type.String({ maxLength: 64, description: "Game version of the installation", examples: ["0.4.8"] }),
  ),
  loader: Type.Optional(
    Type.String({
      maxLength: 64,
      description: "Loader of the installation; versions without loaders fit any",
      examples: ["quilt"],
    }),
  ),
  releaseChannel: ChannelFilter("Only versions of these channels; all channels unless given"),
};

/** The fields of a request for a plan. */
const question = {
  projects: Type.Optional(
    Type.Array(
      Type.Object({
        project: Ref("Project id or slug"),
        version: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 200,
            description: "Version id or slug, or a range of version numbers such as >=1.2 <2. Absent: any",
          }),
        ),
      }),
      { maxItems: maxWanted, description: "Projects to install", examples: [[{ project: "better-grass" }]] },
    ),
  ),
  installed: Type.Optional(
    Type.Array(Hash, { maxItems: maxHashes, description: "Hashes of the files that are installed already" }),
  ),
  algorithm,
  ...setup,
};

const shared = {
  tag: "Installing and updating",
  method: "POST",
  access: readable("version_read"),
  crossOrigin: true,
  rate: "bulk",
  ready: true,
} as const;

export const resolveDependencies = endpoint({
  ...shared,
  id: "resolveDependencies",
  path: "/api/resolve",
  summary: "Plan an installation: the exact files, with everything they need",
  description:
    "Wanted projects get the newest version that fits, installed ones stay as they are where that can be. A project has one version in the plan. Where no plan meets all demands, resolved is false and clash names the smallest set of demands that cannot be met together.",
  body: Type.Object(question),
  answer: Plan,
  errors: ["projectNotFound", "versionNotFound", "planTooLarge", "planTooHard"],
});

export const exportPlan = endpoint({
  ...shared,
  id: "exportPlan",
  path: "/api/export",
  summary: "Export a plan as a modpack or as one archive",
  description:
    "Plans as resolveDependencies does, and answers with all files of the plan: as an archive with the files and a manifest, or as a pack that names them for launchers. Nothing is left out: where no plan meets all demands, or an installed file is unknown, the request is refused and the issues name the reasons. A pack counts no downloads.",
  body: Type.Object({
    ...question,
    format: Choice(
      {
        zip: "An archive with the files and manifest.json",
        mrpack: "A .mrpack, on sites for Minecraft",
        packwiz: "A folder of packwiz, as an archive",
      },
      { description: "Format of the answer", examples: ["packwiz"] },
    ),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        default: "Mod list",
        description: "Name of the pack, as launchers show it",
        examples: ["Winter list"],
      }),
    ),
    loaderVersion: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          "Version of the loader itself, such as 0.16.10. A registry does not know it, but a pack must name it: required for mrpack and packwiz where a file needs Fabric, Quilt, Forge or NeoForge",
      }),
    ),
  }),
  answer: {
    raw: "application/zip",
    types: ["application/x-modrinth-modpack+zip"],
    description: "The pack or archive, with a name for the file in Content-Disposition",
    isTagged: true,
  },
  errors: ["projectNotFound", "versionNotFound", "wrongState", "planTooLarge", "planTooHard"],
});

export const previewUpdate = endpoint({
  ...shared,
  id: "previewUpdate",
  path: "/api/update-preview",
  summary: "See what an update of installed files would change, and what it would break",
  body: Type.Object({
    hashes: Type.Array(Hash, {
      minItems: 1,
      maxItems: maxHashes,
      description: "Hashes of the installed files",
      examples: [["a".repeat(128)]],
    }),
    algorithm,
    ...setup,
  }),
  answer: UpdatePreview,
  errors: ["planTooLarge", "planTooHard"],
});
