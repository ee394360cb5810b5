// Rules about signing in with providers that need no database.
import { timingSafeEqual } from "node:crypto";
import { isReservedName } from "#accounts/users/policy.js";
import { lengths } from "#lib/lengths.js";
import type { Row } from "#platform/db/tables.js";

export type Intent = Row<"oauth_flows">["intent"];

export const flowLifeMs = 10 * 60 * 1000;

/** Where a browser lands in the end, unless it said where on this site. */
export const landingPages: Record<Intent, string> = { signin: "/", signup: "/", link: "/settings/account" };

export const redirectUri = (siteUrl: string, provider: string): string => `${siteUrl}/auth/callback/${provider}`;

/** The prefix makes browsers refuse this name from sibling hosts; they allow it only over https. */
export const browserCookie = (secure: boolean): string => (secure ? "__Host-oauth-browser" : "oauth-browser");

/**
 * A visitor begins on our own pages, by typing the address, or on a trusted site. From anywhere else he could be led
 * through a provider at which the other site has signed him in as itself, and so be linked to its account.
 */
export function isBegunHere(
  headers: { origin?: string; "sec-fetch-site"?: string | string[] },
  origins: readonly string[],
): boolean {
  if (headers.origin !== undefined) return origins.includes(headers.origin);
  const site = headers["sec-fetch-site"];
  return site === undefined || site === "same-origin" || site === "none";
}

/** Only the browser that began, with the provider it began with, and in time. */
export const isOwnFlow = (
  flow: Pick<Row<"oauth_flows">, "browser_digest" | "provider" | "date_expires">,
  { browserDigest, provider, now }: { browserDigest: Uint8Array; provider: string; now: number },
): boolean =>
  timingSafeEqual(flow.browser_digest, browserDigest) && flow.provider === provider && flow.date_expires > now;

const [minLength, maxLength] = lengths.userName;
/** For names of which nothing is left, such as those in other scripts. */
const nameless = "member";

/** The provider's name in our grammar; possibly too short to be used. */
export const toUserName = (name: string): string =>
  name
    // No name that somebody chose is longer, and what follows should not have to chew on more.
    .slice(0, 256)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, maxLength)
    .replace(/(?<!-)-+$/, "");

export const canBeUserName = (name: string): boolean => name.length >= minLength && !isReservedName(name);

export const withSuffix = (name: string, suffix: string): string =>
  `${(name || nameless).slice(0, maxLength - suffix.length - 1)}-${suffix}`;
