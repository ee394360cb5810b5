// The routes of the page in overview.tsx.
import { listTokenRows } from "#accounts/tokens/read.js";
import { listFollows } from "#community/follows/read.js";
import { listOffersTo } from "#content/members/offers.js";
import { listUndoableMoves } from "#content/organizations/move-project.js";
import { listPendingInvites } from "#content/teams/pending.js";
import { listOpenUploads, toUpload } from "#content/uploads/read.js";
import { countToday, findReadableProjects } from "#discovery/analytics/read.js";
import { listRequestedChanges } from "#moderation/desk/requested-changes.js";
import { needs } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { localeOf } from "#web/context/preferences.js";
import { pageRoute } from "#web/frame/page.js";
import { listOwnProjects } from "#web/shared/own-projects.js";
import type { Locale } from "#words/languages.js";
import { dashboardPage, dashboardWords } from "./dashboard-frame.js";
import { Overview, type OverviewProps } from "./overview.js";
import type { OpenTasks } from "./to-do-list.js";

/** How long before its expiry a token is listed. */
const tokenNoticeMs = 14 * 24 * 60 * 60 * 1000;

async function load(resources: Resources, viewer: SignedIn, locale: Locale): Promise<OpenTasks> {
  const { db, clock } = resources;
  const now = clock.now();
  const { id } = viewer.user;
  const projects = await listOwnProjects(resources, viewer);
  const tokens = await listTokenRows(db, id);
  return {
    invites: await listPendingInvites(db, id, now),
    offers: await listOffersTo(db, id, now),
    projects,
    changes: await listRequestedChanges(db, projects),
    tokens: tokens.filter(({ date_expires }) => date_expires > now && date_expires < now + tokenNoticeMs),
    uploads: (await listOpenUploads(db, id, now)).map((row) => toUpload(row, locale)),
    moves: await listUndoableMoves(db, id, now),
    isNew: projects.length === 0 && (await listFollows(db, viewer)).length === 0,
  };
}

async function loadOverview(resources: Resources, viewer: SignedIn, locale: Locale): Promise<OverviewProps> {
  const { db, clock } = resources;
  const tasks = await load(resources, viewer, locale);
  const ids = tasks.projects.map(({ id }) => id);
  const { permitted } = await findReadableProjects(db, viewer, ids);
  return { tasks, today: await countToday(db, permitted, clock.now()) };
}

export const overviewRoutes: Route[] = [
  pageRoute(
    {
      id: "getDashboardPage",
      path: "/dashboard",
      access: needs("user_read", "project_read"),
      summary: "The first page of the dashboard",
    },
    async ({ request, viewer }, resources) =>
      dashboardPage({
        title: dashboardWords(request).dashboard,
        children: <Overview {...(await loadOverview(resources, viewer, localeOf(request)))} />,
      }),
  ),
];
