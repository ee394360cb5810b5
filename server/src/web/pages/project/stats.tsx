// The downloads of a project: per day as a chart, a table and a file, and in total.
import type { VersionEntry } from "#content/versions/entries.js";
import { startOfDay } from "#lib/days.js";
import { useFormat } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { BarChart } from "#web/parts/bar-chart.js";
import type { Bucket, Step } from "#web/parts/buckets.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { DayTable, FigureTable } from "#web/parts/figure-table.js";
import { PeriodForm } from "#web/shared/period-form.js";
import type { ProjectView } from "#web/shared/project-view.js";
import type { Offered } from "#web/shared/traffic-view.js";
import { texts } from "#words/texts.js";

export const Closed = () => <p class="muted">{useTexts(texts.project.stats).closed}</p>;

interface Props {
  view: ProjectView;
  timeline: Offered;
  step: Step;
  buckets: readonly Bucket[];
  today: number;
}

/** Fewer days make no useful chart. */
const daysForChart = 7;

export const Stats = ({ view, timeline, step, buckets, today }: Props) => {
  const t = useTexts(texts.project.stats);
  const { tabs } = useTexts(texts.project.page);
  const { asTable } = useTexts(texts.parts.traffic);
  const format = useFormat();
  const path = `${projectPath(view.project.slug)}/stats`;
  const total = buckets.reduce((sum, { count }) => sum + count, 0);
  const isDrawn = buckets.filter(({ count }) => count > 0).length > 0 && buckets.length >= daysForChart;
  const ends = buckets.length > 0 ? ([buckets[0]!.first, buckets.at(-1)!.last] as const) : ([0, 0] as const);
  const [first, last] = ends.map((day) => format.date(startOfDay(day))) as [string, string];
  if (view.project.downloads === 0) return <EmptyState title={t.none} />;
  return (
    <>
      <h2 class="visually-hidden">{tabs.stats}</h2>
      <PeriodForm action={path} timeline={timeline} />
      <section class="card stack">
        <h3>{t.perStep[step]}</h3>
        {isDrawn ? (
          <BarChart
            buckets={buckets}
            today={today}
            title={t.perStep[step]}
            description={t.described(format.number(total), first, last)}
          />
        ) : (
          <p class="muted">{total === 0 ? t.noneInTime : t.young}</p>
        )}
        <p class="small muted">
          {t.total(format.number(total))} <a href={`${path}.csv?range=${timeline}`}>{t.csv}</a>
        </p>
        <details open={!isDrawn && total > 0}>
          <summary>{asTable}</summary>
          <DayTable downloads={buckets} today={today} />
        </details>
      </section>
      <Breakdowns view={view} />
    </>
  );
};

const mostRows = 12;

const Breakdowns = ({ view: { versions, taxonomy } }: { view: ProjectView }) => {
  const t = useTexts(texts.project.stats);
  const counted = versions.map((version) => ({ version, downloads: version.own.value.downloads }));
  const sum = (keysOf: (version: VersionEntry) => Iterable<string>) => addUp(counted, keysOf);
  return (
    <section class="stack">
      <div class="breakdowns">
        <Breakdown title={t.byVersion} figures={sum(({ versionNumber }) => [versionNumber])} />
        <Breakdown title={t.byGameVersion} figures={sum(({ gameVersions }) => gameVersions)} />
        <Breakdown
          title={t.byLoader}
          figures={sum(({ loaders }) =>
            loaders.size === 0 ? [t.noLoader] : [...loaders].map((loader) => taxonomy.loaderLabel(loader)),
          )}
        />
      </div>
      <p class="small muted">{t.sinceBeginning}</p>
    </section>
  );
};

/** Most downloaded first. */
function addUp(
  counted: readonly { version: VersionEntry; downloads: number }[],
  keysOf: (version: VersionEntry) => Iterable<string>,
): [string, number][] {
  const sums = new Map<string, number>();
  for (const { version, downloads } of counted)
    for (const key of keysOf(version)) sums.set(key, (sums.get(key) ?? 0) + downloads);
  return [...sums].sort((a, b) => b[1] - a[1]);
}

const Breakdown = ({ title, figures }: { title: string; figures: readonly [string, number][] }) => {
  const t = useTexts(texts.project.stats);
  const rest = figures.slice(mostRows);
  const others: [string, number] = [t.others(rest.length), rest.reduce((sum, [, count]) => sum + count, 0)];
  const rows = [...figures.slice(0, mostRows), ...(rest.length > 0 ? [others] : [])];
  return <FigureTable caption={title} rows={rows.map(([key, count]) => ({ key, name: key, figures: [count] }))} />;
};
