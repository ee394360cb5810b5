// The pages about the site and its documentation.
import type { Statistics } from "#discovery/statistics/contract.js";
import { version } from "#lib/version.js";
import { useFormat } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";

export const About = ({ statistics }: { statistics: Statistics }) => {
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

export const Docs = () => {
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
