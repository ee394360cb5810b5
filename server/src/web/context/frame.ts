// The context of every part of a page: the viewer, language, theme, set-up and time.
import type { OwnSaves } from "#community/collections/read.js";
import type { Config } from "#config/config.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { renderContext } from "#lib/jsx-runtime.js";
import type { SiteNotice } from "#operations/administration/site-notice.js";
import type { Viewer } from "#platform/http/viewer.js";
import type { SafeHtml } from "#platform/markdown/render.js";
import type { Showing } from "#platform/markdown/show.js";
import type { Locale } from "#words/languages.js";
import { type Format, formatIn } from "./format.js";
import type { PlacedParts } from "./placed-parts.js";
import type { Density, Setup, Theme, Views } from "./preferences.js";

export interface Frame {
  theme: Theme;
  density: Density;
  views: Views;
  locale: Locale;
  viewer: Viewer;
  /** The visitor has a session cookie, but it was not looked up. Only set on error pages. */
  isPerhapsMember?: boolean;
  /** The path of the page, used to mark its link in the navigation. */
  path: string;
  /** Path and query, for redirects back to this page. */
  url: string;
  /** The game version and loader that the visitor plays with. */
  setup: Setup;
  /** The display name of the set-up: "0.4.8 · Puzzle Loader"; empty if none is chosen. */
  setupName: string;
  /** The display name of a loader. */
  loaderName: (loader: string) => string;
  /** The names and paths of project types (project-types.ts). */
  typeSource: Pick<Taxonomy, "findProjectType">;
  /** The icon and color that the operator has chosen for a type, loader or category. */
  tagLookOf: Taxonomy["tagLookOf"];
  /** The project types in the navigation. */
  types: readonly string[];
  /** The number of unread notifications. */
  unread: number;
  now: number;
  /** Replaces the ordinary notation of numbers and times, for a page that is stored (web/frame/live-texts.ts). */
  format?: Format;
  /** The banner that an administrator shows on every page. */
  notice?: { level: SiteNotice["level"]; html: SafeHtml } | undefined;
  /** The name and look of the site, as its operator has chosen them. */
  look: Config["look"];
  logo?: Config["logo"];
  /** The URL of the site, without a slash at the end. */
  siteUrl: string;
  /** The pictures in texts of authors. */
  pictures: Pick<Showing, "pictureUrl" | "pictureSize">;
  /** For signed-in users: which projects of the page they have saved. */
  saves?: OwnSaves | undefined;
  /** Set while a page of guests is rendered that will be compressed at once. */
  placed?: PlacedParts;
  /** Returns the token of the next form. Absent on pages that are cached for all guests. */
  nextFormToken?: () => string;
}

export function useFrame(): Frame {
  const frame = renderContext() as Frame | undefined;
  if (!frame) throw new Error("A part of a page was rendered outside of a page");
  return frame;
}

export const useFormat = (): Format => {
  const { locale, now, format } = useFrame();
  return format ?? formatIn(locale, now);
};
