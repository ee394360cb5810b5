// The start page: what this is and where to go from here.
import { readable } from "../../http/access.js";
import { endpoint, type Route, route } from "../../http/endpoint.js";
import type { Viewer } from "../../http/viewer.js";
import { hasAdmin } from "../../users/read.js";
import { aPage, sendPage } from "../page.js";
import { Notice } from "../parts/notice.js";

const getHomePage = endpoint({
  id: "getHomePage",
  method: "GET",
  path: "/",
  access: readable("user_read"),
  rate: "read",
  tag: "Website",
  summary: "The start page",
  answer: aPage,
  cacheControl: "private, no-cache",
  internal: true,
});

const description = "A registry and download host for game add-ons.";

export const homeRoutes: Route[] = [
  route(getHomePage, async (call, { db, config }) =>
    sendPage(call, {
      title: "Modshelf",
      description,
      content: <Home viewer={call.viewer} isSetUp={await hasAdmin(db)} url={config.http.url} />,
    }),
  ),
];

const Home = ({ viewer, isSetUp, url }: { viewer: Viewer; isSetUp: boolean; url: string }) => (
  <div class="stack loose">
    <div class="hero">
      <div class="stack">
        <h1>A shelf for game add-ons</h1>
        <p class="lead">
          Modshelf keeps mods, shaders, resource packs and whatever else players add to their games: versions, files and
          dependencies, with an interface for launchers and build scripts.
        </p>
      </div>
      <figure class="card stack">
        <figcaption>Ask it something. For example, which loaders it knows:</figcaption>
        <pre>
          <code>curl {url}/api/tags/loaders</code>
        </pre>
      </figure>
    </div>
    {!isSetUp && <SetupNotice />}
    {viewer.kind !== "anonymous" && <Greeting viewer={viewer} />}
    <ul class="cards">
      {places.map(({ href, title, text }) => (
        <li key={href} class="card">
          <h2>
            <a href={href}>{title}</a>
          </h2>
          <p>{text}</p>
        </li>
      ))}
    </ul>
  </div>
);

const places = [
  {
    href: "/api/docs",
    title: "API reference",
    text: "Every route with its parameters, answers, access rule and an example to copy.",
  },
  {
    href: "/api/docs/openapi.json",
    title: "OpenAPI document",
    text: "The same as data, to make a client from or to load into a tool.",
  },
  { href: "/readyz", title: "State of the service", text: "Whether database and storage work right now." },
];

const SetupNotice = () => (
  <Notice kind="warning" title="This Modshelf has no administrator yet">
    <p>
      The link to become the first is in the server's log. <code>modshelf setup-link</code> prints a new one.
    </p>
  </Notice>
);

const Greeting = ({ viewer }: { viewer: Exclude<Viewer, { kind: "anonymous" }> }) => (
  <Notice title={`Welcome, ${viewer.user.userName}`}>
    <p>You are signed in{viewer.user.role === "admin" ? " as an administrator" : ""}.</p>
  </Notice>
);
