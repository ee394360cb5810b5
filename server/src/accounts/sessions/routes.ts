// Signing up, in and out: one function a route.

import { checkSecondFactor } from "#accounts/second-factor/check.js";
import { findAccount, findProfile, toUser } from "#accounts/users/read.js";
import { write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import { sessionCookie, setCookie } from "#platform/http/cookies.js";
import { type Call, type Route, route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { done } from "#platform/http/schemas.js";
import { holdsAll } from "#platform/http/viewer.js";
import * as contract from "./contract.js";
import { sessionLifeSeconds } from "./policy.js";
import { listSessionRows, toSession } from "./read.js";
import { checkCredential, signUp } from "./sign-in.js";
import { createSession, deleteOtherSessions, deleteSession, endSessionByCode } from "./write.js";

export const sessionRoutes: Route[] = [
  route(contract.signUp, async (call, resources) => {
    const { id, token } = await signUp(resources, call.actor, originOf(call, "credential"), call.body);
    giveCookie(call, resources, token);
    return { ...done("Welcome"), id, userName: call.body.userName };
  }),

  route(contract.signIn, async (call, resources) => {
    const { email: login, password, code } = call.body;
    const account = await checkCredential(resources, call.actor, login, password);
    const secondFactor = await checkSecondFactor(resources, call.actor, account.id, code);
    const token = await write(resources, { ...call.actor, userId: account.id }, (tx) =>
      createSession(tx, account.id, { ...originOf(call, "credential"), secondFactor }),
    );
    giveCookie(call, resources, token);
    return done("Signed in");
  }),

  route(contract.getMe, async ({ viewer }, { db, config }) => {
    const [account, profile] = await Promise.all([findAccount(db, viewer.user.id), findProfile(db, viewer.user.id)]);
    if (!account || !profile) throw fail.signInNeeded();
    const { id, name, userName, role, avatar, bio, profilePageBg } = toUser(profile, config.http.cdnUrl);
    return {
      id,
      ...(holdsAll(viewer, ["user_read_email"]) && {
        email: account.email,
        emailConfirmed: account.email_verified === 1,
      }),
      userName,
      name,
      role,
      hasAPassword: account.password_hash !== null,
      avatar,
      bio,
      profilePageBg,
      ...(viewer.kind === "session" ? { sessionId: viewer.sessionId } : { patId: viewer.tokenId }),
    };
  }),

  route(contract.validateSession, async ({ viewer }) => ({ sessionValid: viewer.kind !== "anonymous" })),

  route(contract.listSessions, async ({ viewer }, { db, clock }) => {
    const rows = await listSessionRows(db, viewer.user.id, clock.now());
    return rows.map((row) => toSession(row, viewer.sessionId));
  }),

  route(contract.endSession, async (call, resources) => {
    const { viewer, body } = call;
    const sessionId = body.sessionId ?? viewer.sessionId;
    await write(resources, call.actor, (tx) => deleteSession(tx, viewer.user.id, sessionId));
    if (sessionId === viewer.sessionId) giveCookie(call, resources, "", 0);
    return done(sessionId === viewer.sessionId ? "Signed out" : "Session ended");
  }),

  route(contract.endSessionByCode, async ({ params, actor }, resources) => {
    if (!(await write(resources, actor, (tx) => endSessionByCode(tx, params.code)))) throw fail.codeInvalid();
    return done("Session ended");
  }),

  route(contract.endOtherSessions, async ({ viewer, actor }, resources) => {
    const revoked = await write(resources, actor, (tx) => deleteOtherSessions(tx, viewer.user.id, viewer.sessionId));
    return { ...done("All other sessions are signed out"), revoked };
  }),
];

export const originOf = (call: Pick<Call, "address" | "request">, provider: string) => ({
  provider,
  address: call.address,
  userAgent: call.request.headers["user-agent"],
});

/** The cookie outlives the idle limit: the server decides when a session ends. */
export function giveCookie(
  call: Pick<Call, "reply">,
  { config }: Resources,
  token: string,
  maxAgeSeconds = sessionLifeSeconds,
): void {
  const secure = config.http.url.startsWith("https:");
  setCookie(call.reply, sessionCookie, token, { maxAgeSeconds, secure });
}
