// The dashboard's first page: what waits for the user, then his numbers.

import { listTokenRows } from "#accounts/tokens/read.js";
import { listFollows } from "#community/follows/read.js";
import { listOffersTo } from "#content/members/offers.js";
import { listUndoableMoves } from "#content/organizations/move-project.js";
import { listPendingInvites } from "#content/teams/pending.js";
import { listOpenUploads } from "#content/uploads/read.js";
import { countToday, findReadableProjects } from "#discovery/analytics/read.js";
import { needs } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { useFormat, useFrame } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { pageRoute } from "#web/frame/page.js";
import { listOwnProjects } from "#web/shared/own-projects.js";
import { texts } from "#words/texts.js";
import { dashboardPage, dashboardWords } from "./dashboard-frame.js";
import { type Situation, ToDoList } from "./to-do-list.js";

/** Tokens are spoken of so long before they end. */
const tokenNoticeMs = 14 * 24 * 60 * 60 * 1000;

async function load(resources: Resources, viewer: SignedIn): Promise<Situation> {
  const { db, clock } = resources;
  const now = clock.now();
  const { id } = viewer.user;
  const projects = await listOwnProjects(resources, viewer);
  const tokens = await listTokenRows(db, id);
  return {
    invites: await listPendingInvites(db, id, now),
    offers: await listOffersTo(db, id, now),
    projects,
    tokens: tokens.filter(({ date_expires }) => date_expires > now && date_expires < now + tokenNoticeMs),
    uploads: await listOpenUploads(db, id, now),
    moves: await listUndoableMoves(db, id, now),
    isNew: projects.length === 0 && (await listFollows(db, viewer)).length === 0,
  };
}

async function loadOverview(resources: Resources, viewer: SignedIn): Promise<OverviewProps> {
  const { db, clock } = resources;
  const situation = await load(resources, viewer);
  const ids = situation.projects.map(({ id }) => id);
  const { permitted } = await findReadableProjects(db, viewer, ids);
  return { situation, today: await countToday(db, permitted, clock.now()) };
}

export const overviewRoutes: Route[] = [
  pageRoute(
    {
      id: "getDashboardPage",
      path: "/dashboard",
      access: needs("user_read", "project_read"),
      summary: "What waits for the user",
    },
    async ({ request, viewer }, resources) =>
      dashboardPage({
        title: dashboardWords(request).dashboard,
        children: <Overview {...(await loadOverview(resources, viewer))} />,
      }),
  ),
];

interface OverviewProps {
  situation: Situation;
  today: number;
}

const Overview = ({ situation, today }: OverviewProps) => {
  const t = useTexts(texts.dashboard.overview);
  const { projects, isNew } = situation;
  const { unread } = useFrame();
  const sum = (field: "downloads" | "followers") => projects.reduce((total, project) => total + project[field], 0);
  return (
    <>
      <section class="stack">
        <h2>{t.toDo}</h2>
        <ToDoList situation={situation} />
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
