// A cache of rendered pages for guests. A page is valid until anything in the catalogue or the settings changes, and
// for at most a minute, because pages say how long ago things happened.

import type { Config } from "#config/config.js";
import { catalogOf } from "#content/catalog/catalog.js";
import type { Cache } from "#platform/changes/cache.js";
import { perServer } from "#platform/changes/server-memory.js";
import { ReadyAnswer } from "#platform/http/answers.js";
import type { HotPages, HotRead } from "#platform/http/hot-path.js";
import type { RateClass } from "#platform/http/rate-limit-fields.js";
import { isLocalRate } from "#platform/http/rate-limiter.js";
import type { Resources } from "#platform/http/resources.js";
import type { Frame } from "#web/context/frame.js";
import { guestLocale, hasDefaultPreferences } from "#web/context/preferences.js";
import type { Locale } from "#words/languages.js";

const minute = 60_000;
/**
 * For each of the two caches; a page in both counts in both. Long URLs are not cached, because they are rarely
 * requested twice.
 */

/** Grows when any page may look different. This includes each full minute, when notices start and end. */
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

/** `plain` has the pages of guests with default preferences, by URL and language. */
const cachesOf = perServer((resources: Resources) => {
  const current = new PageEdition(resources);
  const edition = () => current.now();
  return {
    edition,
    pages: resources.memory.createCache<ReadyAnswer>({ name: "pages", edition }),
    plain: resources.memory.createCache<Map<Locale, HotRead>>({ name: "guestPages", edition }),
  };
});

export interface PageCache {
  find(): ReadyAnswer | undefined;
  /** Stores the page, unless something has changed since `pageCacheFor` was called. `route` is its name in the metrics. */
  store(html: string, route: string, rate: RateClass): ReadyAnswer;
}

/** Where the page of this frame is cached; undefined if the page is for one user only. */
export function pageCacheFor(resources: Resources, frame: Frame): PageCache | undefined {
  if (frame.viewer.kind !== "anonymous" || !resources.changeLog.isFollowing) return undefined;
  const { url, locale, theme, density, views, setup, notice } = frame;
  const key = JSON.stringify([url, locale, theme, density, [...views], setup, notice]);
  const caches = cachesOf(resources);
  const edition = caches.edition();
  return {
    find: () => caches.pages.get(key),
    store(html, route, rate) {
      const answer = new ReadyAnswer(Buffer.from(html));
      if (caches.edition() !== edition) return answer;
      caches.pages.set(key, answer, weigh(answer));
      if (hasDefaultPreferences(frame) && isLocalRate(rate))
        addPlain(caches.plain, url, locale, { route, answer, rate });
      return answer;
    },
  };
}

/** The compressed form is stored too, which adds up to a half. */
const weigh = ({ bytes }: ReadyAnswer): number => 1.5 * bytes.length;

function addPlain(plain: Cache<Map<Locale, HotRead>>, url: string, locale: Locale, read: HotRead): void {
  const byLocale = new Map([...(plain.get(url) ?? []), [locale, read]]);
  const bytes = [...byLocale.values()].reduce((sum, { answer }) => sum + weigh(answer), 0);
  plain.set(url, byLocale, bytes);
}

/** The same pages for guests without cookies, found before the request reaches the router. */
export const hotPages =
  (resources: Resources): HotPages =>
  (url) => {
    const byLocale = cachesOf(resources).plain.get(url);
    return byLocale && ((acceptLanguage) => byLocale.get(guestLocale(url, acceptLanguage, resources.config.look)));
  };
