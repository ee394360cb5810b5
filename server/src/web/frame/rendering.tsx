// Renders pages and sends them, with the headers that block foreign scripts.
import type { FastifyReply, FastifyRequest } from "fastify";
import { findOwnSaves } from "#community/collections/read.js";
import { countUnread } from "#community/notifications/read.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { noteView } from "#content/views/counters.js";
import { renderToString } from "#lib/jsx-runtime.js";
import { findSiteNotice, isShown } from "#operations/administration/site-notice.js";
import { entityTag, ReadyAnswer, sendReady } from "#platform/http/answers.js";
import { variesBy } from "#platform/http/constant-headers.js";
import { readCookie, sessionCookie } from "#platform/http/cookies.js";
import type { Call } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { endpointOf, routePathOf } from "#platform/http/router.js";
import { anonymous, holdsAll, type Viewer } from "#platform/http/viewer.js";
import { renderMarkdown } from "#platform/markdown/render.js";
import { picturesInTexts } from "#platform/pictures/in-texts.js";
import { speculationRulesPath } from "#web/assets/assets.js";
import { FormTokens, formSecret } from "#web/context/form-token.js";
import type { Frame } from "#web/context/frame.js";
import { pathOf } from "#web/context/paths.js";
import {
  defaultTheme,
  densityOf,
  localeOf,
  lookOf,
  nameSetup,
  noPreferences,
  setupOf,
  themeOf,
  viewsOf,
} from "#web/context/preferences.js";
import { includedTypes, projectTypes } from "#web/context/project-types.js";
import { tagName } from "#web/context/tag-names.js";
import { renderGuestPage } from "./guest-page.js";
import { Head, Layout, type Page } from "./layout.js";
import { keptForPages, lastParts, loadParts, pageCacheFor, type SharedParts } from "./page-cache.js";
import { listTypesInUse } from "./types-in-use.js";

export const pageType = "text/html; charset=utf-8";

/** `cdnUrl`: the origin of pictures. `formTarget`: where forms may lead besides this site. */
export const pageHeaders = ({ cdnUrl }: { cdnUrl: string }, formTarget?: string): Record<string, string> => ({
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    `img-src 'self' data: ${new URL(cdnUrl).origin}`,
    // No document of this site can be framed, except the players of videos (pages/site/video-player.ts).
    "frame-src 'self'",
    "manifest-src 'self'",
    ["form-action 'self'", formTarget].filter(Boolean).join(" "),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "referrer-policy": "strict-origin-when-cross-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "cross-origin-opener-policy": "same-origin",
  "speculation-rules": `"${speculationRulesPath}"`,
  vary: `Accept-Language, ${variesBy}`,
});

/** Awaiting a reply that was already sent yields undefined, because a Fastify reply is a thenable. */
export const isPage = (value: Page | FastifyReply | undefined): value is Page =>
  value !== undefined && "content" in value;

export const renderPage = ({ content, ...meta }: Page, frame: Frame): string =>
  `<!doctype html>${renderToString(
    <Layout frame={frame} head={<Head {...meta} frame={frame} />} section={meta.section} search={meta.search}>
      {content}
    </Layout>,
    frame,
  )}`;

/** A frame that does not wait for the database, because that may be what failed. */
export const guestFrame = (request: FastifyRequest, resources: Resources): Frame => ({
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
  ...knownTypes(resources),
  unread: 0,
  now: resources.clock.now(),
  look: lookOf(request),
  logo: request.server.config.logo,
  siteUrl: resources.config.http.url,
  pictures: { pictureUrl: () => undefined },
});

/** The taxonomy in memory, or that of the last page. */
function knownTypes(resources: Resources): Pick<Frame, "types" | "typeSource" | "tagLookOf" | "loaderName"> {
  const last = lastParts(resources);
  const taxonomy = getTaxonomy.peek(resources) ?? last?.taxonomy;
  if (!taxonomy)
    return { types: projectTypes, typeSource: includedTypes, tagLookOf: () => undefined, loaderName: tagName };
  const { tagLookOf, loaderLabel, projectTypes: all } = taxonomy;
  const types = last?.taxonomy === taxonomy ? last.types : all;
  return { types, typeSource: taxonomy, tagLookOf, loaderName: loaderLabel };
}

/** The frame of a guest who has no cookies. */
export function plainFrame(
  resources: Resources,
  { taxonomy, types, notice }: SharedParts,
  page: Pick<Frame, "path" | "url" | "locale">,
): Frame {
  const { config, clock } = resources;
  const { look, logo, http } = config;
  return {
    ...{ ...page, ...noPreferences, types, notice, look, logo, siteUrl: http.url, now: clock.now() },
    theme: defaultTheme(look),
    viewer: anonymous,
    isPerhapsMember: false,
    setupName: "",
    loaderName: taxonomy.loaderLabel,
    typeSource: taxonomy,
    tagLookOf: taxonomy.tagLookOf,
    unread: 0,
    pictures: picturesInTexts(resources),
  };
}

/** The notice that is shown at present. */
async function noticeNow(resources: Resources): Promise<Frame["notice"]> {
  const notice = await findSiteNotice(resources);
  if (!notice || !isShown(notice, resources.clock.now())) return undefined;
  return { level: notice.level, html: await renderMarkdown(notice.text, resources.config.http) };
}

/** Loads what every page shows, such as the types in the header. */
export const loadShared = (resources: Resources): Promise<SharedParts> =>
  loadParts(resources, async () => ({
    taxonomy: await getTaxonomy(resources),
    types: await listTypesInUse(resources),
    notice: await noticeNow(resources),
  }));

export async function frameOf(request: FastifyRequest, viewer: Viewer, resources: Resources): Promise<Frame> {
  const { notice } = await loadShared(resources);
  const guest = guestFrame(request, resources);
  return {
    ...guest,
    notice,
    viewer,
    isPerhapsMember: false,
    setupName: nameSetup(guest.setup, guest.loaderName),
    unread: viewer.kind === "anonymous" ? 0 : await countUnread(resources.db, viewer.user.id),
    pictures: picturesInTexts(resources),
  };
}

type PageCall = Pick<Call, "request" | "reply" | "viewer" | "address">;

export async function sendPage(call: PageCall, resources: Resources, page: Page): Promise<FastifyReply> {
  const { html, makeTag } = await preparePage(call, resources, page);
  if (page.viewed !== undefined) noteView(call, resources, page.viewed);
  return sendReady(call.request, call.reply, new ReadyAnswer(Buffer.from(html), makeTag, "page"));
}

/** Sets the headers of the page and returns its HTML. The tag is the same if only the tokens of its forms differ. */
export async function preparePage(
  { request, reply, viewer: caller }: Omit<PageCall, "address">,
  resources: Resources,
  page: Page,
): Promise<{ html: string; makeTag: () => string }> {
  const viewer = page.isSignedOut ? anonymous : caller;
  const whole = await frameOf(request, viewer, resources);
  // The target of a form cannot be loaded by a link, and the query of a refused request may contain a secret.
  const isPlace = request.method === "GET" && (page.status ?? 200) < 400;
  const frame = isPlace ? whole : { ...whole, url: whole.path };
  reply
    .code(page.status ?? 200)
    .headers(pageHeaders(resources.config.http, page.formTarget))
    .type(pageType);
  const tokens = new FormTokens(formSecret(request, reply, viewer.kind === "session", resources), resources);
  const saves = await findSaves(viewer, resources, page.cards);
  const html = renderPage(page, { ...frame, saves, nextFormToken: () => tokens.next() });
  return { html, makeTag: () => entityTag(tokens.sameness(html, request)) };
}

/** The names of private collections need their scope, also inside of a page. */
async function findSaves(viewer: Viewer, { db }: Resources, cards: Page["cards"]): Promise<Frame["saves"]> {
  if (!cards || cards.length === 0 || viewer.kind === "anonymous") return undefined;
  return holdsAll(viewer, ["collection_read", "collection_write"])
    ? findOwnSaves(db, viewer.user.id, cards)
    : undefined;
}

/** Sends a page from the cache, or renders it and caches it for the next guest. */
export async function sendCachedPage(
  call: PageCall,
  resources: Resources,
  make: () => Promise<Page | FastifyReply>,
): Promise<FastifyReply> {
  const { request, reply } = call;
  const frame = await frameOf(request, call.viewer, resources);
  const cache = pageCacheFor(resources, frame);
  const headers = { ...pageHeaders(resources.config.http), "content-type": pageType };
  const known = cache?.find();
  if (known) {
    if (known.viewed !== undefined) noteView(call, resources, known.viewed);
    return sendReady(request, reply.headers(headers), known.answer);
  }
  const page = await make();
  if (!isPage(page)) return page;
  if (!cache || (page.status ?? 200) !== 200) return sendPage(call, resources, page);
  if (page.viewed !== undefined) noteView(call, resources, page.viewed);
  return sendReady(
    request,
    reply.headers(headers),
    cache.store(renderGuestPage(keptForPages(resources), page, frame), {
      ...page,
      route: routePathOf(request),
      rate: endpointOf(request)?.rate ?? "read",
    }),
  );
}
