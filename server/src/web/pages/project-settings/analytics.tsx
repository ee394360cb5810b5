// A project's views and downloads for its team: a chart, referring sites, countries, and downloads by version, game version
// or loader.
import type { Total } from "#discovery/analytics/read.js";
import { useFormat } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { SelectField } from "#web/parts/input-fields.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { isEmpty, TrafficChart, TrafficOrigins } from "#web/shared/traffic.js";
import { type Traffic, timelines } from "#web/shared/traffic-view.js";
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
      <Form method="get" class="form card" action={`${projectPath(slug)}/settings/analytics`}>
        <div class="side-by-side">
          <SelectField
            name="range"
            label={t.range}
            value={traffic.timeline}
            options={timelines.map((name) => ({ value: name, text: t.ranges[name] }))}
          />
          <SelectField
            name="by"
            label={t.by}
            value={by}
            options={breakdowns.map((name) => ({ value: name, text: t.breakdowns[name] }))}
          />
        </div>
        <Button kind="quiet">{t.show}</Button>
      </Form>
      {isEmpty(traffic) ? (
        <EmptyState title={t.none}>
          <p>{t.noneText}</p>
        </EmptyState>
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
  const numbers = new Map(view.versions.map(({ id, own }) => [id, own.value.versionNumber]));
  const nameOf = (key: string): string => {
    if (by === "version") return numbers.get(key) ?? t.notPublic;
    return by === "loader" ? view.taxonomy.loaderLabel(key) : key;
  };
  return (
    <div class="wrapping-table">
      <table>
        <thead>
          <tr>
            <th scope="col">{t.breakdowns[by]}</th>
            <th scope="col">{t.downloads}</th>
            <th scope="col">{t.share}</th>
          </tr>
        </thead>
        <tbody>
          {totals.map(({ key, count }) => (
            <tr key={key}>
              <th scope="row" dir="auto">
                {nameOf(key)}
              </th>
              <td>{format.number(count)}</td>
              <td>
                <meter min={0} max={all} value={Math.min(count, all)} aria-hidden="true" />{" "}
                {format.number(Math.round((count / all) * 100))} %
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
