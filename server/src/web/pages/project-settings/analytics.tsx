// A project's downloads for its team: the public chart, and figures that only the team sees, by country, game version
// and loader.
import { type Breakdown, breakdowns, type Figure } from "#discovery/analytics/figures.js";
import type { Timeline } from "#discovery/analytics/ranges.js";
import { useFormat } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { BarChart } from "#web/parts/bar-chart.js";
import type { Bucket } from "#web/parts/buckets.js";
import { Button } from "#web/parts/button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { SelectField } from "#web/parts/input-fields.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { texts } from "#words/texts.js";

export const timelines = [
  "previous_30_days",
  "previous_90_days",
  "previous_365_days",
  "all_time",
] as const satisfies Timeline[];

type Offered = (typeof timelines)[number];

interface Props {
  view: SettingsView;
  timeline: Offered;
  by: Breakdown;
  buckets: readonly Bucket[];
  figures: readonly Figure[];
  today: number;
}

export const Analytics = ({ view, timeline, by, buckets, figures, today }: Props) => {
  const t = useTexts(texts.projectSettings.analytics);
  const format = useFormat();
  const total = buckets.reduce((sum, { count }) => sum + count, 0);
  const { id, slug } = view.project;
  const csv = `/api/analytics/downloads?projectIds=${id}&timeline=${timeline}&by=${by}&format=csv`;
  return (
    <>
      <Form method="get" class="form card" action={`${projectPath(slug)}/settings/analytics`}>
        <div class="side-by-side">
          <SelectField
            name="range"
            label={t.range}
            value={timeline}
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
      <p>{t.today(format.number(today))}</p>
      {total === 0 ? (
        <EmptyState title={t.none}>
          <p>{t.noneText}</p>
        </EmptyState>
      ) : (
        <>
          <section class="card stack">
            <h2>{t.total(format.number(total))}</h2>
            <BarChart buckets={buckets} title={t.downloads} description={t.total(format.number(total))} />
          </section>
          <section class="card stack">
            <h2>{t.breakdowns[by]}</h2>
            {(by === "gameVersion" || by === "loader") && <p class="small muted">{t.counted}</p>}
            <BreakdownTable view={view} by={by} figures={figures} total={total} />
            <p>
              <a href={csv}>{t.csv}</a>
            </p>
          </section>
        </>
      )}
    </>
  );
};

const BreakdownTable = ({ view, by, figures, total }: Pick<Props, "view" | "by" | "figures"> & { total: number }) => {
  const t = useTexts(texts.projectSettings.analytics);
  const format = useFormat();
  const sums = new Map<string, number>();
  for (const { key, count } of figures) sums.set(key, (sums.get(key) ?? 0) + count);
  const rows = [...sums].sort(([, a], [, b]) => b - a);
  const numbers = new Map(view.versions.map(({ id, own }) => [id, own.value.versionNumber]));
  const nameOf = (key: string): string => {
    if (by === "version") return numbers.get(key) ?? key;
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
          {rows.map(([key, count]) => (
            <tr key={key}>
              <th scope="row" dir="auto">
                {nameOf(key)}
              </th>
              <td>{format.number(count)}</td>
              <td>
                <meter min={0} max={total} value={Math.min(count, total)} aria-hidden="true" />{" "}
                {format.number(Math.round((count / total) * 100))} %
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
