// Decides which new versions a follower is notified of.

import { channels } from "#content/shapes/version.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import type { Channel } from "#platform/db/tables.js";
import { type Issue, invalid } from "#platform/errors.js";
import { say } from "#words/said.js";
import type { FollowDefaults, FollowDefaultsInput, FollowPreferences, FollowPreferencesInput } from "./shapes.js";

/** Limits how much one request can list. */
export const maxFollows = 5000;

const anything = { gameVersions: null, loaders: null, channels: [...channels] };
export const initialDefaults: FollowDefaults = { mode: "all", ...anything };
export const initialPreferences: FollowPreferences = { mode: "default", ...anything };

export interface PublishedVersion {
  channel: Channel;
  gameVersions: readonly string[];
  loaders: readonly string[];
}

export function wantsVersion(
  preferences: FollowPreferences,
  defaults: FollowDefaults,
  { channel, gameVersions, loaders }: PublishedVersion,
): boolean {
  const asked = preferences.mode === "default" ? defaults : preferences;
  if (asked.mode !== "filtered") return asked.mode === "all";
  return (
    asked.channels.includes(channel) &&
    isWanted(asked.gameVersions, gameVersions) &&
    // A version without loaders works with each of them.
    (loaders.length === 0 || isWanted(asked.loaders, loaders))
  );
}

const isWanted = (wanted: readonly string[] | null, offered: readonly string[]): boolean =>
  wanted === null || offered.some((value) => wanted.includes(value));

/** The input with each name once. Names that the taxonomy does not contain would never match, so they are refused. */
export function checkPreferences<I extends FollowPreferencesInput | FollowDefaultsInput>(
  taxonomy: Taxonomy,
  input: I,
  path = "",
): I {
  const issues: Issue[] = [];
  const check = (field: "gameVersions" | "loaders", isKnown: (name: string) => boolean, list: string) => {
    const unknown = (input[field] ?? []).filter((name) => !isKnown(name));
    if (unknown.length > 0)
      issues.push({
        path: path + field,
        message: say.problems.unknown(unknown.slice(0, 10).join(", "), `/api/tags/${list}`),
      });
  };
  check("gameVersions", (name) => taxonomy.isGameVersion(name), "game-versions");
  check("loaders", (name) => taxonomy.isLoader(name), "loaders");
  if (issues.length > 0) throw invalid(...issues);
  return {
    ...input,
    ...(input.gameVersions && { gameVersions: [...new Set(input.gameVersions)] }),
    ...(input.loaders && { loaders: [...new Set(input.loaders)] }),
    ...(input.channels && { channels: channels.filter((channel) => input.channels?.includes(channel)) }),
  };
}
