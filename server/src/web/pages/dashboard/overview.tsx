// The dashboard's first page: what waits for the user, then his numbers.
import type { ComponentChildren } from "preact";
import type { Row } from "../../../db/tables.js";
import { listFollows } from "../../../follows/read.js";
import { needs } from "../../../http/access.js";
import type { Route } from "../../../http/endpoint.js";
import type { Resources } from "../../../http/resources.js";
import type { SignedIn } from "../../../http/viewer.js";
import { listProjectIdsOfUser, listVisibleProjects } from "../../../projects/read.js";
import type { ProjectListItem } from "../../../projects/shapes.js";
import { listPendingInvites, type PendingInvite } from "../../../teams/pending.js";
import { listTokenRows } from "../../../tokens/read.js";
import { listOpenUploads } from "../../../uploads/read.js";
import { useFormat, useFrame } from "../../frame.js";
import { pageRoute } from "../../page.js";
import { projectPath } from "../../parts/project-card.js";
import { useTexts } from "../../texts.js";
import { dashboardPage, dashboardWords } from "./dashboard-frame.js";
import { dashboardTexts } from "./dashboard-texts.js";
import { InviteButtons } from "./invite-buttons.js";

/** Tokens are spoken of so long before they end. */
const tokenNoticeMs = 14 * 24 * 60 * 60 * 1000;

interface Situation {
  invites: PendingInvite[];
  projects: ProjectListItem[];
  tokens: Row<"tokens">[];
  uploads: Row<"uploads">[];
  isNew: boolean;
}

export async function listOwnProjects(resources: Resources, viewer: SignedIn): Promise<ProjectListItem[]> {
  const ids = await listProjectIdsOfUser(resources.db, viewer, viewer.user.id, false);
  const entries = await listVisibleProjects(resources, viewer, ids);
  return entries.map((entry) => entry.listItem.value);
}

async function load(resources: Resources, viewer: SignedIn): Promise<Situation> {
  const { db, clock } = resources;
  const now = clock.now();
  const { id } = viewer.user;
  const projects = await listOwnProjects(resources, viewer);
  const tokens = await listTokenRows(db, id);
  return {
    invites: await listPendingInvites(db, id),
    projects,
    tokens: tokens.filter(({ date_expires }) => date_expires > now && date_expires < now + tokenNoticeMs),
    uploads: await listOpenUploads(db, id, now),
    isNew: projects.length === 0 && (await listFollows(db, viewer)).length === 0,
  };
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
        children: <Overview situation={await load(resources, viewer)} />,
      }),
  ),
];

const Overview = ({ situation }: { situation: Situation }) => {
  const t = useTexts(dashboardTexts);
  const { invites, projects, tokens, uploads, isNew } = situation;
  const format = useFormat();
  const { unread } = useFrame();
  const open = projects.filter(({ status }) => status === "rejected" || status === "withheld" || status === "draft");
  const hasNothing = invites.length + open.length + tokens.length + uploads.length === 0;
  const sum = (field: "downloads" | "followers") => projects.reduce((total, project) => total + project[field], 0);
  return (
    <>
      <section class="stack">
        <h2>{t.toDo}</h2>
        {hasNothing && !isNew && <p class="muted">{t.nothingToDo}</p>}
        <ul class="rows">
          {invites.map((invite) => (
            <ToDo
              key={invite.teamId}
              text={`${t.invite(invite.name, invite.invitedBy ?? "")}${t.inviteAs(invite.role)}`}
            >
              <InviteButtons teamId={invite.teamId} name={invite.name} />
            </ToDo>
          ))}
          {open.map(({ id, name, slug, status }) => (
            <ToDo key={id} text={t[status as "draft"](name) as string}>
              <a
                class="button quiet small"
                href={status === "draft" ? projectPath(slug) : `${projectPath(slug)}/moderation`}
                aria-label={`${t.toProject}: ${name}`}
              >
                {t.toProject}
              </a>
            </ToDo>
          ))}
          {uploads.map(({ id, name, date_expires }) => (
            <ToDo key={id} text={t.uploadWaits(name, format.dateTime(date_expires)) as string} />
          ))}
          {tokens.map(({ id, name, date_expires }) => (
            <ToDo key={id} text={t.tokenEnds(name, format.date(date_expires)) as string}>
              <a class="button quiet small" href="/settings/pats">
                {t.toTokens}
              </a>
            </ToDo>
          ))}
        </ul>
        {isNew && <FirstSteps />}
      </section>
      {projects.length > 0 && (
        <section class="stack">
          <h2>{t.numbers}</h2>
          <dl class="figures">
            <Figure name={t.projects} value={projects.length} />
            <Figure name={t.downloads} value={sum("downloads")} />
            <Figure name={t.followers} value={sum("followers")} />
            <Figure name={t.unread} value={unread} />
          </dl>
        </section>
      )}
    </>
  );
};

const ToDo = ({ text, children }: { text: string; children?: ComponentChildren }) => (
  <li class="card actions">
    <p dir="auto">{text}</p>
    {children}
  </li>
);

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
  const t = useTexts(dashboardTexts);
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
