// Views and downloads of several projects: a chart, a table by project, referring sites and countries.

import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { FigureTable } from "#web/parts/figure-table.js";
import { texts } from "#words/texts.js";
import type { Analytics } from "./analytics-view.js";
import { PeriodForm } from "./period-form.js";
import { isEmpty, NoTraffic, TrafficChart, TrafficOrigins } from "./traffic.js";

const mostInCsv = 100;

export const AnalyticsView = ({ analytics: { traffic, projects }, path }: { analytics: Analytics; path: string }) => {
  const ids = projects.slice(0, mostInCsv).map(({ id }) => id);
  return (
    <>
      <PeriodForm action={path} timeline={traffic.timeline} />
      {isEmpty(traffic) ? (
        <NoTraffic />
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

const ByProject = ({ projects }: Pick<Analytics, "projects">) => {
  const t = useTexts(texts.parts.traffic);
  const sum = (key: "views" | "downloads") => projects.reduce((total, project) => total + project[key], 0);
  return (
    <section class="card stack">
      <h2>{t.projects}</h2>
      <FigureTable
        head={[t.project, t.views, t.downloads]}
        rows={projects.map(({ id, name, slug, views, downloads }) => ({
          key: id,
          name: (
            <bdi>
              <a href={`${projectPath(slug)}/settings/analytics`}>{name}</a>
            </bdi>
          ),
          figures: [views, downloads],
        }))}
        total={{ key: "", name: t.total, figures: [sum("views"), sum("downloads")] }}
      />
    </section>
  );
};
