// Sends pages: rendered at once, with the headers that keep other people's script out of them.
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";
import { sendText } from "../http/answers.js";
import { readCookie } from "../http/cookies.js";
import type { Call, RawAnswer } from "../http/endpoint.js";
import { type Frame, Layout, type PageMeta, type Theme } from "./layout.js";

export const themeCookie = "theme";

export const pageType = "text/html; charset=utf-8";

/** What the endpoint of a page answers. */
export const aPage: RawAnswer = { raw: "text/html", description: "A page" };

export const pageHeaders: Record<string, string> = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "referrer-policy": "strict-origin-when-cross-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "cross-origin-opener-policy": "same-origin",
};

export interface Page extends PageMeta {
  status?: number;
  content: ComponentChildren;
}

export function themeOf(request: FastifyRequest): Theme {
  const chosen = readCookie(request.headers.cookie, themeCookie);
  return chosen === "light" || chosen === "dark" ? chosen : undefined;
}

export const renderPage = ({ content, ...meta }: Page, frame: Frame): string =>
  `<!doctype html>${renderToString(
    <Layout {...meta} frame={frame}>
      {content}
    </Layout>,
  )}`;

export function sendPage({ request, reply, viewer }: Pick<Call, "request" | "reply" | "viewer">, page: Page) {
  const frame = { theme: themeOf(request), viewer, path: pathOf(request) };
  reply
    .code(page.status ?? 200)
    .headers(pageHeaders)
    .type(pageType);
  return sendText(request, reply, renderPage(page, frame));
}

export const pathOf = (request: FastifyRequest): string => request.url.split("?", 1)[0]!;

/** After a form did its work: the browser asks for another page, so that a reload does nothing twice. */
export const seeOther = (reply: FastifyReply, path: string): FastifyReply => reply.redirect(path, 303);
