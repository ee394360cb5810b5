// The rules of webhooks: the pauses between attempts, when a receiver is given up, and how its URL is shown.

/** One job for each webhook sends its deliveries, one after the other. */
export const deliveryKey = (webhookId: string): string => `webhook ${webhookId}`;

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** After the first failure, the second …; a day in total. */
const pausesMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 8 * hour, 10 * hour, 12 * hour];
const maxAttempts = 8;
/** For receivers that request one pause after another, and for webhooks with many deliveries. */
const longestLifeMs = 30 * hour;
/** About five days without success, if there was something to deliver. */
const tooManyFailures = 15;
const longestAskedPauseMs = hour;
export const oldSecretMs = 24 * hour;

/** Adds up to a tenth at random, so that receivers that failed together are not all tried together. */
export const pauseMs = (failures: number, chance: number): number =>
  Math.round(pausesMs[Math.min(failures, pausesMs.length) - 1]! * (1 + chance / 10));

export const isGivenUp = (attempts: number, ageMs: number): boolean =>
  attempts >= maxAttempts || ageMs >= longestLifeMs;

export const hasTooManyFailures = (failures: number): boolean => failures >= tooManyFailures;

/** Retry-After as seconds or as a date (RFC 9110); undefined if it is neither. */
export function askedPauseMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const isDate = /^[A-Z][a-z]{2}, \d/.test(header);
  const ms = isDate ? Date.parse(header) - now : /^\d+(?:\.\d+)?$/.test(header) ? Number(header) * second : Number.NaN;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, second), longestAskedPauseMs);
}

/** Replaces the hidden part of a URL. */
export const hiddenPart = "…";
/** With a shorter path, the last characters would reveal too much of it. */
const leastHidden = 12;

/** The host and the last four characters, so that a team can tell its webhooks apart without seeing the secret in them. */
export function shortenUrl(url: string): string {
  const { origin } = new URL(url);
  const rest = url.slice(origin.length + 1);
  return rest === "" ? url : `${origin}/${hiddenPart}${rest.length < leastHidden ? "" : rest.slice(-4)}`;
}
