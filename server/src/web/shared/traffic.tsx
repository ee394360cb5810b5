// Views and downloads of projects as authors see them: totals, a chart with its table, referring sites and countries.
import { direct, otherHosts, thisSite } from "#content/views/policy.js";
import type { Figure } from "#discovery/analytics/figures.js";
import type { Total } from "#discovery/analytics/read.js";
import type { Children } from "#lib/jsx-runtime.js";
import { useFormat, useFrame } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { BarChart } from "#web/parts/bar-chart.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { DayTable, type FigureRow, FigureTable } from "#web/parts/figure-table.js";
import { texts } from "#words/texts.js";
import { countryName } from "./country-name.js";
import type { Traffic } from "./traffic-view.js";

const totalOf = (items: readonly { count: number }[]): number => items.reduce((sum, { count }) => sum + count, 0);

const ofToday = (figures: readonly Figure[], today: number): number =>
  totalOf(figures.filter(({ day }) => day === today));

export const isEmpty = ({ downloads, views }: Traffic): boolean => totalOf(downloads) + totalOf(views) === 0;

export const NoTraffic = () => {
  const t = useTexts(texts.parts.traffic);
  return (
    <EmptyState title={t.none}>
      <p>{t.noneText}</p>
    </EmptyState>
  );
};

/** The chart, with the totals above it and its figures as a table below it. `csv` is the question to the API. */
export const TrafficChart = ({ traffic, csv }: { traffic: Traffic; csv: string }) => {
  const t = useTexts(texts.parts.traffic);
  const format = useFormat();
  const { downloads, views, figures, today, step, apiRange } = traffic;
  const [viewed, downloaded] = [totalOf(views), totalOf(downloads)].map((total) => format.number(total)) as [
    string,
    string,
  ];
  const link = (counted: "views" | "downloads") => (
    <a href={`/api/analytics/${counted}?${csv}&${apiRange}&format=csv`} download>
      {t.csv[counted]}
    </a>
  );
  return (
    <section class="card stack">
      <h2>{t.perStep[step]}</h2>
      <dl class="figures">
        <Sum name={t.views} count={totalOf(views)} />
        <Sum name={t.downloads} count={totalOf(downloads)} />
        <Sum name={t.viewsToday} count={ofToday(figures.views, today)} />
        <Sum name={t.downloadsToday} count={ofToday(figures.downloads, today)} />
      </dl>
      <BarChart
        buckets={downloads}
        views={views}
        today={today}
        title={t.perStep[step]}
        description={t.described(viewed, downloaded)}
      />
      <details>
        <summary>{t.asTable}</summary>
        <DayTable downloads={downloads} views={views} today={today} />
      </details>
      <p class="small muted">{t.counted}</p>
      <p class="small">
        {link("views")} · {link("downloads")}
      </p>
    </section>
  );
};

const Sum = ({ name, count }: { name: string; count: number }) => {
  const format = useFormat();
  return (
    <div>
      <dt>{name}</dt>
      <dd>{format.number(count)}</dd>
    </div>
  );
};

/** Referring sites and countries, beside each other if there is room. */
export const TrafficOrigins = ({ traffic }: { traffic: Traffic }) => (
  <div class="origins">
    <Referrers totals={traffic.referrers} />
    <Countries traffic={traffic} />
  </div>
);

const mostRows = 20;

/** The rows that are shown, and those that are added up. */
const shorten = <T,>(totals: readonly T[]) => ({ rows: totals.slice(0, mostRows), rest: totals.slice(mostRows) });

const Section = ({ title, children }: { title: string; children: Children }) => (
  <section class="card stack">
    <h2>{title}</h2>
    {children}
  </section>
);

const Referrers = ({ totals }: { totals: readonly Total[] }) => {
  const t = useTexts(texts.parts.traffic);
  const format = useFormat();
  const all = totalOf(totals);
  if (all === 0)
    return (
      <Section title={t.referrers}>
        <p class="muted">{t.noViews}</p>
      </Section>
    );
  const { rows, rest } = shorten(totals.filter(({ key }) => key !== otherHosts));
  const others = totalOf(rest) + totalOf(totals.filter(({ key }) => key === otherHosts));
  const named: Record<string, string> = { [direct]: t.direct, [thisSite]: t.thisSite };
  const row = (name: string, count: number): FigureRow => ({
    key: name,
    name,
    figures: [count, format.percent(count / all)],
  });
  return (
    <Section title={t.referrers}>
      <FigureTable
        head={[t.site, t.views, t.share]}
        rows={[
          ...rows.map(({ key, count }) => row(named[key] ?? key, count)),
          ...(others > 0 ? [row(t.otherSites, others)] : []),
        ]}
      />
    </Section>
  );
};

const unknownCountry = "unknown";

const Countries = ({ traffic: { countries, hasCountries, isAdmin } }: { traffic: Traffic }) => {
  const t = useTexts(texts.parts.traffic);
  const { locale } = useFrame();
  const codes = new Set([...countries.views, ...countries.downloads].map(({ key }) => key));
  const toMap = (totals: readonly Total[]) => new Map(totals.map(({ key, count }) => [key, count]));
  const [views, downloads] = [toMap(countries.views), toMap(countries.downloads)];
  const totals = [...codes]
    .map((key) => ({ key, views: views.get(key) ?? 0, downloads: downloads.get(key) ?? 0 }))
    .sort((a, b) => b.downloads - a.downloads || b.views - a.views || (a.key < b.key ? -1 : 1));
  if (!hasCountries && !totals.some(({ key }) => key !== unknownCountry))
    return (
      <Section title={t.countries}>
        <p class="muted">{t.noCountries}</p>
        {isAdmin && (
          <p class="muted">
            {t.countrySetting} <code>MODSHELF_COUNTRY_HEADER</code>
          </p>
        )}
      </Section>
    );
  if (totals.length === 0)
    return (
      <Section title={t.countries}>
        <p class="muted">{t.noViews}</p>
      </Section>
    );
  const { rows, rest } = shorten(totals);
  const sum = (counted: "views" | "downloads") => rest.reduce((all, total) => all + total[counted], 0);
  const others = { key: "", views: sum("views"), downloads: sum("downloads") };
  const nameOf = (key: string): string => {
    if (key === "") return t.otherCountries;
    return key === unknownCountry ? t.unknownCountry : countryName(key, locale);
  };
  return (
    <Section title={t.countries}>
      <FigureTable
        head={[t.country, t.views, t.downloads]}
        rows={[...rows, ...(rest.length > 0 ? [others] : [])].map((total) => ({
          key: total.key,
          name: nameOf(total.key),
          figures: [total.views, total.downloads],
        }))}
      />
    </Section>
  );
};
