// Pages of guests without cookies, found or made before the request reaches the router: from the cache, or from data that
// is ready, without waiting for anything. Lists wait for their search. All other pages are left to the ordinary route, whose
// answers are the same.
import type { HotPages, HotQuestion, HotRead } from "#platform/http/hot-path.js";
import type { LocalRateClass } from "#platform/http/rate-limiter.js";
import type { Resources } from "#platform/http/resources.js";
import type { Frame } from "#web/context/frame.js";
import { guestLocale } from "#web/context/preferences.js";
import type { Locale } from "#words/languages.js";
import { renderGuestPage } from "./guest-page.js";
import type { Page } from "./layout.js";
import { currentParts, findPlainPage, keptForPages, pageCacheFor, type SharedParts } from "./page-cache.js";
import { plainFrame } from "./rendering.js";
import { findStoredPage, type Storable } from "./stored-pages.js";

/** A page that can be made at once from ready data. */
export interface ReadyPage {
  /** Its name in the metrics. */
  route: string;
  rate: LocalRateClass;
  /** Set if the page can be stored. */
  storable?: Storable | undefined;
  /**
   * Undefined if the page needs something that is not ready, or is not a page but a refusal. `downloads` are shown instead
   * of those of the project.
   */
  make(frame: Frame, parts: SharedParts, downloads?: number): ReadyContent | undefined;
}

export interface ReadyContent extends Page {
  /** The author of the project whose page it is. */
  author?: string;
}

export type FindReadyPage = (resources: Resources, url: string) => ReadyPage | undefined;

/** A list of projects. */
export interface ReadyList {
  route: string;
  rate: LocalRateClass;
  path: string;
  make(locale: Locale): Promise<Page>;
}

/** Undefined if the ordinary route must answer. */
export type FindReadyList = (resources: Resources, url: string) => ReadyList | undefined;

export const hotPages =
  (resources: Resources, findReady: FindReadyPage, findList: FindReadyList): HotPages =>
  (url) => {
    if (url.startsWith(api)) return undefined;
    return ({ acceptLanguage }) => {
      const locale = guestLocale(url, acceptLanguage, resources.config.look);
      const known = findPlainPage(resources, url, locale);
      if (known) return known;
      const ready = findReady(resources, url);
      if (ready) return makePage(resources, ready, { path: url, url, locale });
      const list = findList(resources, url);
      return list && askForList(resources, list, { path: list.path, url, locale });
    };
  };

const api = "/api/";

function makePage(
  resources: Resources,
  { route, rate, storable, make }: ReadyPage,
  place: Pick<Frame, "path" | "url" | "locale">,
): HotRead | undefined {
  const parts = currentParts(resources);
  if (!parts) return undefined;
  const frame = plainFrame(resources, parts, place);
  try {
    const cache = pageCacheFor(resources, frame);
    if (!cache) return undefined;
    const stored = storable && findStoredPage(resources, storable, frame);
    if (stored) {
      const { answer, projects } = stored;
      const viewed = storable.projectId;
      return { route, rate, answer: cache.store(answer, { projects, viewed, route, rate }), viewed };
    }
    const page = make(frame, parts);
    if (!page) return undefined;
    const answer = renderGuestPage(keptForPages(resources), page, frame);
    return { route, rate, answer: cache.store(answer, { ...page, route, rate }), viewed: page.viewed };
  } catch (error) {
    resources.log.warn({ err: error, url: place.url }, "A page could not be made from prepared answers");
    return undefined;
  }
}

/** A list that cannot be shown, such as a page after the last one, is left to the ordinary route too. */
function askForList(
  resources: Resources,
  { route, rate, make }: ReadyList,
  place: Pick<Frame, "path" | "url" | "locale">,
): HotQuestion | undefined {
  const parts = currentParts(resources);
  if (!parts) return undefined;
  const frame = plainFrame(resources, parts, place);
  const cache = pageCacheFor(resources, frame);
  if (!cache) return undefined;
  return {
    rate,
    async ask() {
      const page = await make(place.locale);
      if (page.status !== undefined) throw new Error("The list is not a page with results");
      const answer = renderGuestPage(keptForPages(resources), page, frame);
      return { route, rate, answer: cache.store(answer, { ...page, route, rate }) };
    },
  };
}
