// The checks before a route's body is read, in this order: where the call comes from, who makes it, whether they may,
// and whether the quota allows it.
import type { FastifyReply, FastifyRequest } from "fastify";
import { clientAddress, limitKey, type TrustedProxies, truncatedAddress } from "#lib/client-address.js";
import { tokenPrefix } from "#lib/secret-token.js";
import type { Actor } from "#platform/changes/write.js";
import { Failure, fail } from "#platform/errors.js";
import { readCookie, sessionCookie, setCookie } from "./cookies.js";
import { allowOrigin, checkOrigin, isPublicRead, type OriginRules } from "./cross-origin.js";
import type { EndpointSpec } from "./endpoint.js";
import { faceRateFields, isOfFace } from "./modrinth-fields.js";
import { type RateClass, rateLimitFields } from "./rate-limit-fields.js";
import type { RateLimiter } from "./rate-limiter.js";
import {
  admit,
  anonymous,
  type CredentialLookup,
  type Viewer,
  viewerFromAuthorization,
  viewerFromCookie,
  viewerFromToken,
} from "./viewer.js";

export interface Gate {
  lookup: CredentialLookup;
  limiter: RateLimiter;
  origins: OriginRules;
  trustedProxies: TrustedProxies;
  secureCookies: boolean;
}

export interface Caller {
  viewer: Viewer;
  address: string;
}

const callers = new WeakMap<FastifyRequest, Caller>();
/** Also those who were refused: their quota is used up, or they may not call the route. */
const sessions = new WeakMap<FastifyRequest, Viewer>();

/** Undefined before the caller is identified. */
export const callerOf = (request: FastifyRequest): Caller | undefined => callers.get(request);

/** Identifies the caller and checks their access; callerOf returns the result. */
export async function identify(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: EndpointSpec,
  gate: Gate,
): Promise<void> {
  callers.set(request, await findCaller(request, reply, endpoint, gate));
}

async function findCaller(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: EndpointSpec,
  gate: Gate,
): Promise<Caller> {
  allowOrigin(request, reply, gate.origins, isPublicRead(endpoint));
  const address = addressOf(request, gate.trustedProxies);
  let viewer: Viewer;
  try {
    viewer = await findViewer(request, reply, endpoint, gate);
  } catch (error) {
    // A wrong token uses up the quota of the address: guessing tokens is not free.
    if (error instanceof Failure) await takeQuota(reply, endpoint, gate, limitKey(address));
    throw error;
  }
  sessions.set(request, viewer);
  const tokenId = viewer.kind === "token" && endpoint.rate !== "signIn" ? viewer.tokenId : undefined;
  await takeQuota(reply, endpoint, gate, quotaKey(viewer, address, endpoint.rate), tokenId);
  return { viewer: admit(viewer, endpoint), address };
}

async function findViewer(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: EndpointSpec,
  gate: Gate,
): Promise<Viewer> {
  const { authorization } = request.headers;
  // Programs for Modrinth send an empty header if they have no token.
  if (authorization?.trim() === "" && isOfFace(endpoint.path)) return anonymous;
  if (authorization !== undefined && !endpoint.ownAuthorization)
    return viewerFromAuthorization(authorization, gate.lookup);
  const token = readCookie(request.headers.cookie, sessionCookie);
  // Publish scripts put an access token here. It counts like an Authorization header, and the Origin does not matter:
  // browsers never have one in this cookie, so no website can make a browser send it.
  if (token?.startsWith(tokenPrefix)) return viewerFromToken(token, gate.lookup);
  if (!endpoint.crossOrigin) checkOrigin(request, gate.origins);
  if (token === undefined) return anonymous;
  const viewer = await viewerFromCookie(token, gate.lookup);
  if (viewer.kind === "anonymous")
    setCookie(reply, sessionCookie, "", { maxAgeSeconds: 0, secure: gate.secureCookies });
  return viewer;
}

/** The sender of a request, if it was looked up before the request was refused. */
export const knownSession = (request: FastifyRequest): Viewer | undefined => sessions.get(request);

/**
 * The sender of a request that was refused, for the header of the error page. It must not decide about access. For a request
 * that no route accepts, the session is looked up here, within the quota of the address.
 */
export async function findRefused(request: FastifyRequest, gate: Gate): Promise<Viewer | undefined> {
  const known = knownSession(request);
  if (known) return known;
  const cookie = readCookie(request.headers.cookie, sessionCookie);
  if (cookie === undefined) return anonymous;
  const { allowed } = await gate.limiter.take("read", limitKey(addressOf(request, gate.trustedProxies)));
  return allowed ? viewerFromCookie(cookie, gate.lookup) : undefined;
}

const addressOf = (request: FastifyRequest, trusted: TrustedProxies): string => {
  const forwarded = request.headers["x-forwarded-for"];
  return clientAddress(
    request.socket.remoteAddress ?? "",
    Array.isArray(forwarded) ? forwarded.join(",") : forwarded,
    trusted,
  );
};

/** Counts per account for any credential, otherwise per address. */
function quotaKey(viewer: Viewer, address: string, rate: RateClass): string {
  // Signing in must not give a caller new attempts against other accounts.
  return rate === "signIn" || viewer.kind === "anonymous" ? limitKey(address) : `user ${viewer.user.id}`;
}

async function takeQuota(
  reply: FastifyReply,
  { rate, path }: EndpointSpec,
  { limiter }: Gate,
  key: string,
  tokenId?: string,
): Promise<void> {
  if (!limiter.enabled) return;
  const { policy, result } = await limiter.takeFor(rate, key, tokenId);
  reply.headers(rateLimitFields(rate, policy, result) as unknown as Record<string, string>);
  if (isOfFace(path)) reply.headers(faceRateFields(policy, result));
  if (!result.allowed) throw fail.rateLimited(result.retryAfterSeconds);
}

/** The caller as the audit log records them: with the network, not the exact address. */
export function toActor(viewer: Viewer, address: string, requestId: string): Actor {
  const base = { address: truncatedAddress(address), network: limitKey(address), requestId };
  if (viewer.kind === "anonymous") return base;
  const credential = viewer.kind === "session" ? `session:${viewer.sessionId}` : `token:${viewer.tokenId}`;
  return { ...base, userId: viewer.user.id, credential };
}
