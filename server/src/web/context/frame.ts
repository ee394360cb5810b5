// What every part of a page may know: who looks, in which language, theme and set-up, and when.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Config } from "#config/config.js";
import type { SiteNotice } from "#operations/administration/site-notice.js";
import type { Viewer } from "#platform/http/viewer.js";
import type { SafeHtml } from "#web/markdown/render.js";
import type { Locale } from "#words/languages.js";
import { type Format, formatIn } from "./format.js";
import type { Density, Setup, Theme, Views } from "./preferences.js";

export interface Frame {
  theme: Theme;
  density: Density;
  views: Views;
  locale: Locale;
  viewer: Viewer;
  /** He has a session, but it was not asked whose: on pages that say what failed. */
  isPerhapsMember?: boolean;
  /** The path of the page, to mark its link in the navigation. */
  path: string;
  /** Path and query, to come back to. */
  url: string;
  /** The game version and loader that the visitor plays with. */
  setup: Setup;
  /** The same for people: "0.4.8 · Puzzle Loader"; empty where none is chosen. */
  setupName: string;
  /** What people call a loader. */
  loaderName: (loader: string) => string;
  /** The kinds of projects that the navigation leads to. */
  types: readonly string[];
  /** Notifications that have not been read. */
  unread: number;
  now: number;
  /** What the administrators say on every page. */
  notice?: { level: SiteNotice["level"]; html: SafeHtml } | undefined;
  /** What the site is called and how it looks, as its operator has decided. */
  look: Config["look"];
  logo?: Config["logo"];
  /** Where the site is, without a slash at the end. */
  siteUrl: string;
  /** The token of the next form. Pages that are kept for all guests have none. */
  nextFormToken?: () => string;
}

const FrameContext = createContext<Frame | undefined>(undefined);

export const FrameProvider = FrameContext.Provider;

export function useFrame(): Frame {
  const frame = useContext(FrameContext);
  if (!frame) throw new Error("A part of a page was rendered outside of a page");
  return frame;
}

/** Numbers, sizes and times as the page's language writes them. */
export const useFormat = (): Format => {
  const { locale, now } = useFrame();
  return formatIn(locale, now);
};
