// The filter by release channel in words.

import type { Channel } from "#platform/db/tables.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";

/** Everybody's files are among what has development builds: that is no filter worth offering. */
const usual = ["", "release", "beta", "alpha"];

/** What to choose from, and whatever else an address has chosen. */
export const offeredChannels = (chosen = ""): string[] => (usual.includes(chosen) ? usual : [...usual, chosen]);

/** "beta" → "Beta or more stable", "beta-only" → "Beta only". */
export function channelName(value: string, locale: Locale): string {
  const t = textsIn(texts.browse.list, locale);
  const [, only] = /^(\w+)-only$/.exec(value) ?? [];
  if (only !== undefined) return t.channelOnly(textsIn(texts.parts.common, locale).channels[only as Channel]);
  return t.channels[value as keyof typeof t.channels];
}
