// Rules about accounts that need no database.
import type { Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { SignedIn } from "#platform/http/viewer.js";

/** Names that speak for the site, or stand for something else in an address. deleted_user is the placeholder's own. */
const reserved: ReadonlySet<string> = new Set(["admin", "moderator", "user", "deleted_user", "system", "follows"]);

export const isReservedName = (userName: string): boolean => reserved.has(userName.toLowerCase());

const freshMs = 10 * 60 * 1000;

/** Signed in just now: enough proof where an account has no password to ask for. */
export const isFresh = (viewer: SignedIn, now: number): boolean =>
  viewer.kind === "session" && now - viewer.dateAuthenticated <= freshMs;

/** Publishing needs an address that its owner has confirmed, where mail is configured. */
export function needConfirmedAddress({ user }: SignedIn): void {
  if (user.isUnconfirmed) throw fail.addressUnconfirmed();
}

export const canSignIn = (account: Pick<Row<"users">, "date_suspended">): boolean => account.date_suspended === null;
