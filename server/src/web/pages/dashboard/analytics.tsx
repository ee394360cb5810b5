// Downloads of all the user's projects: a chart, a table by project, and a file.
import type { Timeline } from "#discovery/analytics/ranges.js";
import { useFormat } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { BarChart } from "#web/parts/bar-chart.js";
import type { Bucket } from "#web/parts/buckets.js";
import { Button } from "#web/parts/button.js";
import { Choose } from "#web/parts/choose.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { texts } from "#words/texts.js";

export const timelines = [
  "previous_30_days",
  "previous_90_days",
  "previous_365_days",
  "all_time",
] as const satisfies Timeline[];

type Offered = (typeof timelines)[number];

interface Props {
  timeline: Offered;
  buckets: readonly Bucket[];
  /** Most downloaded first. */
  projects: readonly { id: string; name: string; slug: string; count: number }[];
  hasProjects: boolean;
  today: number;
}

const mostInCsv = 100;

export const Analytics = ({ timeline, buckets, projects, hasProjects, today }: Props) => {
  const t = useTexts(texts.dashboard.overview);
  const format = useFormat();
  if (!hasProjects)
    return (
      <EmptyState title={t.noProjects} action={{ href: "/new", text: t.newProject }}>
        <p>{t.noProjectsText}</p>
      </EmptyState>
    );
  const total = projects.reduce((sum, { count }) => sum + count, 0);
  const ids = projects.slice(0, mostInCsv).map(({ id }) => id);
  return (
    <>
      <Form method="get" class="filter-row" action="/dashboard/analytics">
        <Choose
          name="range"
          label={t.range}
          chosen={timeline}
          options={timelines.map((value) => [value, t.ranges[value]] as const)}
        />
        <Button kind="quiet">{t.show}</Button>
      </Form>
      <p>{t.todaySoFar(format.number(today))}</p>
      {total === 0 ? (
        <EmptyState title={t.noFigures}>
          <p>{t.noFiguresText}</p>
        </EmptyState>
      ) : (
        <BarChart buckets={buckets} title={t.perDay} description={t.chart(format.number(total)) as string} />
      )}
      <table>
        <thead>
          <tr>
            <th scope="col">{t.project}</th>
            <th scope="col" class="number">
              {t.downloads}
            </th>
          </tr>
        </thead>
        <tbody>
          {projects.map(({ id, name, slug, count }) => (
            <tr key={id}>
              <td class="wraps" dir="auto">
                <a href={`${projectPath(slug)}/stats`}>{name}</a>
              </td>
              <td class="number">{format.number(count)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t.total}</th>
            <td class="number">{format.number(total)}</td>
          </tr>
        </tfoot>
      </table>
      {ids.length > 0 && (
        <p>
          <a href={`/api/analytics/downloads?projectIds=${ids.join(",")}&timeline=${timeline}&format=csv`} download>
            {t.csv}
          </a>
        </p>
      )}
    </>
  );
};
