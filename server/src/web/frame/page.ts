// Makes routes of pages and of the forms on them.
import type { FastifyReply } from "fastify";
import Type, { type TObject } from "typebox";
import { sendText } from "#platform/http/answers.js";
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
} from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { needRole, type SignedIn, type Viewer } from "#platform/http/viewer.js";
import { anyTexts } from "#web/context/form.js";
import { beginFormRound, formTokenField, needsToken, readFormToken } from "#web/context/form-token.js";
import { movedTo } from "#web/context/paths.js";
import { localeParameter, noteViewer } from "#web/context/preferences.js";
import type { Locale } from "#words/languages.js";
import {
  checkBeforeForm,
  confirmationFields,
  noteDormantPowers,
  splitConfirmation,
  withConfirmation,
} from "./confirmation.js";
import { answerOnce, type FormAnswer } from "./form-once.js";
import { signedOutPage, staleFormPage } from "./given-back.js";
import type { Page } from "./layout.js";
import { isPage, pageHeaders, pageType, preparePage, sendCachedPage, sendPage } from "./rendering.js";

export const aPage: RawAnswer = { raw: "text/html", description: "A page" };

interface PageSpec extends Pick<EndpointSpec, "id" | "path" | "access" | "summary" | "errors" | "cacheControl"> {
  params?: TObject;
  query?: TObject;
  rate?: EndpointSpec["rate"];
  /** The path matches URLs that are not pages. The handler refuses those, and redirects URLs with a final slash itself. */
  matchesAny?: true;
  /**
   * Caches the page for all guests until something in the catalogue changes, without parameters and with these.
   * Requests with other parameters are not cached: they would store one page under any number of URLs.
   */
  cacheParameters?: readonly string[];
}

/** The argument of a handler, with the types of its spec. */
type CallOf<S extends FormSpec> = Omit<Call, "params" | "query" | "body" | "staged" | "files" | "viewer"> & {
  params: Parsed<S["params"]>;
  query: Parsed<S["query"]>;
  body: Parsed<S["body"]>;
  files: Partial<Record<keyof NonNullable<S["files"]> & string, UploadedFile>>;
  staged: Record<keyof NonNullable<S["files"]> & string, StagedFile[]>;
  viewer: ViewerFor<S["access"]>;
};

/** A page that is read by GET. The handler returns the page or a redirect. */
export const pageRoute = <const S extends PageSpec>(
  { cacheParameters, matchesAny, ...spec }: S,
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
      const { request, reply } = call;
      if (request.originalUrl !== request.url && !matchesAny) return movedTo(reply, request.url);
      noteCaller(call);
      const make = () => handle(call as unknown as CallOf<S>, resources);
      const given = Object.keys(call.request.query as object);
      if (cacheParameters && given.every((name) => name === localeParameter || cacheParameters.includes(name)))
        return sendCachedPage(call, resources, make);
      const result = await make();
      return isPage(result) ? sendPage(call, resources, result) : result;
    },
  );

interface FormSpec extends PageSpec, Pick<EndpointSpec, "files" | "streams" | "setsCookie" | "givesBack"> {
  body?: TObject;
  /** It creates something: if the same form is sent twice, this happens once, and both get the same answer. */
  once?: true;
}

type FormHandler<S extends FormSpec> = (call: CallOf<S>, resources: Resources) => Promise<Page | FastifyReply>;

/** A form that is sent by POST. The handler returns the page again, or a redirect to the next one (seeOther). */
export const formRoute = <const S extends FormSpec>(
  { once, ...spec }: S,
  handle: FormHandler<S>,
  options: {
    before?: (call: Omit<CallOf<S>, "body" | "staged">, resources: Resources) => Promise<void>;
    /** Answers some callers before the form is processed. */
    instead?: (call: Call) => Page | undefined;
  } = {},
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
      body: withTokenField(spec.body),
    } as EndpointSpec),
    async (call, resources) => {
      noteCaller(call);
      const { [formTokenField]: sent, ...fields } = call.body as Record<string, unknown>;
      const { given: confirmation, rest: body } = splitConfirmation(fields);
      const given: Call = { ...call, body: body as never };
      const instead = options.instead?.(given);
      if (instead) return sendPage(call, resources, instead);
      const token = readFormToken(String([sent].flat()[0]), call.request);
      if (!token && needsToken(spec.path) && canBeForeign(call)) return sendPage(call, resources, staleFormPage(given));
      const act = (as: Call) => {
        needRole(as.viewer, spec.access);
        return handle(as as unknown as CallOf<S>, resources);
      };
      const work = () => withConfirmation(given, resources, confirmation, act);
      if (once && token)
        return sendOnce(given, resources, (answer) => answerOnce(given, resources, token, answer), work);
      const result = await work();
      return isPage(result) ? sendPage(call, resources, result) : result;
    },
    {
      before: async (call, resources) => {
        await checkBeforeForm(call, async () => {
          // Guests get the form back after it has arrived.
          if (call.viewer.kind !== "anonymous") needRole(call.viewer, spec.access);
          await options.before?.(call as never, resources);
        });
      },
    },
  );

function noteCaller({ request, viewer }: Call): void {
  noteViewer(request, viewer);
  noteDormantPowers(request, viewer);
}

const withTokenField = (body: TObject = Type.Object({})): TObject => ({
  ...body,
  properties: { ...confirmationFields, ...body.properties, [formTokenField]: anyTexts },
});

/**
 * Whether a page of another site could have sent this request. It could send neither a token nor JSON: for JSON the
 * browser would ask this site first (CORS), and be refused.
 */
const canBeForeign = ({ viewer, request }: Call): boolean =>
  viewer.kind !== "token" && !request.headers["content-type"]?.toLowerCase().startsWith("application/json");

async function sendOnce(
  call: Call,
  resources: Resources,
  once: (answer: () => Promise<FormAnswer | undefined>) => ReturnType<typeof answerOnce>,
  work: () => Promise<Page | FastifyReply>,
): Promise<FastifyReply> {
  const { request, reply } = call;
  const before = await once(async () => {
    beginFormRound(reply, resources);
    const result = await work();
    const html = isPage(result) ? (await preparePage(call, resources, result)).html : undefined;
    const status = reply.statusCode;
    const [location, cookies] = [reply.getHeader("location"), [reply.getHeader("set-cookie") ?? []].flat().map(String)];
    if (html !== undefined) await sendText(request, reply, html);
    return status >= 400 ? undefined : { status, cookies, ...(html ? { html } : { location: String(location) }) };
  });
  if (!before) return reply;
  const { status, location, cookies = [], html } = before.repeated;
  reply.code(status).header("idempotent-replayed", "true");
  if (cookies.length > 0) reply.header("set-cookie", cookies);
  if (html === undefined) return reply.header("location", location).send();
  return sendText(request, reply.headers(pageHeaders(resources.config.http)).type(pageType), html);
}

/**
 * As formRoute, for forms that only members can send. A member whose session has ended gets back what they typed, to
 * send it again after signing in; the route itself is therefore open to all.
 */
export const memberFormRoute = <const S extends FormSpec>(
  spec: S,
  handle: (
    call: Omit<CallOf<S>, "viewer"> & { viewer: SignedIn },
    resources: Resources,
  ) => Promise<Page | FastifyReply>,
  options: {
    before?: (call: MemberCall<S>, resources: Resources) => Promise<void>;
    /** Explains why guests cannot send this form, if they can see it. */
    guestLead?: (locale: Locale) => string;
  } = {},
): Route =>
  formRoute(
    { ...spec, givesBack: true },
    async (call, resources) => handle({ ...call, viewer: call.viewer as SignedIn }, resources),
    {
      instead: (call) => (call.viewer.kind === "anonymous" ? signedOutPage(call, options.guestLead) : undefined),
      before: async (call, resources) => {
        const viewer: Viewer = call.viewer;
        if (viewer.kind !== "anonymous") await options.before?.({ ...call, viewer } as MemberCall<S>, resources);
      },
    },
  );

type MemberCall<S extends FormSpec> = Omit<CallOf<S>, "body" | "staged" | "viewer"> & { viewer: SignedIn };
