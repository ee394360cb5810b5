// Rules about accounts that need no database.
import type { Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { SignedIn } from "#platform/http/viewer.js";

/**
 * Names that could be taken for the site's own, or that have another meaning in a URL. deleted_user is the placeholder.
 */
const reserved: ReadonlySet<string> = new Set(["admin", "moderator", "user", "deleted_user", "system", "follows"]);

export const isReservedName = (userName: string): boolean => reserved.has(userName.toLowerCase());

const freshMs = 10 * 60 * 1000;

/** A session that was signed in recently is enough proof if an account has no password. */
export const isFresh = (viewer: SignedIn, now: number): boolean =>
  viewer.kind === "session" && now - viewer.dateAuthenticated <= freshMs;

/** Publishing needs an address that its owner has confirmed, where mail is configured. */
export function needConfirmedAddress({ user }: SignedIn): void {
  if (user.isUnconfirmed) throw fail.addressUnconfirmed();
}

export const canSignIn = (account: Pick<Row<"users">, "date_suspended">): boolean => account.date_suspended === null;
