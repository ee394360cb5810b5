// A project's views and downloads for its team: a chart, referring sites, countries, and downloads by version, game version
// or loader.
import type { Total } from "#discovery/analytics/read.js";
import { useFormat } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { FigureTable } from "#web/parts/figure-table.js";
import { PeriodForm } from "#web/shared/period-form.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { isEmpty, NoTraffic, TrafficChart, TrafficOrigins } from "#web/shared/traffic.js";
import type { Traffic } from "#web/shared/traffic-view.js";
import { texts } from "#words/texts.js";

/** Countries have a section of their own. */
export const breakdowns = ["version", "gameVersion", "loader"] as const;
export type Offered = (typeof breakdowns)[number];

interface Props {
  view: SettingsView;
  traffic: Traffic;
  by: Offered;
  /** The downloads by this. */
  totals: readonly Total[];
}

export const Analytics = ({ view, traffic, by, totals }: Props) => {
  const t = useTexts(texts.projectSettings.analytics);
  const { id, slug } = view.project;
  const downloads = traffic.downloads.reduce((sum, { count }) => sum + count, 0);
  const csv = `/api/analytics/downloads?projectIds=${id}&${traffic.apiRange}&by=${by}&format=csv`;
  return (
    <>
      <PeriodForm
        action={`${projectPath(slug)}/settings/analytics`}
        timeline={traffic.timeline}
        more={{
          ...{ name: "by", label: t.by, chosen: by },
          options: breakdowns.map((name) => [name, t.breakdowns[name]] as const),
        }}
      />
      {isEmpty(traffic) ? (
        <NoTraffic />
      ) : (
        <>
          <TrafficChart traffic={traffic} csv={`projectIds=${id}`} />
          <TrafficOrigins traffic={traffic} />
          {downloads > 0 && (
            <section class="card stack">
              <h2>{t.downloadsBy[by]}</h2>
              {(by === "gameVersion" || by === "loader") && <p class="small muted">{t.counted}</p>}
              <BreakdownTable view={view} by={by} totals={totals} all={downloads} />
              <p>
                <a href={csv}>{t.csv}</a>
              </p>
            </section>
          )}
        </>
      )}
    </>
  );
};

const BreakdownTable = ({ view, by, totals, all }: Pick<Props, "view" | "by" | "totals"> & { all: number }) => {
  const t = useTexts(texts.projectSettings.analytics);
  const format = useFormat();
  const { downloads, share } = useTexts(texts.parts.traffic);
  const numbers = new Map(view.versions.map(({ id, own }) => [id, own.value.versionNumber]));
  const nameOf = (key: string): string => {
    if (by === "version") return numbers.get(key) ?? t.notPublic;
    return by === "loader" ? view.taxonomy.loaderLabel(key) : key;
  };
  return (
    <FigureTable
      head={[t.breakdowns[by], downloads, share]}
      rows={totals.map(({ key, count }) => ({ key, name: nameOf(key), figures: [count, format.percent(count / all)] }))}
    />
  );
};
