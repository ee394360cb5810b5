// Pages as guests have seen them, ready to be sent again: kept until anything in the catalogue or the settings changes, so
// that none is out of date, and for a minute at most, because they say how long ago things were.

import type { Config } from "#config/config.js";
import { catalogOf } from "#content/catalog/catalog.js";
import type { Keep } from "#platform/changes/keep.js";
import { perServer } from "#platform/changes/server-memory.js";
import { ReadyAnswer } from "#platform/http/answers.js";
import type { HotPages, HotRead } from "#platform/http/hot-path.js";
import type { RateClass } from "#platform/http/rate-limit-fields.js";
import { isLocalRate } from "#platform/http/rate-limiter.js";
import type { Resources } from "#platform/http/resources.js";
import type { Frame } from "#web/context/frame.js";
import { guestLocale, hasChosenNothing } from "#web/context/preferences.js";
import type { Locale } from "#words/languages.js";

const minute = 60_000;
/** For each of the two: what is in both is counted in both. Long links are followed once. */
const bounds = { bytes: 16 * 1024 * 1024, longestKey: 512 };

/** Another number as soon as any page may look different. Notices begin and end with a whole minute, too. */
class PageEdition {
  readonly #resources: Resources;
  #edition = 0;
  #settings = 0;
  #seen: { catalog: number; settings: number; minute: number; look: Config["look"] } | undefined;

  constructor(resources: Resources) {
    this.#resources = resources;
    resources.changeLog.subscribe(({ kind }) => {
      if (kind === "setting") this.#settings++;
    });
  }

  now(): number {
    const catalog = catalogOf(this.#resources).edition;
    const time = Math.floor(this.#resources.clock.now() / minute);
    const { look } = this.#resources.config;
    const seen = this.#seen;
    const isSame =
      seen?.catalog === catalog && seen.settings === this.#settings && seen.minute === time && seen.look === look;
    if (isSame) return this.#edition;
    this.#seen = { catalog, settings: this.#settings, minute: time, look };
    return ++this.#edition;
  }
}

/** `plain` has those of the pages that a guest gets who has chosen nothing: by address and language. */
const keptBy = perServer((resources: Resources) => {
  const current = new PageEdition(resources);
  const edition = () => current.now();
  return {
    edition,
    pages: resources.memory.keep<ReadyAnswer>({ name: "pages", ...bounds, edition }),
    plain: resources.memory.keep<Map<Locale, HotRead>>({ name: "guestPages", ...bounds, edition }),
  };
});

export interface KeptPlace {
  find(): ReadyAnswer | undefined;
  /** Only if nothing has changed since the place was asked for. `route` names it in the metrics. */
  keep(html: string, route: string, rate: RateClass): ReadyAnswer;
}

/** Where the page of this frame is cached; undefined if the page is for one user only. */
export function keptPlace(resources: Resources, frame: Frame): KeptPlace | undefined {
  if (frame.viewer.kind !== "anonymous" || !resources.changeLog.isFollowing) return undefined;
  const { url, locale, theme, density, views, setup, notice } = frame;
  const key = JSON.stringify([url, locale, theme, density, [...views], setup, notice]);
  const kept = keptBy(resources);
  const edition = kept.edition();
  return {
    find: () => kept.pages.get(key),
    keep(html, route, rate) {
      const answer = new ReadyAnswer(Buffer.from(html));
      if (kept.edition() !== edition) return answer;
      kept.pages.set(key, answer, weigh(answer));
      if (hasChosenNothing(frame) && isLocalRate(rate)) addPlain(kept.plain, url, locale, { route, answer, rate });
      return answer;
    },
  };
}

/** What was packed for sending is kept too: that makes about a third more. */
const weigh = ({ bytes }: ReadyAnswer): number => 1.5 * bytes.length;

function addPlain(plain: Keep<Map<Locale, HotRead>>, url: string, locale: Locale, read: HotRead): void {
  const byLocale = new Map([...(plain.get(url) ?? []), [locale, read]]);
  const bytes = [...byLocale.values()].reduce((sum, { answer }) => sum + weigh(answer), 0);
  plain.set(url, byLocale, bytes);
}

/** The same pages for guests without any cookie, found before anything else is done for them. */
export const hotPages =
  (resources: Resources): HotPages =>
  (url) => {
    const byLocale = keptBy(resources).plain.get(url);
    return byLocale && ((acceptLanguage) => byLocale.get(guestLocale(url, acceptLanguage, resources.config.look)));
  };
