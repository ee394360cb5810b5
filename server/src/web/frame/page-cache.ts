// A cache of rendered pages for guests. A page is valid until something that it shows changes: one of its projects, the
// taxonomy or a setting. It is valid for at most a minute, because pages say how long ago things happened.

import type { Config } from "#config/config.js";
import { followShown, type IsCurrent } from "#content/catalog/shown-projects.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { listFeaturedIds } from "#operations/administration/featured-collections.js";
import type { Cache } from "#platform/changes/cache.js";
import { perServer } from "#platform/changes/server-memory.js";
import type { ReadyAnswer } from "#platform/http/answers.js";
import type { HotRead } from "#platform/http/hot-path.js";
import type { RateClass } from "#platform/http/rate-limit-fields.js";
import { isLocalRate } from "#platform/http/rate-limiter.js";
import type { Resources } from "#platform/http/resources.js";
import type { Frame } from "#web/context/frame.js";
import type { KeptPart } from "#web/context/placed-parts.js";
import { hasDefaultPreferences } from "#web/context/preferences.js";
import type { Locale } from "#words/languages.js";
import type { KeptForPages, Shell } from "./guest-page.js";
import type { Page } from "./layout.js";

const minute = 60_000;
/** A shell takes about 10 KB, and there is one for each language, preference and section of the navigation. */
const shellBytes = 2 * 1024 * 1024;

/** The filters of a list take about 30 KB, and more for each value that visitors choose. */
const partBytes = 4 * 1024 * 1024;

/** Grows when all pages may look different. This includes each full minute, when notices start and end. */
class PageEdition {
  readonly #resources: Resources;
  #edition = 0;
  #changes = 0;
  #seen: { changes: number; minute: number; look: Config["look"] } | undefined;

  constructor(resources: Resources) {
    this.#resources = resources;
    resources.changeLog.subscribe(({ kind, id }) => {
      if (kind === "setting" || kind === "taxonomy") this.#changes++;
      // Only collections of the start page, because everyone can change their own.
      if (kind === "collection" && listFeaturedIds.peek(resources)?.includes(id) !== false) this.#changes++;
    });
  }

  now(): number {
    const time = Math.floor(this.#resources.clock.now() / minute);
    const { look } = this.#resources.config;
    const seen = this.#seen;
    if (seen?.changes === this.#changes && seen.minute === time && seen.look === look) return this.#edition;
    this.#seen = { changes: this.#changes, minute: time, look };
    return ++this.#edition;
  }
}

interface KeptPage {
  read: HotRead;
  isCurrent: IsCurrent;
}

/** The parts of a guest's page besides its own content. */
export interface SharedParts {
  taxonomy: Taxonomy;
  types: Frame["types"];
  notice: Frame["notice"];
}

const cachesOf = perServer((resources: Resources) => {
  const current = new PageEdition(resources);
  const edition = () => current.now();
  return {
    edition,
    shared: undefined as { edition: number; parts: SharedParts } | undefined,
    shells: resources.memory.createCache<Shell>({ name: "pageShells", edition, bytes: shellBytes, longestKey: 8192 }),
    parts: resources.memory.createCache<KeptPart>({ name: "pageParts", bytes: partBytes, longestKey: 64 * 1024 }),
    pages: resources.memory.createCache<KeptPage>({ name: "pages", edition }),
  };
});

/** This number grows when all pages may look different, and at each full minute. */
export const pageEditionOf = (resources: Resources): number => cachesOf(resources).edition();

export interface PageCache {
  find(): HotRead | undefined;
  /** Stores the page, unless something has changed since `pageCacheFor` was called. */
  store(answer: ReadyAnswer, page: StoredPage): ReadyAnswer;
}

interface StoredPage extends Pick<Page, "projects" | "viewed"> {
  /** Its name in the metrics. */
  route: string;
  rate: RateClass;
}

/** Where the page of this frame is cached; undefined if the page is for one user only. */
export function pageCacheFor(resources: Resources, frame: Frame): PageCache | undefined {
  if (frame.viewer.kind !== "anonymous" || !resources.changeLog.isFollowing) return undefined;
  const key = keyOf(frame);
  const caches = cachesOf(resources);
  const edition = caches.edition();
  const isCatalogUnchanged = followShown(resources);
  return {
    find: () => findCurrent(caches.pages, key),
    store(answer, { projects, viewed, route, rate }) {
      if (caches.edition() !== edition || !isCatalogUnchanged()) return answer;
      // Only rates that are counted in this process can be read without waiting.
      if (!isLocalRate(rate)) return answer;
      const isCurrent = followShown(resources, projects);
      caches.pages.set(key, { read: { route, answer, rate, viewed }, isCurrent }, answer.weight);
      return answer;
    },
  };
}

/** Guests with default preferences are most of the visitors: their pages have a short key. */
function keyOf(frame: Frame): string {
  const { url, locale, theme, density, views, setup } = frame;
  if (hasDefaultPreferences(frame)) return plainKey(url, locale);
  return JSON.stringify([url, locale, theme, density, [...views], setup]);
}

const plainKey = (url: string, locale: Locale): string => `${locale} ${url}`;

function findCurrent(pages: Cache<KeptPage>, key: string): HotRead | undefined {
  const kept = pages.get(key);
  return kept?.isCurrent() ? kept.read : undefined;
}

/** The page of guests without cookies. */
export const findPlainPage = (resources: Resources, url: string, locale: Locale): HotRead | undefined =>
  findCurrent(cachesOf(resources).pages, plainKey(url, locale));

/** The shells of pages (guest-page.tsx). */
export const shellsOf = (resources: Resources): Cache<Shell> => cachesOf(resources).shells;

export const keptForPages = (resources: Resources): KeptForPages => cachesOf(resources);

/** The parts that the last page was made of, if they are still current. */
export function currentParts(resources: Resources): SharedParts | undefined {
  const { shared, edition } = cachesOf(resources);
  return resources.changeLog.isFollowing && shared?.edition === edition() ? shared.parts : undefined;
}

/** The parts that the last page was made of, for pages that must not wait. */
export const lastParts = (resources: Resources): SharedParts | undefined => cachesOf(resources).shared?.parts;

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
