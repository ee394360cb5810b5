// Display names of the filter by release channel.

import type { Channel } from "#platform/db/tables.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";

/** The channel "dev" includes every version, so it is not offered as a filter. */
const usual = ["", "release", "beta", "alpha"];

/** The choices, including the one in the URL. */
export const offeredChannels = (chosen = ""): string[] => (usual.includes(chosen) ? usual : [...usual, chosen]);

/** "beta" → "Beta and up", "beta-only" → "Beta only". */
export function channelName(value: string, locale: Locale): string {
  const t = textsIn(texts.browse.list, locale);
  const [, only] = /^(\w+)-only$/.exec(value) ?? [];
  if (only !== undefined) return t.channelOnly(textsIn(texts.parts.common, locale).channels[only as Channel]);
  return t.channels[value as keyof typeof t.channels];
}
