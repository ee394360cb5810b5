// Paths of the site: the one that was requested, and those that a visitor may be redirected to.
import type { FastifyReply, FastifyRequest } from "fastify";
import { safeNext } from "#platform/http/next-path.js";

export { safeNext };

export const pathOf = (request: FastifyRequest): string => request.url.split("?", 1)[0]!;

/**
 * The answer after a form has done its work: the browser loads another page, so that a reload does not send the form
 * again.
 */
export const seeOther = (reply: FastifyReply, path: string): FastifyReply => reply.redirect(path, 303);

/** For paths that have changed permanently. */
export const movedTo = (reply: FastifyReply, path: string): FastifyReply => reply.redirect(path, 301);

export const signInPath = (next: string): string => `/auth/sign-in?next=${encodeURIComponent(safeNext(next))}`;

/** For actions that need a recent sign-in. */
export const signInAgainPath = (next: string): string => signInPath(next).replace("?", "?again=1&");
