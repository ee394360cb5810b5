// The CSRF token of every form that is sent by POST: new for each page, and valid only together with a cookie of the
// browser that received the page. A form on another site cannot have one, whatever the browser says about its origin.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Random } from "#lib/random.js";
import { readCookie, sessionCookie, setCookie } from "#platform/http/cookies.js";
import type { Resources } from "#platform/http/resources.js";

export const formTokenField = "form-token";
/** The secret that the forms of guests are bound to. Only pages with such forms set it. */
export const guestCookie = "form-key";
/** Another value after each form that creates something. */
const roundCookie = "form-round";
const guestSeconds = 7 * 24 * 60 * 60;

const freeActions: ReadonlySet<string> = new Set([
  // These forms are on pages that are the same for all guests, and they change only the visitor's own cookies.
  "/settings/display",
  "/settings/setup",
  "/settings/view",
  // Mail programs send it (RFC 8058); the link carries its own secret.
  "/unsubscribe",
]);
export function needsToken(action: string): boolean {
  const queryAt = action.indexOf("?");
  return !freeActions.has(queryAt < 0 ? action : action.slice(0, queryAt));
}

/** The tokens of the forms on one page. The secret is created only if the page has such a form. */
export class FormTokens {
  readonly #secret: () => string;
  readonly #random: Random;
  #made: { token: string; secret: string } | undefined;
  #count = 0;

  constructor(secret: () => string, { random }: Pick<Resources, "random">) {
    this.#secret = secret;
    this.#random = random;
  }

  next(): string {
    if (!this.#made) {
      const secret = this.#secret();
      this.#made = { token: formToken(this.#random.bytes(12).toString("base64url"), secret), secret };
    }
    return `${this.#made.token}.${this.#count++}`;
  }

  /**
   * A text that is the same for the next page of this browser with the same content, although its tokens are others:
   * the browser may go on to use the page that it has. Not after it has sent a form that creates something, because
   * that form with the same token creates it only once.
   */
  sameness(html: string, request: FastifyRequest): string {
    if (!this.#made) return html;
    const { token, secret } = this.#made;
    return [html.replaceAll(token, ""), secret, cookieOf(request, roundCookie) ?? ""].join("\n");
  }
}

/** Called when a form that creates something is processed. */
export function beginFormRound(reply: FastifyReply, { random, config }: Resources): void {
  setCookie(reply, roundCookie, random.bytes(9).toString("base64url"), {
    maxAgeSeconds: guestSeconds,
    secure: config.http.url.startsWith("https:"),
  });
}

export const formToken = (nonce: string, secret: string): string => `${nonce}.${signed(nonce, secret)}`;

const signed = (nonce: string, secret: string): string =>
  createHmac("sha256", secret).update(`form ${nonce}`).digest("base64url").slice(0, 22);

const cookieOf = ({ headers }: FastifyRequest, name: string): string | undefined =>
  readCookie(headers.cookie, name) || undefined;

/**
 * The secret that the forms of this page are bound to: that of the session, or else of a cookie that is set with the
 * page.
 */
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
  /** Unique to one form on one page. */
  nonce: string;
  secret: string;
}

/** Undefined if this browser did not get the form from a page of this site. */
export function readFormToken(text: string | undefined, request: FastifyRequest): GoodToken | undefined {
  const [, nonce, given, index] = /^([\w-]{16})\.([\w-]{22})\.(\d{1,4})$/.exec(text ?? "") ?? [];
  if (nonce === undefined || given === undefined) return undefined;
  // The guest cookie counts too: the user may have signed in after the form was loaded.
  const secret = [sessionCookie, guestCookie]
    .flatMap((name) => cookieOf(request, name) ?? [])
    .find((one) => timingSafeEqual(Buffer.from(signed(nonce, one)), Buffer.from(given)));
  return secret === undefined ? undefined : { nonce: `${nonce}.${index}`, secret };
}
