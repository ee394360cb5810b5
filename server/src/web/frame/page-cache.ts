// A cache of rendered pages for guests. A page is valid until anything in the catalogue or the settings changes, and
// for at most a minute, because pages say how long ago things happened.

import type { Config } from "#config/config.js";
import { catalogOf } from "#content/catalog/catalog.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import type { Cache } from "#platform/changes/cache.js";
import { perServer } from "#platform/changes/server-memory.js";
import type { ReadyAnswer } from "#platform/http/answers.js";
import type { HotRead } from "#platform/http/hot-path.js";
import type { RateClass } from "#platform/http/rate-limit-fields.js";
import { isLocalRate } from "#platform/http/rate-limiter.js";
import type { Resources } from "#platform/http/resources.js";
import type { Frame } from "#web/context/frame.js";
import { hasDefaultPreferences } from "#web/context/preferences.js";
import type { Locale } from "#words/languages.js";
import type { Shell } from "./guest-page.js";

const minute = 60_000;
/** A shell takes about 10 KB, and there is one for each language, preference and section of the navigation. */
const shellBytes = 2 * 1024 * 1024;
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

/** The parts of a guest's page besides its own content. */
export interface SharedParts {
  taxonomy: Taxonomy;
  types: Frame["types"];
  notice: Frame["notice"];
}

/** `plain` has the pages of guests with default preferences, by URL and language. */
const cachesOf = perServer((resources: Resources) => {
  const current = new PageEdition(resources);
  const edition = () => current.now();
  return {
    edition,
    shared: undefined as { edition: number; parts: SharedParts } | undefined,
    shells: resources.memory.createCache<Shell>({ name: "pageShells", edition, bytes: shellBytes, longestKey: 8192 }),
    pages: resources.memory.createCache<ReadyAnswer>({ name: "pages", edition }),
    plain: resources.memory.createCache<Map<Locale, HotRead>>({ name: "guestPages", edition }),
  };
});

export interface PageCache {
  find(): ReadyAnswer | undefined;
  /** Stores the page, unless something has changed since `pageCacheFor` was called. `route` is its name in the metrics. */
  store(answer: ReadyAnswer, route: string, rate: RateClass): ReadyAnswer;
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
    store(answer, route, rate) {
      if (caches.edition() !== edition) return answer;
      caches.pages.set(key, answer, answer.weight);
      if (hasDefaultPreferences(frame) && isLocalRate(rate))
        addPlain(caches.plain, url, locale, { route, answer, rate });
      return answer;
    },
  };
}

function addPlain(plain: Cache<Map<Locale, HotRead>>, url: string, locale: Locale, read: HotRead): void {
  const byLocale = new Map([...(plain.get(url) ?? []), [locale, read]]);
  const bytes = [...byLocale.values()].reduce((sum, { answer }) => sum + answer.weight, 0);
  plain.set(url, byLocale, bytes);
}

/** The pages of guests without cookies at this URL, by language. */
export const findPlainPages = (resources: Resources, url: string): ReadonlyMap<Locale, HotRead> | undefined =>
  cachesOf(resources).plain.get(url);

/** The shells of pages (guest-page.tsx). */
export const shellsOf = (resources: Resources): Cache<Shell> => cachesOf(resources).shells;

/** The parts that the last page was made of, if they are still current. */
export function currentParts(resources: Resources): SharedParts | undefined {
  const { shared, edition } = cachesOf(resources);
  return resources.changeLog.isFollowing && shared?.edition === edition() ? shared.parts : undefined;
}

/** Loads the parts and keeps them for pages that are made without waiting. */
export async function loadParts(resources: Resources, load: () => Promise<SharedParts>): Promise<SharedParts> {
  const known = currentParts(resources);
  if (known) return known;
  const caches = cachesOf(resources);
  const edition = caches.edition();
  const parts = await load();
  caches.shared = { edition, parts };
  return parts;
}
