// The access rules of routes. Every endpoint names one; there is no default (decisions §4).
import type { RestrictedScope, Scope } from "#lib/scopes.js";

export type StaffRole = "moderator" | "admin";

export type Access = (
  | { kind: "open" }
  | { kind: "readable"; scopes: readonly Scope[] }
  | { kind: "needs"; scopes: readonly Scope[] }
  | { kind: "needsOneOf"; scopes: readonly Scope[] }
  | { kind: "session"; scope: RestrictedScope }
) & {
  /** The role that the caller must also have. */
  role?: StaffRole;
  /** Users without the role get 404, as if the route did not exist. */
  hidden?: true;
};

/** The answer is the same for every caller. An invalid Authorization header is refused all the same. */
export const open = { kind: "open" } as const satisfies Access;

/** Public; signed-in callers may see more. A token without these scopes sees what an anonymous caller sees. */
export const readable = (...scopes: Scope[]) => ({ kind: "readable", scopes }) as const satisfies Access;

/** A session, or a token that holds all of these scopes. */
export const needs = (...scopes: [Scope, ...Scope[]]) => ({ kind: "needs", scopes }) as const satisfies Access;

/**
 * A session, or a token that holds at least one of these scopes. Which one is needed depends on the object of the call:
 * the handler checks it with needScope (viewer.ts).
 */
export const needsOneOf = (...scopes: [Scope, Scope, ...Scope[]]) =>
  ({ kind: "needsOneOf", scopes }) as const satisfies Access;

/** A browser session only: no token can hold a restricted scope. */
export const sessionOnly = (scope: RestrictedScope) => ({ kind: "session", scope }) as const satisfies Access;

/** Only moderators and administrators, while their powers are in force (staff-powers.ts). */
export const moderators = <A extends Access>(access: A) => ({ ...access, role: "moderator" }) as const;

/** Only administrators, while their powers are in force. */
export const admins = <A extends Access>(access: A) => ({ ...access, role: "admin" }) as const;

/** For pages: other users do not learn that the route exists. */
export const hidden = <A extends Access>(access: A) => ({ ...access, hidden: true }) as const;
