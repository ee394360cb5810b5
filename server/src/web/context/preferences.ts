// A visitor's display preferences, stored in cookies: guests have them too, and pages are rendered with them at once.
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "#config/config.js";
import { readCookie, setCookie } from "#platform/http/cookies.js";
import type { Viewer } from "#platform/http/viewer.js";
import { isLocale, type Locale, localeForTag } from "#words/languages.js";

/** Undefined: the theme of the device. */
export type Theme = "light" | "dark" | undefined;

export const views = ["list", "compact", "gallery"] as const;
export type View = (typeof views)[number];
/** At least seven projects fit on a screen. */
const defaultView: View = "compact";

/** The view of lists, by project type. The empty name is for lists of all types. */
export type Views = ReadonlyMap<string, View>;

export const densities = ["comfortable", "compact"] as const;
export type Density = (typeof densities)[number];

/** An empty game version means that none is chosen. */
export interface Setup {
  gameVersion: string;
  /** Several, because each project type has its own: a loader of mods, and another one of shaders. */
  loaders: readonly string[];
}

export const noSetup: Setup = { gameVersion: "", loaders: [] };

export const hasSetup = ({ gameVersion, loaders }: Setup): boolean => gameVersion !== "" || loaders.length > 0;

export const themeCookie = "theme";
const localeCookie = "lang";
/** A query parameter of every page. */
export const localeParameter = "lang";
const setupCookie = "setup";
const viewCookie = "views";
const densityCookie = "density";
/** More than any site has types; it limits the size of the cookie. */
const mostViews = 32;
/** More than anyone plays with; it limits the size of the cookie. */
export const mostLoaders = 16;
const yearSeconds = 365 * 24 * 60 * 60;
/** Values of another form were not set by this site. */
const plainValue = /^[\w.+-]{0,64}$/;

/** The defaults that the operator has chosen. */
export const lookOf = (request: FastifyRequest): Config["look"] => request.server.config.look;

export function themeOf(request: FastifyRequest): Theme {
  const cookie = readCookie(request.headers.cookie, themeCookie);
  const chosen = cookie === "auto" || cookie === "light" || cookie === "dark" ? cookie : lookOf(request).theme;
  return chosen === "auto" ? undefined : chosen;
}

/** The language that members have stored in their account; set after the viewer has been looked up. */
const memberLocales = new WeakMap<FastifyRequest, Locale>();

export function noteViewer(request: FastifyRequest, viewer: Viewer): void {
  const locale = viewer.kind === "anonymous" ? undefined : viewer.user.locale;
  if (isLocale(locale)) memberLocales.set(request, locale);
}

/**
 * The language for this request: ?lang=de in the URL, then the stored choice, then the best match in Accept-Language,
 * then the operator's choice.
 */
export function localeOf(request: FastifyRequest): Locale {
  const inAddress = request.method === "GET" ? localeIn(request.url) : undefined;
  if (inAddress) return inAddress;
  const chosen = memberLocales.get(request) ?? readCookie(request.headers.cookie, localeCookie);
  return isLocale(chosen) ? chosen : wantedLocale(request.headers["accept-language"], lookOf(request));
}

export function localeIn(url: string): Locale | undefined {
  const inAddress = /[?&]lang=(\w\w)(?:&|$)/.exec(url)?.[1];
  return isLocale(inAddress) ? inAddress : undefined;
}

/** `de-AT;q=0.8` */
const languageRange = /^ *([\w-]{2,35}) *(?:; *q=(\d(?:\.\d{1,3})?))?/i;

function wantedLocale(acceptLanguage: string | undefined, look: Config["look"]): Locale {
  if (acceptLanguage === undefined) return look.language;
  const ranges = acceptLanguage.split(",", 20).flatMap((part) => {
    const [, tag, quality = "1"] = languageRange.exec(part) ?? [];
    return tag === undefined ? [] : [{ tag, quality: Number(quality) }];
  });
  const accepted = ranges.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality);
  for (const { tag } of accepted) {
    const locale = localeForTag(tag);
    if (locale) return locale;
  }
  return look.language;
}

/** As localeOf, for a guest without cookies. */
export const guestLocale = (url: string, acceptLanguage: string | undefined, look: Config["look"]): Locale =>
  localeIn(url) ?? wantedLocale(acceptLanguage, look);

export const defaultTheme = ({ theme }: Config["look"]): Theme => (theme === "auto" ? undefined : theme);

/** The preferences of a guest without cookies, besides language and theme. */
export const noPreferences = {
  density: "comfortable",
  views: new Map(),
  setup: noSetup,
} satisfies { density: Density; views: Views; setup: Setup };

/** Whether all preferences are defaults. The language is not compared, because it depends on Accept-Language. */
export const hasDefaultPreferences = (chosen: {
  theme: Theme;
  density: Density;
  views: Views;
  setup: Setup;
  look: Config["look"];
}): boolean =>
  chosen.theme === defaultTheme(chosen.look) &&
  chosen.density === "comfortable" &&
  chosen.views.size === 0 &&
  !hasSetup(chosen.setup);

/** "0.4.8|quilt|simply_shaders" */
export function setupOf(request: FastifyRequest): Setup {
  const parts = (readCookie(request.headers.cookie, setupCookie) ?? "").split("|", 1 + mostLoaders);
  const [gameVersion = "", ...loaders] = parts;
  return parts.every((part) => plainValue.test(part))
    ? { gameVersion, loaders: loaders.filter((name) => name !== "") }
    : noSetup;
}

/** "0.4.8 · Puzzle Loader · Simply Shaders" */
export const nameSetup = ({ gameVersion, loaders }: Setup, labelOf: (loader: string) => string): string =>
  [gameVersion, ...loaders.map(labelOf)].filter((word) => word !== "").join(" · ");

export const densityOf = (request: FastifyRequest): Density =>
  readCookie(request.headers.cookie, densityCookie) === "compact" ? "compact" : "comfortable";

/** "mod.gallery~shader.compact" */
export function viewsOf(request: FastifyRequest): Views {
  const parts = (readCookie(request.headers.cookie, viewCookie) ?? "").split("~").slice(0, mostViews);
  return new Map(
    parts.flatMap((part): [string, View][] => {
      const [, type, name] = /^([\w-]{0,64})\.(\w+)$/.exec(part) ?? [];
      const view = views.find((each) => each === name);
      return type === undefined || view === undefined || view === defaultView ? [] : [[type, view]];
    }),
  );
}

export const viewFor = (chosen: Views, type: string | undefined): View => chosen.get(type ?? "") ?? defaultView;

export interface Preferences {
  theme?: Theme;
  locale?: Locale;
  setup?: Setup;
  density?: Density;
  views?: Views;
}

/** An absent preference stays as it is; a theme that is present but undefined means that of the device. */
export function setPreferenceCookies(
  reply: FastifyReply,
  preferences: Preferences,
  options: { secure: boolean },
): void {
  const keep = (name: string, value: string) =>
    setCookie(reply, name, value, { maxAgeSeconds: value === "" ? 0 : yearSeconds, secure: options.secure });
  if ("theme" in preferences) keep(themeCookie, preferences.theme ?? "auto");
  if (preferences.locale) keep(localeCookie, preferences.locale);
  if (preferences.setup) {
    const { gameVersion, loaders } = preferences.setup;
    keep(setupCookie, hasSetup(preferences.setup) ? [gameVersion, ...loaders].join("|") : "");
  }
  if (preferences.density) keep(densityCookie, preferences.density === "compact" ? "compact" : "");
  if (preferences.views) {
    // Defaults are not stored in the cookie.
    const chosen = [...preferences.views].filter(([, view]) => view !== defaultView).slice(-mostViews);
    keep(viewCookie, chosen.map((pair) => pair.join(".")).join("~"));
  }
}
