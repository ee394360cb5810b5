// Parameters of many routes that filter versions.
import Type from "typebox";
import { Choice, Shown } from "#platform/http/schemas.js";

/** The values of a filter by release channel (content/versions/channels.ts). */
export const channelFilterMeanings = {
  release: "Releases only",
  beta: "Betas and releases",
  alpha: "Alphas, betas and releases",
  dev: "Versions of every channel",
  "release-only": "Releases only, the same as release",
  "beta-only": "Betas and nothing else",
  "alpha-only": "Alphas and nothing else",
  "dev-only": "Development builds and nothing else",
} as const;

/** The feature checks the value itself, without regard to case. */
export const ChannelFilter = (description: string, fallback?: "release") =>
  Type.Optional(
    Shown(
      Type.String({ maxLength: 32 }),
      Choice(channelFilterMeanings, { description, ...(fallback && { default: fallback }) }),
    ),
  );

const setup = {
  gameVersion: Type.Optional(
    Type.String({ maxLength: 64, description: "Only versions for this game version; see getGameVersions" }),
  ),
  loader: Type.Optional(Type.String({ maxLength: 64, description: "Only versions for this loader; see getLoaders" })),
};

/** A filter on versions; a version must match all parts of it. */
export const versionFilter = {
  ...setup,
  releaseChannel: ChannelFilter("Only versions of these channels; all channels unless given"),
};
export const latestFilter = { ...setup, releaseChannel: ChannelFilter("Only versions of these channels", "release") };
