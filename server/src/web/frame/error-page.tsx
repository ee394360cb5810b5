// Refusals and faults as HTML pages for browsers; programs get JSON (platform/http/errors.ts calls this first).

import type { FastifyReply, FastifyRequest } from "fastify";
import type { ErrorCode, Failure } from "#platform/errors.js";
import { findRefused, type Gate, knownSession } from "#platform/http/caller.js";
import type { ErrorPage } from "#platform/http/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { anonymous } from "#platform/http/viewer.js";
import { canonicalPath } from "#web/context/canonical-path.js";
import { FormTokens, formSecret } from "#web/context/form-token.js";
import { type Frame, useFrame } from "#web/context/frame.js";
import { pathOf, signInPath } from "#web/context/paths.js";
import { localeIn, localeOf, noteViewer } from "#web/context/preferences.js";
import { useTexts } from "#web/context/texts.js";
import { ButtonLink } from "#web/parts/button.js";
import { texts, textsIn } from "#words/texts.js";
import { confirmPath, hasDormantPowers, mightBeLifted } from "./confirmation.js";
import { frameOf, guestFrame, pageHeaders, renderPage } from "./rendering.js";

/** The paths that are for programs (decisions §1). */
const forPrograms = /^\/(?:api|cdn|maven|v2)(?:\/|$)/;

const wantsPage = (request: FastifyRequest): boolean =>
  !forPrograms.test(pathOf(request)) && (request.headers.accept ?? "").includes("text/html");

const isMissing = ({ code }: Failure, request: FastifyRequest): boolean =>
  code === "notFound" && ["GET", "HEAD"].includes(request.method);

export const errorPage =
  (resources: Resources, gate: Gate): ErrorPage =>
  async (failure, request, reply) => {
    if (!wantsPage(request)) return undefined;
    const spelledWell = isMissing(failure, request) ? canonicalPath(request.url) : undefined;
    if (spelledWell !== undefined) return { location: spelledWell, status: 301 };
    // Guests are redirected to the sign-in page, which leads back here, in the language that the URL names.
    if (failure.code === "signInNeeded" && request.method === "GET") {
      const lang = localeIn(request.url);
      return { location: signInPath(request.url) + (lang ? `&lang=${lang}` : "") };
    }
    if (failure.code === "confirmationNeeded" && request.method === "GET")
      return { location: confirmPath(request.url) };
    const { url } = resources.config.http;
    const frame = await frameFor(failure, request, reply, resources, gate);
    const isGuest = frame.viewer.kind === "anonymous" && !frame.isPerhapsMember;
    const confirm =
      hasDormantPowers(request) && mightBeLifted(failure) ? confirmPath(placeOf(request, url)) : undefined;
    const title = titleOf(failure, textsIn(texts.frame.error, frame.locale));
    const signIn = isGuest && request.method === "GET" && failure.status === 404 ? signInPath(request.url) : undefined;
    const mayPass = request.method === "GET" && (failure.status === 429 || failure.status >= 500);
    const props = { title, failure, signIn, confirm, mayPass, requestId: request.id, siteUrl: url };
    const html = renderPage({ title, content: <Explanation {...props} /> }, frame);
    return { html, headers: pageHeaders(resources.config.http) };
  };

/**
 * The frame of the user who sent the request. It repeats nothing of the URL, because the URL itself may be malicious. After
 * a fault, and for a caller who sends too much, it asks the database nothing.
 */
async function frameFor(
  { status }: Failure,
  request: FastifyRequest,
  reply: FastifyReply,
  resources: Resources,
  gate: Gate,
): Promise<Frame> {
  const guest = guestFrame(request, resources);
  const mayQuery = status < 500 && status !== 429;
  const found = mayQuery ? await findRefused(request, gate).catch(() => undefined) : knownSession(request);
  // Pages are for sessions: a token has no header.
  const viewer = found?.kind === "token" ? anonymous : found;
  const tokens = new FormTokens(formSecret(request, reply, viewer?.kind === "session", resources), resources);
  const own = { path: "", url: "/", nextFormToken: () => tokens.next() };
  if (!viewer) return { ...guest, ...own };
  noteViewer(request, viewer);
  const whole = mayQuery ? await frameOf(request, viewer, resources).catch(() => undefined) : undefined;
  return { ...(whole ?? { ...guest, locale: localeOf(request), viewer, isPerhapsMember: false }), ...own };
}

/** The page to return to: the requested one, or the page with the form that was sent. */
function placeOf({ method, url, headers }: FastifyRequest, siteUrl: string): string {
  if (method === "GET") return url;
  const from = URL.parse(headers.referer ?? "");
  return from?.origin === new URL(siteUrl).origin ? from.pathname + from.search : "/";
}

type Texts = ReturnType<typeof textsIn<(typeof texts.frame.error)["en"]>>;
type Kind = keyof Texts["missing"];
type Cause = keyof Texts["cause"];

/** The kind of thing that is missing, by refusal. */
const kinds: Partial<Record<ErrorCode, Kind>> = {
  projectNotFound: "project",
  versionNotFound: "version",
  userNotFound: "user",
  organizationNotFound: "organization",
  collectionNotFound: "collection",
  reportNotFound: "report",
};

const causes: Record<Kind, readonly Cause[]> = {
  project: ["typed", "renamedProject", "hidden", "takenDown"],
  version: ["typed", "hidden", "takenDown"],
  user: ["typed", "renamed", "deletedUser"],
  organization: ["typed", "renamed", "takenDown"],
  collection: ["typed", "hidden", "takenDown"],
  report: ["typed", "othersReport"],
  page: ["typed", "hidden", "takenDown"],
};

/** Things that may be hidden from guests, so that signing in may help. An unknown path is not one of them. */
const canBeHidden = (kind: Kind): boolean => kind !== "page" && (causes[kind].includes("hidden") || kind === "report");

const kindOf = ({ code }: Failure): Kind => kinds[code] ?? "page";

function titleOf(failure: Failure, t: Texts): string {
  if (failure.status === 404) return t.missing[kindOf(failure)];
  const titles: Record<number, string> = t.titles;
  return titles[failure.status] ?? (failure.status < 500 ? t.titles[400] : t.titles[500]);
}

interface Props {
  title: string;
  failure: Failure;
  /** The sign-in page, if signing in may help. */
  signIn: string | undefined;
  /** The confirmation page, if that may help: the caller is staff, and their powers are not in force. */
  confirm: string | undefined;
  /** Whether the same page may work a moment later. */
  mayPass: boolean;
  requestId: string;
  siteUrl: string;
}

const Explanation = ({ title, failure, signIn, confirm, mayPass, requestId, siteUrl }: Props) => {
  const t = useTexts(texts.frame.error);
  // Other refusals with status 404 explain themselves.
  const isMissing = failure.code === "notFound" || failure.code in kinds;
  return (
    <div class="stack narrow">
      <p class="error-code">{failure.status}</p>
      <h1>{title}</h1>
      {isMissing ? <Causes kind={kindOf(failure)} /> : <Advice failure={failure} siteUrl={siteUrl} />}
      <p class="actions">
        {confirm && (
          <ButtonLink href={confirm} rel="nofollow">
            {t.confirm}
          </ButtonLink>
        )}
        {isMissing && <ButtonLink href="/search">{t.search}</ButtonLink>}
        {signIn && canBeHidden(kindOf(failure)) && (
          <ButtonLink kind="quiet" href={signIn} rel="nofollow">
            {t.signIn}
          </ButtonLink>
        )}
        {failure.code === "projectBarred" && (
          <ButtonLink kind="quiet" href="/legal/copyright">
            {t.aboutClaims}
          </ButtonLink>
        )}
        {/* An empty address is that of the page itself. */}
        {mayPass && (
          <ButtonLink href="" rel="nofollow">
            {t.retry}
          </ButtonLink>
        )}
        {failure.status >= 500 && (
          <ButtonLink kind={mayPass ? "quiet" : undefined} href="/status">
            {t.status}
          </ButtonLink>
        )}
        <ButtonLink kind="quiet" href="/">
          {t.start}
        </ButtonLink>
      </p>
      <p class="muted small">
        {t.requestId} <code>{requestId}</code>
      </p>
    </div>
  );
};

const Causes = ({ kind }: { kind: Kind }) => {
  const t = useTexts(texts.frame.error);
  return (
    <div>
      <p>{t.causes}</p>
      <ul class="bullets">
        {causes[kind].map((cause) => (
          <li key={cause}>{t.cause[cause]}</li>
        ))}
      </ul>
    </div>
  );
};

const Advice = ({ failure, siteUrl }: Pick<Props, "failure" | "siteUrl">) => {
  const t = useTexts(texts.frame.error);
  const { locale } = useFrame();
  const { code, status, message } = failure;
  if (code === "originRefused")
    return (
      <p>
        {t.otherOrigin} <a href={siteUrl}>{siteUrl}</a>
      </p>
    );
  if (status === 429) return <p>{t.wait(failure.headers["retry-after"] ?? /\d+/.exec(message)?.[0] ?? "60")}</p>;
  if (status >= 500) return <p>{status === 503 ? t.unavailable : t.fault}</p>;
  return (
    <>
      {code === "permissionMissing" && <p>{t.noPermission}</p>}
      <p>{failure.in(locale)}</p>
    </>
  );
};
