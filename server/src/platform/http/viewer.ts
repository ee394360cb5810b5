// The caller of a request: resolved once from the Authorization header or the cookie, then passed explicitly.

import type { Scope } from "#lib/scopes.js";
import { readSecretToken } from "#lib/secret-token.js";
import type { StoredShortcuts } from "#lib/shortcuts.js";
import { fail } from "#platform/errors.js";
import type { Locale } from "#words/languages.js";
import type { Access } from "./access.js";
import { accountRole, hasPowers, needPowers, type Powers } from "./staff-powers.js";

export interface ViewerUser extends Powers {
  id: string;
  userName: string;
  /** The only project that the user's token works for: elsewhere it gives no more access than the public has. */
  boundTo?: string;
  /** If mail is configured: the user has not confirmed the address yet, so publishing is off. */
  isUnconfirmed?: true;
  /** The user's language; unset for tokens. */
  locale?: Locale | null;
  /** The user's single-key shortcuts; unset for tokens. */
  shortcuts?: StoredShortcuts;
  /** The file name of the uploaded avatar; null without one, unset for tokens. */
  avatarFile?: string | null;
}

export type Anonymous = { kind: "anonymous" };
export type SessionViewer = { kind: "session"; user: ViewerUser; sessionId: string; dateAuthenticated: number };
export type TokenViewer = { kind: "token"; user: ViewerUser; tokenId: string; scopes: ReadonlySet<Scope> };
export type SignedIn = SessionViewer | TokenViewer;
export type Viewer = Anonymous | SignedIn;

export const anonymous: Anonymous = { kind: "anonymous" };

/** Moderators and administrators, while their powers are in force. */
export const isStaff = (viewer: Viewer): boolean => viewer.kind !== "anonymous" && viewer.user.role !== "user";

/** Looks credentials up in the database; implemented by the features that own them. */
export interface CredentialLookup {
  findSession(digest: Uint8Array): Promise<SessionViewer | undefined>;
  findToken(digest: Uint8Array): Promise<TokenViewer | undefined>;
}

/** The token in `Authorization: <token>`, `Bearer <token>` (any case) or `Basic` with the token as password. */
export function tokenFromAuthorization(header: string): string {
  const [, scheme, rest] = /^(\S+)\s(.*)$/s.exec(header.trim()) ?? [];
  if (scheme === undefined || rest === undefined) return header.trim();
  if (scheme.toLowerCase() === "bearer") return rest.trim();
  if (scheme.toLowerCase() !== "basic") return header.trim();
  const decoded = Buffer.from(rest.trim(), "base64").toString("utf8");
  return decoded.slice(decoded.indexOf(":") + 1);
}

/** If there is an Authorization header, only it counts: an invalid one is refused, and the cookie is ignored. */
export const viewerFromAuthorization = (header: string, lookup: CredentialLookup): Promise<TokenViewer> =>
  viewerFromToken(tokenFromAuthorization(header), lookup);

export async function viewerFromToken(value: string, lookup: CredentialLookup): Promise<TokenViewer> {
  const token = readSecretToken(value);
  const viewer = token?.kind === "pat" ? await lookup.findToken(token.digest) : undefined;
  if (!viewer) throw fail.credentialInvalid();
  return viewer;
}

/** An expired or unknown cookie makes the caller anonymous. */
export async function viewerFromCookie(value: string, lookup: CredentialLookup): Promise<SessionViewer | Anonymous> {
  const token = readSecretToken(value);
  const session = token?.kind === "session" ? await lookup.findSession(token.digest) : undefined;
  return session ?? anonymous;
}

/** The viewer for a route with this access rule, or a refusal. */
export function admit(viewer: Viewer, { access, givesBack }: { access: Access; givesBack?: true }): Viewer {
  // A form that gives back what was typed must be read first. It refuses these callers itself (web/frame/page.ts).
  if (givesBack && viewer.kind === "anonymous") return viewer;
  const admitted = admitScopes(viewer, access);
  if (!givesBack) needRole(admitted, access);
  return admitted;
}

/** Refuses callers without the role that a route names. */
export function needRole(viewer: Viewer, { role, hidden }: Access): void {
  if (role === undefined) return;
  if (viewer.kind === "anonymous") throw fail.signInNeeded();
  if (hidden && !hasPowers({ role: accountRole(viewer.user) }, role)) throw fail.notFound();
  needPowers(viewer, role);
}

function admitScopes(viewer: Viewer, access: Access): Viewer {
  if (access.kind === "open") return viewer;
  if (access.kind === "readable") return holdsAll(viewer, access.scopes) ? viewer : anonymous;
  if (viewer.kind === "anonymous") throw fail.signInNeeded();
  if (access.kind === "session") {
    return needSession(viewer);
  }
  if (access.kind === "needsOneOf") {
    if (!access.scopes.some((scope) => holdsAll(viewer, [scope]))) throw fail.scopeMissing(access.scopes.join(" or "));
    return viewer;
  }
  const missing = access.scopes.find((scope) => !holdsAll(viewer, [scope]));
  if (missing) throw fail.scopeMissing(missing);
  return viewer;
}

/** For routes that accept a mailed code instead of a session. */
export function needSession(viewer: Viewer): SessionViewer {
  if (viewer.kind === "anonymous") throw fail.signInNeeded();
  if (viewer.kind !== "session") throw fail.sessionNeeded();
  return viewer;
}

/** For scopes that a route can check only once it knows the object of the call. */
export function needScope(viewer: SignedIn, scope: Scope): void {
  if (!holdsAll(viewer, [scope])) throw fail.scopeMissing(scope);
}

/** A session holds every scope. */
export const holdsAll = (viewer: Viewer, scopes: readonly Scope[]): boolean =>
  viewer.kind !== "token" || scopes.every((scope) => viewer.scopes.has(scope));
