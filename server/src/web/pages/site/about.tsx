// What this site is, and where its documentation is.

import type { Statistics } from "#discovery/statistics/contract.js";
import { readStatistics } from "#discovery/statistics/read.js";
import { version } from "#lib/version.js";
import { open, readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { useFormat } from "#web/context/frame.js";
import { movedTo } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { useTexts } from "#web/context/texts.js";
import { pageRoute } from "#web/frame/page.js";
import { texts, textsIn } from "#words/texts.js";

export const aboutRoutes: Route[] = [
  pageRoute(
    { id: "getAboutPage", path: "/about", access: readable("user_read"), summary: "What this site is" },
    async ({ request }, { db }) => {
      const t = textsIn(texts.site.about, localeOf(request));
      return {
        title: t.about,
        description: t.aboutLead,
        isTranslated: true,
        content: <About statistics={await readStatistics(db)} />,
      };
    },
  ),
  pageRoute(
    { id: "getDocsPage", path: "/docs", access: readable("user_read"), summary: "Where the documentation is" },
    async ({ request }) => {
      const t = textsIn(texts.site.about, localeOf(request));
      return { title: t.docs, description: t.docsLead, isTranslated: true, content: <Docs /> };
    },
  ),
  // The reference stands where programs look for it; these are the addresses that people try.
  pageRoute(
    { id: "moveApiReference", path: "/docs/api", access: open, summary: "Leads to the API reference" },
    async ({ reply }) => movedTo(reply, "/api/docs"),
  ),
  pageRoute(
    { id: "moveOpenApi", path: "/docs/openapi.json", access: open, summary: "Leads to the description of the API" },
    async ({ reply }) => movedTo(reply, "/api/docs/openapi.json"),
  ),
];

const About = ({ statistics }: { statistics: Statistics }) => {
  const t = useTexts(texts.site.about);
  const format = useFormat();
  const places = [
    ["/status", t.links.status],
    ["/docs", t.links.docs],
    ["/feeds", t.links.feeds],
    ["/legal/rules", t.links.rules],
    ["/legal/privacy", t.links.privacy],
    ["/legal/security", t.links.security],
  ] as const;
  return (
    <div class="stack plain-page">
      <h1>{t.about}</h1>
      <p class="lead">{t.aboutLead}</p>
      <h2>{t.figures}</h2>
      <dl class="plain-facts">
        {(["projects", "versions", "files", "authors", "users"] as const).map((name) => (
          <div key={name}>
            <dt>{t.counts[name]}</dt>
            <dd>{format.number(statistics[name])}</dd>
          </div>
        ))}
        <div>
          <dt>{t.version}</dt>
          <dd>Modshelf {version}</dd>
        </div>
      </dl>
      <p>{t.source}</p>
      <h2>{t.more}</h2>
      <ul class="bullets">
        {places.map(([href, text]) => (
          <li key={href}>
            <a href={href}>{text}</a>
          </li>
        ))}
      </ul>
    </div>
  );
};

const Docs = () => {
  const t = useTexts(texts.site.about);
  const { guides } = t;
  const places = [
    ["/api/docs", guides.api, guides.apiText],
    ["/api/docs/openapi.json", guides.openapi, guides.openapiText],
    ["/feeds", guides.feeds, guides.feedsText],
    ["/settings/pats", guides.tokens, guides.tokensText],
    ["/api/docs#getBadge", guides.badges, guides.badgesText],
    ["/api/docs#getMavenFile", guides.maven, guides.mavenText],
  ] as const;
  return (
    <div class="stack">
      <h1>{t.docs}</h1>
      <p class="lead">{t.docsLead}</p>
      <ul class="cards">
        {places.map(([href, title, text]) => (
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
};
