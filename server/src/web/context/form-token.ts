// The token of every form that is sent by POST: made anew for each page, and good only together with a cookie of the
// browser that the page was made for. A form that stands elsewhere has none, whatever browsers say of its origin.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { readCookie, sessionCookie, setCookie } from "#platform/http/cookies.js";
import type { Resources } from "#platform/http/resources.js";

export const formTokenField = "form-token";
/** Holds what the forms of guests are bound to. Only pages with such forms give it. */
export const guestCookie = "form-key";
const guestSeconds = 7 * 24 * 60 * 60;

const freeActions: ReadonlySet<string> = new Set([
  // They stand on pages that are the same for all guests, and change nothing but the visitor's own cookies.
  "/settings/display",
  "/settings/setup",
  "/settings/view",
  // Mail programs send it (RFC 8058); what it needs is in the link.
  "/unsubscribe",
]);
export const needsToken = (action: string): boolean => !freeActions.has(action.split("?", 1)[0]!);

/** Gives each form of a page its token. Only a page with such a form asks for the secret. */
export function formTokens(secret: () => string, { random }: Pick<Resources, "random">): () => string {
  let token: string | undefined;
  let count = 0;
  return () => {
    token ??= formToken(random.bytes(12).toString("base64url"), secret());
    return `${token}.${count++}`;
  };
}

export const formToken = (nonce: string, secret: string): string => `${nonce}.${signed(nonce, secret)}`;

const signed = (nonce: string, secret: string): string =>
  createHmac("sha256", secret).update(`form ${nonce}`).digest("base64url").slice(0, 22);

const cookieOf = ({ headers }: FastifyRequest, name: string): string | undefined =>
  readCookie(headers.cookie, name) || undefined;

/** What the forms of this page are bound to: the session, else a cookie that the answer gives. */
export function formSecret(request: FastifyRequest, reply: FastifyReply, isMember: boolean, resources: Resources) {
  return (): string => {
    const session = isMember ? cookieOf(request, sessionCookie) : undefined;
    if (session) return session;
    const known = cookieOf(request, guestCookie);
    const secret =
      known !== undefined && guestValue.test(known) ? known : resources.random.bytes(24).toString("base64url");
    setCookie(reply, guestCookie, secret, {
      maxAgeSeconds: guestSeconds,
      secure: resources.config.http.url.startsWith("https:"),
    });
    return secret;
  };
}
const guestValue = /^[\w-]{32}$/;

export interface GoodToken {
  /** Of this one form on this one page. */
  nonce: string;
  secret: string;
}

/** Undefined where no page of ours gave the form to this browser. */
export function readFormToken(text: string | undefined, request: FastifyRequest): GoodToken | undefined {
  const [, nonce, given, index] = /^([\w-]{16})\.([\w-]{22})\.(\d{1,4})$/.exec(text ?? "") ?? [];
  if (nonce === undefined || given === undefined) return undefined;
  // Also that of a guest: who signed in elsewhere meanwhile sends the form that he had before.
  const secret = [sessionCookie, guestCookie]
    .flatMap((name) => cookieOf(request, name) ?? [])
    .find((one) => timingSafeEqual(Buffer.from(signed(nonce, one)), Buffer.from(given)));
  return secret === undefined ? undefined : { nonce: `${nonce}.${index}`, secret };
}
