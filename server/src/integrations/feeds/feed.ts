// A feed independent of its format: the latest events, newest first.
import type { VersionFilter } from "#content/versions/policy.js";

export interface FeedEntry {
  /** Unique, and never changes. */
  id: string;
  url: string;
  title: string;
  /** Markdown. */
  text: string;
  time: number;
  author: { name: string; url: string } | undefined;
  tags: readonly string[];
  image: string | undefined;
  file: { url: string; type: string; name: string; size: number } | undefined;
}

export interface Feed {
  id: string;
  title: string;
  description: string;
  /** The page with the same content. */
  pageUrl: string;
  /** Its own path, without the extension and the filter. */
  path: string;
  filter: FeedFilter;
  image: string | undefined;
  /** When it last changed. */
  time: number;
  entries: readonly FeedEntry[];
}

export const formats = ["atom", "json"] as const;
export type Format = (typeof formats)[number];

/** The filter as requested, and as used in the query. */
export interface FeedFilter extends VersionFilter {
  words: Readonly<Record<string, string>>;
}

/** Feed readers recognize entries by these (RFC 4151). The year is the one in which the scheme was defined. */
export function toTag(siteUrl: string, kind: string, id: string): string {
  const host = new URL(siteUrl).hostname.replace(/[^a-z0-9.-]/g, "-");
  return `tag:${host},2026:${kind}/${id}`;
}

export function addressOf({ path, filter }: Feed, siteUrl: string, format: Format): string {
  const query = new URLSearchParams(filter.words).toString();
  return `${siteUrl}${path}.${format}${query && `?${query}`}`;
}
