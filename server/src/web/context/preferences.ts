// What a visitor has chosen for himself, kept in cookies so that guests have it too and no page flashes.
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "#config/config.js";
import { readCookie, setCookie } from "#platform/http/cookies.js";
import type { Viewer } from "#platform/http/viewer.js";
import { isLocale, type Locale } from "#words/languages.js";

/** Undefined follows the device. */
export type Theme = "light" | "dark" | undefined;

export const views = ["list", "compact", "gallery"] as const;
export type View = (typeof views)[number];

/** How lists are shown, by the kind of their projects; those of all kinds have the empty name. */
export type Views = ReadonlyMap<string, View>;

export const densities = ["comfortable", "compact"] as const;
export type Density = (typeof densities)[number];

/** Empty: not chosen. */
export interface Setup {
  gameVersion: string;
  loader: string;
}

export const themeCookie = "theme";
const localeCookie = "lang";
/** Any page takes it. */
export const localeParameter = "lang";
const setupCookie = "setup";
const viewCookie = "views";
const densityCookie = "density";
/** More kinds than anybody has; a cookie must not grow without end. */
const mostViews = 32;
const yearSeconds = 365 * 24 * 60 * 60;
/** What a value of a set-up looks like; anything else did not come from us. */
const plainValue = /^[\w.+-]{0,64}$/;

/** What the operator has chosen for all. */
export const lookOf = (request: FastifyRequest): Config["look"] => request.server.config.look;

export function themeOf(request: FastifyRequest): Theme {
  const cookie = readCookie(request.headers.cookie, themeCookie);
  const chosen = cookie === "auto" || cookie === "light" || cookie === "dark" ? cookie : lookOf(request).theme;
  return chosen === "auto" ? undefined : chosen;
}

/** What members have chosen for all their devices; known once it is known who asks. */
const memberLocales = new WeakMap<FastifyRequest, Locale>();

export function noteViewer(request: FastifyRequest, viewer: Viewer): void {
  const locale = viewer.kind === "anonymous" ? undefined : viewer.user.locale;
  if (isLocale(locale)) memberLocales.set(request, locale);
}

/** For one look: ?lang=de. Then what was chosen, here or on another device, or the first that the browser asks for. */
export function localeOf(request: FastifyRequest): Locale {
  const inAddress = request.method === "GET" ? localeIn(request.url) : undefined;
  if (inAddress) return inAddress;
  const chosen = memberLocales.get(request) ?? readCookie(request.headers.cookie, localeCookie);
  return isLocale(chosen) ? chosen : wantedLocale(request.headers["accept-language"], lookOf(request));
}

function localeIn(url: string): Locale | undefined {
  const inAddress = /[?&]lang=(\w\w)(?:&|$)/.exec(url)?.[1];
  return isLocale(inAddress) ? inAddress : undefined;
}

function wantedLocale(acceptLanguage: string | undefined, look: Config["look"]): Locale {
  const wanted = (acceptLanguage ?? "").split(",").slice(0, 20);
  return wanted.map((part) => part.trim().slice(0, 2).toLowerCase()).find(isLocale) ?? look.language;
}

/** As localeOf, for a guest without any cookie who reads the page at this address. */
export const guestLocale = (url: string, acceptLanguage: string | undefined, look: Config["look"]): Locale =>
  localeIn(url) ?? wantedLocale(acceptLanguage, look);

/** What a guest without any cookie gets. The language is not among it: browsers ask for one. */
export const hasChosenNothing = (chosen: {
  theme: Theme;
  density: Density;
  views: Views;
  setup: Setup;
  look: Config["look"];
}): boolean =>
  chosen.theme === (chosen.look.theme === "auto" ? undefined : chosen.look.theme) &&
  chosen.density === "comfortable" &&
  chosen.views.size === 0 &&
  chosen.setup.gameVersion === "" &&
  chosen.setup.loader === "";

export function setupOf(request: FastifyRequest): Setup {
  const [gameVersion = "", loader = ""] = (readCookie(request.headers.cookie, setupCookie) ?? "").split("|");
  const isOurs = plainValue.test(gameVersion) && plainValue.test(loader);
  return isOurs ? { gameVersion, loader } : { gameVersion: "", loader: "" };
}

/** "0.4.8 · Puzzle Loader" */
export const nameSetup = ({ gameVersion, loader }: Setup, labelOf: (loader: string) => string): string =>
  [gameVersion, loader && labelOf(loader)].filter((word) => word !== "").join(" · ");

export const densityOf = (request: FastifyRequest): Density =>
  readCookie(request.headers.cookie, densityCookie) === "compact" ? "compact" : "comfortable";

/** "mod.gallery~shader.compact" */
export function viewsOf(request: FastifyRequest): Views {
  const parts = (readCookie(request.headers.cookie, viewCookie) ?? "").split("~").slice(0, mostViews);
  return new Map(
    parts.flatMap((part): [string, View][] => {
      const [, type, name] = /^([\w-]{0,64})\.(\w+)$/.exec(part) ?? [];
      const view = views.find((each) => each === name);
      return type === undefined || view === undefined || view === "list" ? [] : [[type, view]];
    }),
  );
}

export const viewFor = (chosen: Views, type: string | undefined): View => chosen.get(type ?? "") ?? "list";

export interface Preferences {
  theme?: Theme;
  locale?: Locale;
  setup?: Setup;
  density?: Density;
  views?: Views;
}

/** Absent ones stay; a theme that is there but undefined follows the device again. */
export function keepPreferences(reply: FastifyReply, preferences: Preferences, options: { secure: boolean }): void {
  const keep = (name: string, value: string) =>
    setCookie(reply, name, value, { maxAgeSeconds: value === "" ? 0 : yearSeconds, secure: options.secure });
  if ("theme" in preferences) keep(themeCookie, preferences.theme ?? "auto");
  if (preferences.locale) keep(localeCookie, preferences.locale);
  if (preferences.setup) {
    const { gameVersion, loader } = preferences.setup;
    keep(setupCookie, gameVersion === "" && loader === "" ? "" : `${gameVersion}|${loader}`);
  }
  if (preferences.density) keep(densityCookie, preferences.density === "compact" ? "compact" : "");
  if (preferences.views) {
    // What everybody has who has chosen nothing needs no room.
    const chosen = [...preferences.views].filter(([, view]) => view !== "list").slice(-mostViews);
    keep(viewCookie, chosen.map((pair) => pair.join(".")).join("~"));
  }
}
