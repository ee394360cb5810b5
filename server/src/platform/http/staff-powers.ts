// Which powers a credential carries: this file decides whether moderators and administrators act as such. A session
// carries the powers while its user has confirmed their identity recently, with a second factor if required; a token
// carries them only with the scope staff. Otherwise the caller is an ordinary user.
import type { Config } from "#config/config.js";
import { type Scope, staffScope } from "#lib/scopes.js";
import type { UserRole } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { StaffRole } from "./access.js";

/** A signed-in caller, reduced to what this file needs. */
interface PowersHolder {
  kind: "session" | "token";
  user: Powers;
}

const minute = 60_000;
const hour = 60 * minute;
/** Powers expire when the session is unused for this long, even before the limits of the settings. */
const idleMs = 2 * hour;

export type PowerRules = Config["staff"];

export interface Powers {
  /** The role whose powers are in force. */
  role: UserRole;
  /** The role of the account, if its powers are not in force. */
  dormantRole?: StaffRole;
}

/** The session's data about the last time its user confirmed their identity. */
export interface Confirmation {
  date_authenticated: number;
  /** Powers expire then unless the session is used before. */
  date_powers_end: number | null;
  passed_second_factor: 0 | 1;
  /** Whether the account has a second factor at all: an authenticator app or a passkey. */
  has_second_factor: 0 | 1;
}

export function powersOfSession(role: UserRole, from: Confirmation, rules: PowerRules, now: number): Powers {
  if (role === "user") return { role };
  const age = now - from.date_authenticated;
  const isUsed = from.date_powers_end !== null && now < from.date_powers_end;
  if (!isUsed || age >= rules.hours * hour || !hasPassed(from, rules)) return { role: "user", dormantRole: role };
  return role === "admin" && age >= rules.adminMinutes * minute ? { role: "moderator", dormantRole: role } : { role };
}

const hasPassed = ({ passed_second_factor, has_second_factor }: Confirmation, { secondFactor }: PowerRules): boolean =>
  secondFactor === "off" || passed_second_factor === 1 || (secondFactor === "auto" && has_second_factor === 0);

export function powersOfToken(role: UserRole, scopes: ReadonlySet<Scope>): Powers {
  if (role === "user" || scopes.has(staffScope)) return { role };
  return { role: "user", dormantRole: role };
}

/** When the powers of a session expire that is used now and not again. */
export const powersEnd = (now: number): number => now + idleMs;

const ranks: Record<UserRole, number> = { user: 0, moderator: 1, admin: 2 };

export const hasPowers = ({ role }: Pick<Powers, "role">, needed: StaffRole): boolean => ranks[role] >= ranks[needed];

/** The role of the account, whether or not its powers are in force. */
export const accountRole = ({ role, dormantRole }: Powers): UserRole => dormantRole ?? role;

/** Refuses callers without these powers, and tells staff how to get them. */
export function needPowers(viewer: PowersHolder, needed: StaffRole): void {
  const { role, dormantRole = "user" } = viewer.user;
  if (hasPowers({ role }, needed)) return;
  if (!hasPowers({ role: dormantRole }, needed)) throw needed === "admin" ? fail.adminOnly() : fail.moderatorOnly();
  throw viewer.kind === "token" ? fail.scopeMissing(staffScope) : fail.confirmationNeeded();
}
