// Rules for tokens: scopes from the assignable list, an expiry in the future.

import { parseIsoDate } from "#lib/iso-dates.js";
import { isRestrictedScope, isScope, type Scope, sortScopes, staffScope } from "#lib/scopes.js";
import { fail, invalid } from "#platform/errors.js";
import type { Powers } from "#platform/http/staff-powers.js";
import { say } from "#words/said.js";

/** `user` is the creator of the token: only staff whose powers are in force can give the scope staff. */
export function parseScopes(names: readonly string[], user: Powers): Scope[] {
  const restricted = names.filter(isRestrictedScope);
  if (restricted.length > 0) throw fail.restrictedScopes([...new Set(restricted)].join(", "));
  const isStaff = user.role !== "user" || user.dormantRole !== undefined;
  const unknown = names.filter((name) => !isScope(name) || (name === staffScope && !isStaff));
  if (unknown.length > 0) throw fail.unknownScopes([...new Set(unknown)].join(", "));
  const scopes = sortScopes(names.filter(isScope));
  checkStaffScope(scopes, user);
  return scopes;
}

/** Only all powers of the role can be given: an administrator who acts as a moderator has to confirm first. */
export function checkStaffScope(scopes: readonly Scope[], user: Powers): void {
  if (scopes.includes(staffScope) && (user.role === "user" || user.dormantRole !== undefined))
    throw fail.confirmationNeeded();
}

export const maxTokens = 50;

/** The scopes that a token for one project can have. */
export const boundScopes: readonly Scope[] = [
  "user_read",
  "project_read",
  "project_write",
  "version_create",
  "version_read",
  "version_write",
  "version_delete",
];

export function checkBoundScopes(scopes: readonly Scope[]): void {
  const others = scopes.filter((scope) => !boundScopes.includes(scope));
  if (others.length > 0) throw fail.scopesNotForOneProject(others.join(", "));
}

/** The last moment whose year has four digits: later ones cannot be written as a timestamp. */
const lastMoment = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Accepts any date or timestamp of ISO 8601 (lib/iso-dates.ts) in the future. */
export function parseExpiry(text: string, now: number): number {
  const time = parseIsoDate(text);
  if (time === undefined || time > lastMoment)
    throw invalid({
      path: "dateExpires",
      message: say.problems.dateOrTime("2027-01-31", "2027-01-31T12:00:00Z"),
    });
  if (time <= now) throw fail.expiryInPast();
  return time;
}
