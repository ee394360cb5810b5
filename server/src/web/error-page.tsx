// Refusals and faults as pages, for people; programs get the JSON shape (http/errors.ts asks here first).
import type { FastifyRequest } from "fastify";
import type { Failure } from "../errors.js";
import type { ErrorPage } from "../http/errors.js";
import { anonymous } from "../http/viewer.js";
import { pageHeaders, pathOf, renderPage, themeOf } from "./page.js";

const titles: Record<number, string> = {
  400: "This request does not fit",
  401: "Please sign in",
  403: "This is not allowed",
  404: "There is nothing here",
  405: "This does not work that way",
  409: "This cannot be done now",
  413: "This is too large",
  429: "Too many requests",
};

/** The faces of decisions §1 that are for programs. */
const forPrograms = /^\/(?:api|cdn|maven)(?:\/|$)/;

const wantsPage = (request: FastifyRequest): boolean =>
  !forPrograms.test(pathOf(request)) && (request.headers.accept ?? "").includes("text/html");

export const errorPage =
  (siteUrl: string): ErrorPage =>
  (failure, request) => {
    if (!wantsPage(request)) return undefined;
    const title = titles[failure.status] ?? (failure.status < 500 ? titles[400]! : "Something went wrong here");
    const html = renderPage(
      { title, content: <Explanation title={title} failure={failure} requestId={request.id} siteUrl={siteUrl} /> },
      // Whoever asks is not looked up: the fault may lie in exactly that.
      { theme: themeOf(request), viewer: anonymous, path: "" },
    );
    return { html, headers: pageHeaders };
  };

interface Props {
  title: string;
  failure: Failure;
  requestId: string;
  siteUrl: string;
}

const Explanation = ({ title, failure, requestId, siteUrl }: Props) => (
  <div class="stack narrow">
    <p class="code">{failure.status}</p>
    <h1>{title}</h1>
    <Advice failure={failure} siteUrl={siteUrl} />
    <p>
      <a href="/">Go to the start page</a>
    </p>
    <p class="muted small">
      Request id, should you ask somebody for help: <code>{requestId}</code>
    </p>
  </div>
);

const Advice = ({ failure, siteUrl }: Pick<Props, "failure" | "siteUrl">) => {
  if (failure.code === "notFound")
    return <p>The address may be mistyped, or what was here was renamed, made private or removed.</p>;
  if (failure.code === "originRefused")
    return (
      <p>
        The form was not sent from this site's own address. Open <a href={siteUrl}>{siteUrl}</a> and try again there.
      </p>
    );
  return <p>{failure.message}.</p>;
};
