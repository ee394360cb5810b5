// Makes the text of pages and sends it, with the headers that keep other people's script out of them.
import type { FastifyReply, FastifyRequest } from "fastify";
import { renderToString } from "preact-render-to-string";
import { countUnread } from "#community/notifications/read.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { findSiteNotice, isShown } from "#operations/administration/site-notice.js";
import { sendReady, sendText } from "#platform/http/answers.js";
import { endpointOf } from "#platform/http/arrival.js";
import { readCookie, sessionCookie } from "#platform/http/cookies.js";
import type { Call } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { variesBy } from "#platform/http/standing-headers.js";
import { anonymous, type Viewer } from "#platform/http/viewer.js";
import { speculationRulesPath } from "#web/assets/assets.js";
import { formSecret, formTokens } from "#web/context/form-token.js";
import type { Frame } from "#web/context/frame.js";
import { pathOf } from "#web/context/paths.js";
import { densityOf, localeOf, lookOf, nameSetup, setupOf, themeOf, viewsOf } from "#web/context/preferences.js";
import { projectTypes } from "#web/context/project-types.js";
import { tagName } from "#web/context/tag-names.js";
import { renderMarkdown } from "#web/markdown/render.js";
import { keptPlace } from "./kept-pages.js";
import { Layout, type Page } from "./layout.js";
import { listTypesInUse } from "./types-in-use.js";

export const pageType = "text/html; charset=utf-8";

/** `cdnUrl`: pictures come from there. */
export const pageHeaders = ({ cdnUrl }: { cdnUrl: string }): Record<string, string> => ({
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    `img-src 'self' data: ${new URL(cdnUrl).origin}`,
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "referrer-policy": "strict-origin-when-cross-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "cross-origin-opener-policy": "same-origin",
  "speculation-rules": `"${speculationRulesPath}"`,
  vary: `Accept-Language, ${variesBy}`,
});

/** A reply that was awaited on the way is nothing any more: Fastify makes promises of them. */
export const isPage = (value: Page | FastifyReply | undefined): value is Page =>
  value !== undefined && "content" in value;

export const renderPage = ({ content, ...meta }: Page, frame: Frame): string =>
  `<!doctype html>${renderToString(
    <Layout {...meta} frame={frame}>
      {content}
    </Layout>,
  )}`;

/** For somebody who is not looked up: who he is may be exactly what failed. */
export const guestFrame = (request: FastifyRequest, siteUrl: string, now: number): Frame => ({
  theme: themeOf(request),
  density: densityOf(request),
  views: viewsOf(request),
  locale: localeOf(request),
  viewer: anonymous,
  isPerhapsMember: readCookie(request.headers.cookie, sessionCookie) !== undefined,
  path: pathOf(request),
  url: request.url,
  setup: setupOf(request),
  setupName: nameSetup(setupOf(request), tagName),
  loaderName: tagName,
  types: projectTypes,
  unread: 0,
  now,
  look: lookOf(request),
  logo: request.server.config.logo,
  siteUrl,
});

/** What the administrators have to say at this moment. */
async function noticeNow(resources: Resources): Promise<Frame["notice"]> {
  const notice = await findSiteNotice(resources);
  if (!notice || !isShown(notice, resources.clock.now())) return undefined;
  return { level: notice.level, html: await renderMarkdown(notice.text, resources.config.http) };
}

async function frameOf(request: FastifyRequest, viewer: Viewer, resources: Resources): Promise<Frame> {
  const { db, clock, config } = resources;
  const guest = guestFrame(request, config.http.url, clock.now());
  const { loaderLabel } = await getTaxonomy(resources);
  return {
    ...guest,
    viewer,
    isPerhapsMember: false,
    setupName: nameSetup(guest.setup, loaderLabel),
    loaderName: loaderLabel,
    types: await listTypesInUse(resources),
    unread: viewer.kind === "anonymous" ? 0 : await countUnread(db, viewer.user.id),
    notice: await noticeNow(resources),
  };
}

type PageCall = Pick<Call, "request" | "reply" | "viewer">;

export async function sendPage(call: PageCall, resources: Resources, page: Page): Promise<FastifyReply> {
  const html = await preparePage(call, resources, page);
  return sendText(call.request, call.reply, html);
}

/** Sets the headers of the page and makes its text. */
export async function preparePage(
  { request, reply, viewer: caller }: PageCall,
  resources: Resources,
  page: Page,
): Promise<string> {
  const viewer = page.isSignedOut ? anonymous : caller;
  const whole = await frameOf(request, viewer, resources);
  // Where a form was sent to is no place to come back to, and the query of what was refused may hold a secret.
  const isPlace = request.method === "GET" && (page.status ?? 200) < 400;
  const frame = isPlace ? whole : { ...whole, url: whole.path };
  reply
    .code(page.status ?? 200)
    .headers(pageHeaders(resources.config.http))
    .type(pageType);
  const secret = formSecret(request, reply, viewer.kind === "session", resources);
  return renderPage(page, { ...frame, nextFormToken: formTokens(secret, resources) });
}

/** The page as another guest got it a moment ago, or made now and kept for the next one. */
export async function sendKeptPage(
  call: PageCall,
  resources: Resources,
  make: () => Promise<Page | FastifyReply>,
): Promise<FastifyReply> {
  const { request, reply } = call;
  const frame = await frameOf(request, call.viewer, resources);
  const place = keptPlace(resources, frame);
  const headers = { ...pageHeaders(resources.config.http), "content-type": pageType };
  const known = place?.find();
  if (known) return sendReady(request, reply.headers(headers), known);
  const page = await make();
  if (!isPage(page)) return page;
  if (!place || (page.status ?? 200) !== 200) return sendPage(call, resources, page);
  return sendReady(
    request,
    reply.headers(headers),
    place.keep(renderPage(page, frame), request.routeOptions.url ?? "none", endpointOf(request)?.rate ?? "read"),
  );
}
