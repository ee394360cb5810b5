// Addresses of the site: where a visitor is, and where he may be sent.
import type { FastifyReply, FastifyRequest } from "fastify";
import { safeNext } from "#platform/http/next-path.js";

export { safeNext };

export const pathOf = (request: FastifyRequest): string => request.url.split("?", 1)[0]!;

/** After a form did its work: the browser asks for another page, so that a reload does nothing twice. */
export const seeOther = (reply: FastifyReply, path: string): FastifyReply => reply.redirect(path, 303);

/** For addresses that have changed for good. */
export const movedTo = (reply: FastifyReply, path: string): FastifyReply => reply.redirect(path, 301);

export const signInPath = (next: string): string => `/auth/sign-in?next=${encodeURIComponent(safeNext(next))}`;

/** For acts that need a sign-in of just now. */
export const signInAgainPath = (next: string): string => signInPath(next).replace("?", "?again=1&");
