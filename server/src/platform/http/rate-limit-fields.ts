// The rate classes of requests with their quotas, and the response headers about them: RateLimit-Policy and RateLimit
// (draft-ietf-httpapi-ratelimit-headers) and Retry-After.
import type { RatePolicy, RateResult } from "./token-bucket.js";

const minute = 60;
const hour = 60 * minute;

/**
 * Counted per account for any credential, otherwise per address (IPv6: /64), unless `why` says otherwise.
 */
export const rateClasses = {
  read: {
    quota: 600,
    windowSeconds: minute,
    why: "A launcher asks for several hundred projects at once, and a household shares one address.",
  },
  bulk: {
    quota: 120,
    windowSeconds: minute,
    why: "One call answers for up to 1,000 hashes or 100 ids, so few are needed and each costs a big query.",
  },
  search: {
    quota: 120,
    windowSeconds: minute,
    why: "Search as you type sends bursts; ranking is the most expensive thing an anonymous caller can request.",
  },
  preview: {
    quota: 30,
    windowSeconds: minute,
    why: "The editor requests it when the user opens the preview, not at every key. Each may take a quarter of a second to render.",
  },
  card: {
    quota: 60,
    windowSeconds: minute,
    why: "Other sites fetch the card of a link once; drawing one takes as long as dozens of other answers.",
  },
  write: {
    quota: 60,
    windowSeconds: minute,
    why: "A person edits slower than once a second, and a release script touches a few dozen things.",
  },
  report: {
    quota: 20,
    windowSeconds: hour,
    why: "Each is read by a person. For more than twenty problems an hour, one report about all of them is better.",
  },
  upload: {
    quota: 30,
    windowSeconds: 10 * minute,
    why: "A release for every loader is some twenty uploads; each costs disk, hashing and an archive inspection.",
  },
  signIn: {
    quota: 20,
    windowSeconds: 10 * minute,
    why: "Per address: room for a classroom behind one, but not for one password on thousands of accounts.",
  },
  accountFailure: {
    quota: 5,
    windowSeconds: hour,
    why: "Per name as it is typed, failures only: an account has two, its email address and its username, so that a thousand addresses get ten guesses an hour at it, wherever the password is asked for. Counting both together would tell strangers which belong to each other. An address from which the account was opened before counts apart from all others, so strangers cannot lock the owner out; a reset starts the count again. Existing sessions are not touched by it.",
  },
  mail: {
    quota: 5,
    windowSeconds: hour,
    why: "Per sender, and for each mailbox that this sender has mails sent to: one person needs no more of them.",
  },
  mailbox: {
    quota: 10,
    windowSeconds: hour,
    why: "Per mailbox, for all senders together: we must not be used to flood it. Links that were mailed before keep working, so a full quota takes nothing from its owner.",
  },
  content: {
    quota: 600,
    windowSeconds: minute,
    why: "A modpack is hundreds of files in a minute; sending bytes is cheap compared with looking things up.",
  },
} as const satisfies Record<string, RatePolicy & { why: string }>;

export type RateClass = keyof typeof rateClasses;

/**
 * The part of its user's quota that one token can use: a runaway script leaves the rest to the user and other tokens.
 */
export const tokenShare = ({ quota, windowSeconds }: RatePolicy): RatePolicy => ({
  quota: Math.max(1, Math.ceil(quota * 0.75)),
  windowSeconds,
});

export interface RateLimitFields {
  "RateLimit-Policy": string;
  RateLimit: string;
  "Retry-After"?: string;
}

export function rateLimitFields(name: RateClass, policy: RatePolicy, result: RateResult): RateLimitFields {
  const fields: RateLimitFields = {
    "RateLimit-Policy": `"${name}";q=${policy.quota};w=${policy.windowSeconds}`,
    RateLimit: `"${name}";r=${result.remaining};t=${effectiveWindow(policy, result)}`,
  };
  if (!result.allowed) fields["Retry-After"] = String(result.retryAfterSeconds);
  return fields;
}

// The draft's "t" is the time in which no more than "r" may be used, and Retry-After should not end before it. A caller
// with nothing left is told when the next unit is available, not when the quota is full again.
function effectiveWindow(policy: RatePolicy, result: RateResult): number {
  if (!result.allowed) return result.retryAfterSeconds;
  return result.remaining > 0 ? result.resetSeconds : Math.ceil(policy.windowSeconds / policy.quota);
}
