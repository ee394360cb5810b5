// Cookies: reads the header, and writes Set-Cookie with the flags of decisions §4.
import type { FastifyReply } from "fastify";

export const sessionCookie = "auth-token";

/** The first cookie with that name; this server never sets it twice. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (!header) return undefined;
  for (const part of header.split(";")) {
    const equals = part.indexOf("=");
    if (equals > 0 && part.slice(0, equals).trim() === name)
      return part
        .slice(equals + 1)
        .trim()
        .replace(/^"|"$/g, "");
  }
  return undefined;
}

export interface CookieOptions {
  maxAgeSeconds: number;
  secure: boolean;
  path?: string;
}

/** Replaces an earlier Set-Cookie of this answer for the same name: with two, it is not certain which one counts. */
export function setCookie(reply: FastifyReply, name: string, value: string, options: CookieOptions): void {
  const others = [reply.getHeader("set-cookie") ?? []].flat().filter((text) => !String(text).startsWith(`${name}=`));
  reply.removeHeader("set-cookie");
  reply.header("set-cookie", [...others, cookie(name, value, options)]);
}

/** HttpOnly, SameSite=Lax, host-only; Secure if the site uses https. */
export function cookie(name: string, value: string, options: CookieOptions): string {
  const parts = [
    `${name}=${value}`,
    `Path=${options.path ?? "/"}`,
    `Max-Age=${options.maxAgeSeconds}`,
    "HttpOnly",
    "SameSite=Lax",
  ];
  if (options.secure) parts.push("Secure");
  return parts.join("; ");
}
