// Rules about signing in with providers that need no database.
import { timingSafeEqual } from "node:crypto";
import { isReservedName } from "#accounts/users/policy.js";
import { lengths } from "#lib/lengths.js";
import type { Row } from "#platform/db/tables.js";

export type Intent = Row<"oauth_flows">["intent"];

export const flowLifeMs = 10 * 60 * 1000;

/** The page on which a sign-in ends, unless the browser named another path of this site. */
export const landingPages: Record<Intent, string> = { signin: "/", signup: "/", link: "/settings/account" };

export const redirectUri = (siteUrl: string, provider: string): string => `${siteUrl}/auth/callback/${provider}`;

/** The prefix makes browsers refuse this name from sibling hosts; they allow it only over https. */
export const browserCookie = (secure: boolean): string => (secure ? "__Host-oauth-browser" : "oauth-browser");

/**
 * A visitor begins on this site's pages, by typing the URL, or on a trusted site. Any other site could send the visitor
 * through a provider at which it has signed them in as itself, and so link them to its own account.
 */
export function isBegunHere(
  headers: { origin?: string; "sec-fetch-site"?: string | string[] },
  origins: readonly string[],
): boolean {
  if (headers.origin !== undefined) return origins.includes(headers.origin);
  const site = headers["sec-fetch-site"];
  return site === undefined || site === "same-origin" || site === "none";
}

/** A flow can be finished only by the browser that began it, with the same provider, before it expires. */
export const isOwnFlow = (
  flow: Pick<Row<"oauth_flows">, "browser_digest" | "provider" | "date_expires">,
  { browserDigest, provider, now }: { browserDigest: Uint8Array; provider: string; now: number },
): boolean =>
  timingSafeEqual(flow.browser_digest, browserDigest) && flow.provider === provider && flow.date_expires > now;

const [minLength, maxLength] = lengths.userName;
/** Used when no letter of the provider's name remains, for example for names in other scripts. */
const nameless = "member";

/** The provider's name in this site's grammar. It may be too short to use. */
export const toUserName = (name: string): string =>
  name
    // Real names are shorter, and the replacements below should not process more than this.
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
