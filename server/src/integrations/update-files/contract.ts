// Update files: small documents that a mod names in its metadata, so that loaders and other mods can tell players about
// new versions (docs/update-files.md).
import Type from "typebox";
import { projectRef } from "#content/projects/contract.js";
import { ChannelFilter } from "#content/shapes/version-filter.js";
import { open } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Choice } from "#platform/http/schemas.js";

const shared = {
  method: "GET",
  access: open,
  rate: "read",
  tag: "Update files",
  params: projectRef,
  cacheControl: "public, max-age=60",
  errors: ["projectNotFound"],
} as const;

export const getForgeUpdates = endpoint({
  ...shared,
  id: "getForgeUpdates",
  path: "/updates/:ref/forge_updates.json",
  summary: "The update file of a project for Forge and NeoForge",
  description:
    "For updateJSONURL in mods.toml. Each game version has the newest release as recommended, the newest version of any channel but dev as latest, and the changelogs of its newest versions.",
  query: Type.Object({
    neoforge: Type.Optional(
      Choice(
        { only: "Versions for NeoForge", include: "Versions for Forge or NeoForge" },
        { description: "Which versions count; without it, those for Forge" },
      ),
    ),
  }),
  answer: {
    raw: "application/json",
    description: "homepage, promos, and the changelogs by game version",
    isTagged: true,
  },
});

export const getModUpdates = endpoint({
  ...shared,
  id: "getModUpdates",
  path: "/updates/:ref/updates.json",
  summary: "The update file of a project for Fabric, Quilt and other loaders",
  description:
    "Each game version with its newest version and the URL of the file, as the mod ModUpdater reads it. With mod, only the version numbers below the id of the mod, as the mod Notify reads them.",
  query: Type.Object({
    loader: Type.Optional(
      Type.String({ maxLength: 64, description: "Only versions for this loader; see getLoaders", examples: ["quilt"] }),
    ),
    releaseChannel: ChannelFilter("Only versions of these channels", "release"),
    mod: Type.Optional(
      Type.String({ pattern: "^[a-z][a-z0-9_-]{1,63}$", description: "Id of the mod, as its metadata has it" }),
    ),
  }),
  answer: { raw: "application/json", description: "The newest version of each game version", isTagged: true },
});
