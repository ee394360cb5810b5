// The answer of oEmbed, from a project. Pure.

import type { ProjectListItem } from "#content/shapes/project.js";
import { organizationPage, projectPage, userPage } from "#lib/page-urls.js";
import { element, textElement } from "#lib/xml.js";
import type { Embed } from "./contract.js";

const widest = 480;
const highest = 128;
/** Icons are this large. */
const iconSize = 128;
const cacheSeconds = 300;

export interface MaxSize {
  maxwidth?: number;
  maxheight?: number;
}

interface Site {
  siteUrl: string;
  siteName: string;
}

export function toEmbed(
  { siteUrl, siteName }: Site,
  project: ProjectListItem,
  { maxwidth, maxheight }: MaxSize,
): Embed {
  const [width, height] = [Math.min(widest, maxwidth ?? widest), Math.min(highest, maxheight ?? highest)];
  const { author = "", orgName = author, isOrgOwned, icon } = project;
  const url = projectPage(siteUrl, project.slug);
  const hasRoomForIcon = iconSize <= Math.min(maxwidth ?? iconSize, maxheight ?? iconSize);
  return {
    version: "1.0",
    type: "rich",
    title: project.name,
    author_name: orgName,
    author_url: isOrgOwned ? organizationPage(siteUrl, author) : userPage(siteUrl, author),
    provider_name: siteName,
    provider_url: siteUrl,
    cache_age: cacheSeconds,
    html: element("blockquote", { cite: url }, [
      textElement("a", project.name, { href: url }),
      textElement("p", project.summary),
    ]),
    width,
    height,
    ...(icon && hasRoomForIcon && { thumbnail_url: icon, thumbnail_width: iconSize, thumbnail_height: iconSize }),
  };
}

/** The id or slug in the URL of one of the project's pages; undefined for every other URL. */
export function findProjectRef(siteUrl: string, text: string, projectTypes: readonly string[]): string | undefined {
  const url = URL.parse(text);
  if (!url || url.origin !== new URL(siteUrl).origin || url.username !== "" || url.password !== "") return undefined;
  const [, noun = "", ref = ""] = url.pathname.split("/");
  if (noun !== "project" && !projectTypes.includes(noun)) return undefined;
  try {
    return decodeURIComponent(ref) || undefined;
  } catch {
    // This site never generated such a URL.
    return undefined;
  }
}
