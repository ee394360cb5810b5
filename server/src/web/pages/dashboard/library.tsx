// What one follows, with a mark where there is something new for what one plays with.

import { listFollows } from "#community/follows/read.js";
import type { Follow } from "#community/follows/shapes.js";
import { unfollowProject } from "#community/follows/write.js";
import { listVisibleProjects } from "#content/projects/read.js";
import { fitsPlace } from "#content/resolve/graph.js";
import type { ProjectListItem } from "#content/shapes/project.js";
import { versionEntries } from "#content/versions/entries.js";
import { write } from "#platform/changes/write.js";
import { Failure } from "#platform/errors.js";
import { needs, readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { formFields } from "#web/context/form.js";
import { useFrame } from "#web/context/frame.js";
import { seeOther } from "#web/context/paths.js";
import { type Setup, setupOf } from "#web/context/preferences.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { Icon } from "#web/parts/icon.js";
import { Picture } from "#web/parts/picture.js";
import { iconOf } from "#web/parts/project-card.js";
import { Time } from "#web/parts/time.js";
import { downloadPath } from "#web/shared/version-paths.js";
import { texts } from "#words/texts.js";
import { dashboardPage, dashboardWords } from "./dashboard-frame.js";

const path = "/dashboard/library";
const newMs = 14 * 24 * 60 * 60 * 1000;

interface Followed {
  follow: Follow;
  project: ProjectListItem;
  /** The newest version for the set-up; null where none fits, undefined where no set-up is chosen. */
  newest: { number: string; href: string; date: number } | null | undefined;
}

async function load(resources: Resources, viewer: SignedIn, setup: Setup): Promise<Followed[]> {
  const follows = await listFollows(resources.db, viewer);
  const ids = follows.map(({ projectId }) => projectId);
  const entries = new Map((await listVisibleProjects(resources, viewer, ids)).map((entry) => [entry.id, entry]));
  const hasSetup = setup.gameVersion !== "" || setup.loader !== "";
  const versions = hasSetup ? await versionEntries(resources).load(ids) : undefined;
  const followed = follows.flatMap((follow): Followed[] => {
    const project = entries.get(follow.projectId)?.listItem.value;
    if (!project) return [];
    const best = versions?.get(project.id)?.find((version) => !version.yanked && fitsPlace(version, setup));
    const newest = best && {
      number: best.versionNumber,
      href: downloadPath(project.slug, best),
      date: best.datePublished,
    };
    return [{ follow, project, newest: hasSetup ? (newest ?? null) : undefined }];
  });
  return followed.sort((a, b) => b.project.dateUpdated.localeCompare(a.project.dateUpdated));
}

export const libraryRoutes: Route[] = [
  pageRoute(
    {
      id: "getLibraryPage",
      path,
      access: needs("user_read", "project_read"),
      summary: "The projects that one follows",
    },
    async ({ request, viewer }, resources) =>
      dashboardPage({
        title: dashboardWords(request).library,
        children: <Library followed={await load(resources, viewer, setupOf(request))} />,
      }),
  ),

  memberFormRoute(
    {
      id: "submitLibraryUnfollow",
      path,
      access: readable("user_write"),
      summary: "Stop following a project",
      body: formFields("projectId"),
      errors: ["projectNotFound"],
    },
    async ({ reply, viewer, actor, body }, resources) => {
      try {
        await write(resources, actor, (tx) => unfollowProject(tx, viewer, body.projectId ?? ""));
      } catch (error) {
        // Pressed twice, or in another tab: what was wanted is so.
        if (!(error instanceof Failure) || error.code !== "notFollowing") throw error;
      }
      return seeOther(reply, path);
    },
  ),
];

const Library = ({ followed }: { followed: readonly Followed[] }) => {
  const t = useTexts(texts.dashboard.overview);
  if (followed.length === 0)
    return (
      <div data-swap="library">
        <EmptyState title={t.noFollows} action={{ href: "/projects", text: t.browse }}>
          <p>{t.noFollowsText}</p>
        </EmptyState>
      </div>
    );
  return (
    <div class="stack" data-swap="library">
      <p>
        <ButtonLink kind="quiet" href="/collection/follows/download">
          <Icon name="download" /> {t.downloadAll}
        </ButtonLink>
      </p>
      <ul class="rows">
        {followed.map((each) => (
          <FollowedRow key={each.project.id} {...each} />
        ))}
      </ul>
    </div>
  );
};

const FollowedRow = ({ follow, project, newest }: Followed) => {
  const t = useTexts(texts.dashboard.overview);
  const { done } = useTexts(texts.project.follow);
  const { now } = useFrame();
  const { name, slug, dateUpdated } = project;
  return (
    <li class="card row">
      <Picture src={iconOf(project)} size={40} />
      <div class="grow stack">
        <h2>
          <a href={projectPath(slug)} dir="auto">
            {name}
          </a>
        </h2>
        <p class="muted small">
          {t.updated} <Time at={dateUpdated} /> ·{" "}
          <a href={`${projectPath(slug)}/follow`} title={`${t.change}: ${name}`}>
            {t.told[follow.preferences.mode]}
          </a>
        </p>
        {newest === null && <p class="muted small">{t.misfit}</p>}
        {newest && (
          <p class="tags">
            <span class="tag-fits">{now - newest.date < newMs ? t.fresh : t.fits}</span>
          </p>
        )}
      </div>
      {newest && (
        <ButtonLink kind="quiet" small href={newest.href}>
          <Icon name="download" /> {t.download(newest.number)}
        </ButtonLink>
      )}
      <Form action={path} done={done.unfollow(name)}>
        <input type="hidden" name="projectId" value={project.id} />
        <Button kind="quiet" small aria-label={`${t.unfollow}: ${name}`}>
          {t.unfollow}
        </Button>
      </Form>
    </li>
  );
};
