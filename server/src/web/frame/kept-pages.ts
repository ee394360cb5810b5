// Pages as guests have seen them, ready to be sent again: kept until anything in the catalogue or the settings changes, so
// that none is out of date, and for a minute at most, because they say how long ago things were.

import type { Config } from "#config/config.js";
import { catalogOf } from "#content/catalog/catalog.js";
import { ByteCache } from "#lib/byte-cache.js";
import type { ChangeLog } from "#platform/changes/change-log.js";
import { ReadyAnswer } from "#platform/http/answers.js";
import type { HotPages, HotRead } from "#platform/http/hot-path.js";
import type { Resources } from "#platform/http/resources.js";
import type { Frame } from "#web/context/frame.js";
import { guestLocale, hasChosenNothing } from "#web/context/preferences.js";
import type { Locale } from "#words/languages.js";

const minute = 60_000;
/** For each of the two: what is in both is counted in both. Long links are followed once. */
const bounds = { bytes: 16 * 1024 * 1024, longestKey: 512 };

/** Another one as soon as any page may look different. Notices begin and end with a whole minute, too. */
interface Edition {
  catalog: number;
  settings: number;
  minute: number;
  look: Config["look"];
}

interface Kept {
  edition: Edition;
  pages: ByteCache<ReadyAnswer>;
  /** Of these, those that a guest gets who has chosen nothing: by address and language. */
  plain: ByteCache<Map<Locale, HotRead>>;
}

/** By feed: each server in a process (tests run several) keeps its own. */
const keptBy = new WeakMap<ChangeLog, Kept>();
const settingsHeard = new WeakMap<ChangeLog, { count: number }>();

function countSettings(feed: ChangeLog): number {
  const known = settingsHeard.get(feed);
  if (known) return known.count;
  const heard = { count: 0 };
  settingsHeard.set(feed, heard);
  feed.subscribe(({ kind }) => {
    if (kind === "setting") heard.count++;
  });
  return heard.count;
}

const editionNow = (resources: Resources): Edition => ({
  catalog: catalogOf(resources).edition,
  settings: countSettings(resources.changeLog),
  minute: Math.floor(resources.clock.now() / minute),
  look: resources.config.look,
});

const isSame = (a: Edition, b: Edition): boolean =>
  a.catalog === b.catalog && a.settings === b.settings && a.minute === b.minute && a.look === b.look;

export interface KeptPlace {
  find(): ReadyAnswer | undefined;
  /** Only if nothing has changed since the place was asked for. `route` names it in the metrics. */
  keep(html: string, route: string): ReadyAnswer;
}

/** Where the page of this frame is kept; undefined for those whose page is nobody else's. */
export function keptPlace(resources: Resources, frame: Frame): KeptPlace | undefined {
  if (frame.viewer.kind !== "anonymous" || !resources.changeLog.isFollowing) return undefined;
  const { url, locale, theme, density, views, setup, notice } = frame;
  const key = JSON.stringify([url, locale, theme, density, [...views], setup, notice]);
  const edition = editionNow(resources);
  let kept = keptBy.get(resources.changeLog);
  if (!kept || !isSame(kept.edition, edition)) {
    kept = { edition, pages: new ByteCache(bounds), plain: new ByteCache(bounds) };
    keptBy.set(resources.changeLog, kept);
  }
  const { pages } = kept;
  return {
    find: () => pages.get(key),
    keep(html, route) {
      const answer = new ReadyAnswer(Buffer.from(html));
      if (!isSame(editionNow(resources), edition)) return answer;
      pages.set(key, answer, weigh(answer));
      if (hasChosenNothing(frame)) addPlain(kept, url, locale, { route, answer });
      return answer;
    },
  };
}

/** What was packed for sending is kept too: that makes about a third more. */
const weigh = ({ bytes }: ReadyAnswer): number => 1.5 * bytes.length;

function addPlain({ plain }: Kept, url: string, locale: Locale, read: HotRead): void {
  const byLocale = new Map([...(plain.get(url) ?? []), [locale, read]]);
  const bytes = [...byLocale.values()].reduce((sum, { answer }) => sum + weigh(answer), 0);
  plain.set(url, byLocale, bytes);
}

/** The same pages for guests without any cookie, found before anything else is done for them. */
export const hotPages =
  (resources: Resources): HotPages =>
  (url) => {
    const kept = keptBy.get(resources.changeLog);
    const byLocale = kept?.plain.get(url);
    if (!byLocale || !isSame(kept!.edition, editionNow(resources)) || !resources.changeLog.isFollowing)
      return undefined;
    return (acceptLanguage) => byLocale.get(guestLocale(url, acceptLanguage, resources.config.look));
  };
