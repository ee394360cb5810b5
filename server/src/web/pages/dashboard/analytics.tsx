// Views and downloads of all the user's projects: a chart, a table by project, referring sites and countries.

import { useFormat } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Choose } from "#web/parts/choose.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { isEmpty, TrafficChart, TrafficOrigins } from "#web/shared/traffic.js";
import { type Traffic, timelines } from "#web/shared/traffic-view.js";
import { texts } from "#words/texts.js";

interface Props {
  traffic: Traffic;
  /** Most downloaded first. */
  projects: readonly { id: string; name: string; slug: string; views: number; downloads: number }[];
  hasProjects: boolean;
}

const mostInCsv = 100;

export const Analytics = ({ traffic, projects, hasProjects }: Props) => {
  const t = useTexts(texts.dashboard.overview);
  if (!hasProjects)
    return (
      <EmptyState title={t.noProjects} action={{ href: "/new", text: t.newProject }}>
        <p>{t.noProjectsText}</p>
      </EmptyState>
    );
  const ids = projects.slice(0, mostInCsv).map(({ id }) => id);
  return (
    <>
      <Form method="get" class="filter-row" action="/dashboard/analytics">
        <Choose
          name="range"
          label={t.range}
          chosen={traffic.timeline}
          options={timelines.map((value) => [value, t.ranges[value]] as const)}
        />
        <Button kind="quiet">{t.show}</Button>
      </Form>
      {isEmpty(traffic) ? (
        <EmptyState title={t.noFigures}>
          <p>{t.noFiguresText}</p>
        </EmptyState>
      ) : (
        <>
          <TrafficChart traffic={traffic} csv={`projectIds=${ids.join(",")}`} />
          <ByProject projects={projects} />
          <TrafficOrigins traffic={traffic} />
        </>
      )}
    </>
  );
};

const ByProject = ({ projects }: Pick<Props, "projects">) => {
  const t = useTexts(texts.dashboard.overview);
  const { views } = useTexts(texts.parts.traffic);
  const format = useFormat();
  const sum = (key: "views" | "downloads") =>
    format.number(projects.reduce((total, project) => total + project[key], 0));
  return (
    <section class="card stack">
      <h2>{t.projects}</h2>
      <table class="figures-table">
        <thead>
          <tr>
            <th scope="col">{t.project}</th>
            <th scope="col" class="number">
              {views}
            </th>
            <th scope="col" class="number">
              {t.downloads}
            </th>
          </tr>
        </thead>
        <tbody>
          {projects.map((project) => (
            <tr key={project.id}>
              <td class="wraps" dir="auto">
                <a href={`${projectPath(project.slug)}/settings/analytics`}>{project.name}</a>
              </td>
              <td class="number">{format.number(project.views)}</td>
              <td class="number">{format.number(project.downloads)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t.total}</th>
            <td class="number">{sum("views")}</td>
            <td class="number">{sum("downloads")}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
};
