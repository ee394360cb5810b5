// Pages and the forms on them as routes: rendered at once, with the headers that keep other people's script out of them.
import type { FastifyReply, FastifyRequest } from "fastify";
import { renderToString } from "preact-render-to-string";
import type { TObject } from "typebox";
import { findSiteNotice, isShown } from "../administration/site-notice.js";
import { fail } from "../errors.js";
import { sendReady, sendText } from "../http/answers.js";
import {
  type Call,
  type EndpointSpec,
  endpoint,
  type Parsed,
  type RawAnswer,
  type Route,
  route,
  type StagedFile,
  type UploadedFile,
  type ViewerFor,
} from "../http/endpoint.js";
import type { Resources } from "../http/resources.js";
import { anonymous, type SignedIn, type Viewer } from "../http/viewer.js";
import { countUnread } from "../notifications/read.js";
import type { Frame } from "./frame.js";
import { keptPlace } from "./kept-pages.js";
import { Layout, type Page } from "./layout.js";
import { renderMarkdown } from "./markdown/render.js";
import { pathOf } from "./paths.js";
import { localeOf, setupOf, themeOf } from "./preferences.js";
import { signedOutPage } from "./signed-out.js";

export const pageType = "text/html; charset=utf-8";

/** What the endpoint of a page answers. */
export const aPage: RawAnswer = { raw: "text/html", description: "A page" };

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
});

const isPage = (value: Page | FastifyReply): value is Page => "content" in value;

export const renderPage = ({ content, ...meta }: Page, frame: Frame): string =>
  `<!doctype html>${renderToString(
    <Layout {...meta} frame={frame}>
      {content}
    </Layout>,
  )}`;

/** For somebody who is not looked up: who he is may be exactly what failed. */
export const guestFrame = (request: FastifyRequest, siteUrl: string, now: number): Frame => ({
  theme: themeOf(request),
  locale: localeOf(request),
  viewer: anonymous,
  path: pathOf(request),
  url: request.url,
  setup: setupOf(request),
  unread: 0,
  now,
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
  const unread = viewer.kind === "anonymous" ? 0 : await countUnread(db, viewer.user.id);
  return { ...guestFrame(request, config.http.url, clock.now()), viewer, unread, notice: await noticeNow(resources) };
}

type PageCall = Pick<Call, "request" | "reply" | "viewer">;

export async function sendPage({ request, reply, viewer }: PageCall, resources: Resources, page: Page) {
  const whole = await frameOf(request, viewer, resources);
  // Where a form was sent to is no place to come back to, and the query of what was refused may hold a secret.
  const isPlace = request.method === "GET" && (page.status ?? 200) < 400;
  const frame = isPlace ? whole : { ...whole, url: whole.path };
  reply
    .code(page.status ?? 200)
    .headers(pageHeaders(resources.config.http))
    .type(pageType);
  return sendText(request, reply, renderPage(page, frame));
}

/** The page as another guest got it a moment ago, or made now and kept for the next one. */
async function sendKeptPage(
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
  return sendReady(request, reply.headers(headers), place.keep(renderPage(page, frame)));
}

interface PageSpec extends Pick<EndpointSpec, "id" | "path" | "access" | "summary" | "errors" | "cacheControl"> {
  params?: TObject;
  query?: TObject;
  rate?: EndpointSpec["rate"];
  /** It is the same for all guests until something in the catalogue changes, and is kept for them that long. */
  isKept?: true;
}

/** What a handler is told, with the types that its spec says. */
type CallOf<S extends FormSpec> = Omit<Call, "params" | "query" | "body" | "staged" | "files" | "viewer"> & {
  params: Parsed<S["params"]>;
  query: Parsed<S["query"]>;
  body: Parsed<S["body"]>;
  files: Partial<Record<keyof NonNullable<S["files"]> & string, UploadedFile>>;
  staged: Record<keyof NonNullable<S["files"]> & string, StagedFile[]>;
  viewer: ViewerFor<S["access"]>;
};

/** A page that is read. The handler answers with it, or sends the visitor elsewhere. */
export const pageRoute = <const S extends PageSpec>(
  { isKept, ...spec }: S,
  handle: (call: CallOf<S>, resources: Resources) => Promise<Page | FastifyReply>,
): Route =>
  route(
    endpoint({
      method: "GET",
      rate: "read",
      tag: "Website",
      answer: aPage,
      cacheControl: "private, no-cache",
      internal: true,
      ...spec,
    } as EndpointSpec),
    async (call, resources) => {
      const make = () => handle(call as unknown as CallOf<S>, resources);
      if (isKept) return sendKeptPage(call, resources, make);
      const result = await make();
      return isPage(result) ? sendPage(call, resources, result) : result;
    },
  );

interface FormSpec extends PageSpec, Pick<EndpointSpec, "files" | "streams" | "setsCookie"> {
  body?: TObject;
}

/** A form that is sent: the handler answers with the page again, or with what comes next (seeOther). */
export const formRoute = <const S extends FormSpec>(
  spec: S,
  handle: (call: CallOf<S>, resources: Resources) => Promise<Page | FastifyReply>,
  options: { before?: (call: Omit<CallOf<S>, "body" | "staged">, resources: Resources) => Promise<void> } = {},
): Route =>
  route(
    endpoint({
      method: "POST",
      rate: "write",
      tag: "Website",
      answer: aPage,
      cacheControl: "no-store",
      internal: true,
      htmlForm: true,
      ...spec,
    } as EndpointSpec),
    async (call, resources) => {
      const result = await handle(call as unknown as CallOf<S>, resources);
      return isPage(result) ? sendPage(call, resources, result) : result;
    },
    { before: options.before as never },
  );

/**
 * As formRoute, for forms that only somebody who is signed in can send. Whose session has ended in the middle of it gets
 * what he typed back, to send it again once he has signed in; so the route itself is open to all.
 */
export const memberFormRoute = <const S extends FormSpec>(
  spec: S,
  handle: (
    call: Omit<CallOf<S>, "viewer"> & { viewer: SignedIn },
    resources: Resources,
  ) => Promise<Page | FastifyReply>,
  options: { before?: (call: MemberCall<S>, resources: Resources) => Promise<void> } = {},
): Route =>
  formRoute(
    spec,
    async (call, resources) => {
      const viewer: Viewer = call.viewer;
      return viewer.kind === "anonymous" ? signedOutPage(call) : handle({ ...call, viewer }, resources);
    },
    {
      // What somebody typed is given back to him; a large file is not taken from everybody for that.
      before: async (call, resources) => {
        const viewer: Viewer = call.viewer;
        if (viewer.kind !== "anonymous") return options.before?.({ ...call, viewer } as MemberCall<S>, resources);
        const length = Number(call.request.headers["content-length"] ?? Number.POSITIVE_INFINITY);
        if (length > givenBackBytes) throw fail.signInNeeded();
      },
    },
  );

type MemberCall<S extends FormSpec> = Omit<CallOf<S>, "body" | "staged" | "viewer"> & { viewer: SignedIn };

const givenBackBytes = 1024 * 1024;
