// What a visitor has chosen for himself, kept in cookies so that guests have it too and no page flashes.
import type { FastifyReply, FastifyRequest } from "fastify";
import { readCookie, setCookie } from "../http/cookies.js";
import { isLocale, type Locale } from "./locale.js";

/** Undefined follows the device. */
export type Theme = "light" | "dark" | undefined;

/** Empty: not chosen. */
export interface Setup {
  gameVersion: string;
  loader: string;
}

export const themeCookie = "theme";
const localeCookie = "lang";
const setupCookie = "setup";
const yearSeconds = 365 * 24 * 60 * 60;
/** What a value of a set-up looks like; anything else did not come from us. */
const plainValue = /^[\w.+-]{0,64}$/;

export function themeOf(request: FastifyRequest): Theme {
  const chosen = readCookie(request.headers.cookie, themeCookie);
  return chosen === "light" || chosen === "dark" ? chosen : undefined;
}

/** Chosen, or the first that the browser asks for and we have. */
export function localeOf(request: FastifyRequest): Locale {
  const chosen = readCookie(request.headers.cookie, localeCookie);
  if (isLocale(chosen)) return chosen;
  const wanted = (request.headers["accept-language"] ?? "").split(",").slice(0, 20);
  return wanted.map((part) => part.trim().slice(0, 2).toLowerCase()).find(isLocale) ?? "en";
}

export function setupOf(request: FastifyRequest): Setup {
  const [gameVersion = "", loader = ""] = (readCookie(request.headers.cookie, setupCookie) ?? "").split("|");
  const isOurs = plainValue.test(gameVersion) && plainValue.test(loader);
  return isOurs ? { gameVersion, loader } : { gameVersion: "", loader: "" };
}

export interface Preferences {
  theme?: Theme;
  locale?: Locale;
  setup?: Setup;
}

/** Absent ones stay; a theme that is there but undefined follows the device again. */
export function keepPreferences(reply: FastifyReply, preferences: Preferences, options: { secure: boolean }): void {
  const keep = (name: string, value: string) =>
    setCookie(reply, name, value, { maxAgeSeconds: value === "" ? 0 : yearSeconds, secure: options.secure });
  if ("theme" in preferences) keep(themeCookie, preferences.theme ?? "");
  if (preferences.locale) keep(localeCookie, preferences.locale);
  if (preferences.setup) {
    const { gameVersion, loader } = preferences.setup;
    keep(setupCookie, gameVersion === "" && loader === "" ? "" : `${gameVersion}|${loader}`);
  }
}
