// The first page of the dashboard: what needs the user's attention, then their figures.
import { useFormat, useFrame } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";
import { type OpenTasks, ToDoList } from "./to-do-list.js";

export interface OverviewProps {
  tasks: OpenTasks;
  today: number;
}

export const Overview = ({ tasks, today }: OverviewProps) => {
  const t = useTexts(texts.dashboard.overview);
  const { projects, isNew } = tasks;
  const { unread } = useFrame();
  const sum = (field: "downloads" | "followers") => projects.reduce((total, project) => total + project[field], 0);
  return (
    <>
      <section class="stack">
        <h2>{t.toDo}</h2>
        <ToDoList tasks={tasks} />
        {isNew && <FirstSteps />}
      </section>
      {projects.length > 0 && (
        <section class="stack">
          <h2>{t.numbers}</h2>
          <dl class="figures">
            <Figure name={t.projects} value={projects.length} />
            <Figure name={t.downloads} value={sum("downloads")} />
            <Figure name={t.today} value={today} />
            <Figure name={t.followers} value={sum("followers")} />
            <Figure name={t.unread} value={unread} />
          </dl>
        </section>
      )}
    </>
  );
};

const Figure = ({ name, value }: { name: string; value: number }) => {
  const format = useFormat();
  return (
    <div>
      <dt>{name}</dt>
      <dd title={format.number(value)}>{format.count(value)}</dd>
    </div>
  );
};

const FirstSteps = () => {
  const t = useTexts(texts.dashboard.overview);
  return (
    <div class="card stack">
      <h3>{t.start}</h3>
      <ol class="steps">
        <li>
          <a href="/settings#setup">{t.startSetup}</a>
        </li>
        <li>
          <a href="/projects">{t.startBrowse}</a>
        </li>
        <li>
          <a href="/new">{t.startPublish}</a>
        </li>
      </ol>
    </div>
  );
};
