// The page about the site.
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
