// The content of robots.txt and security.txt.
import { dayOf, startOfDay } from "#lib/days.js";

/** Private pages, pages behind forms, pages with endless queries, and URLs for programs. */
const privateAreas = [
  "/api/",
  "/auth/",
  "/admin",
  "/dashboard",
  "/moderation",
  "/new",
  "/oauth/",
  "/report",
  "/search",
  "/settings",
  "/setup",
  "/maven/",
  "/oembed",
  "/*/settings",
  "/project/*/download",
  "/collection/*/download",
  "/project/*/moderation",
  "/project/*/version/new",
  "/project/*/version/*/edit",
  // Files of versions; crawlers may read the pictures next to them.
  "/cdn/data/project/*/version/",
];

/** The longer rule wins: the API reference is for people. */
const openAreas = ["/api/docs"];

export const toRobotsText = (siteUrl: string): string =>
  [
    "User-agent: *",
    ...openAreas.map((path) => `Allow: ${path}`),
    ...privateAreas.map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${siteUrl}/sitemap.xml`,
    "",
  ].join("\n");

/**
 * RFC 9116 recommends less than a year. Counted from the start of the day, so that the file does not change during a
 * day.
 */
const validDays = 180;

export const toSecurityText = (siteUrl: string, contacts: readonly string[], now: number): string =>
  [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${new Date(startOfDay(dayOf(now) + validDays)).toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${siteUrl}/.well-known/security.txt`,
    "",
  ].join("\n");
