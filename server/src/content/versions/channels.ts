// The values of a filter by release channel, and the channels that each includes (decisions §6).

import { channels } from "#content/shapes/version.js";
import type { Channel } from "#platform/db/tables.js";
import { invalid } from "#platform/errors.js";
import { say } from "#words/said.js";

const known = new Map<string, ReadonlySet<Channel>>(
  channels.flatMap((channel, index) => [
    [channel, new Set(channels.slice(0, index + 1))],
    [`${channel}-only`, new Set([channel])],
  ]),
);

export const channelFilters: readonly string[] = [...known.keys()];

export const isChannelFilter = (text: string): boolean => findChannels(text) !== undefined;

export const findChannels = (text: string): ReadonlySet<Channel> | undefined => known.get(text.toLowerCase());

/** "beta" includes beta and every more stable channel; "beta-only" only beta. All channels if absent. */
export function parseChannels(text: string | undefined): ReadonlySet<Channel> | undefined {
  if (text === undefined || text === "") return undefined;
  const wanted = findChannels(text);
  if (!wanted) throw invalid({ path: "releaseChannel", message: say.problems.oneOf(channelFilters.join(", ")) });
  return wanted;
}
