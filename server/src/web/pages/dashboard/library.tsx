// The followed projects, with a mark if there is something new for the visitor's set-up.
import type { Follow } from "#community/follows/shapes.js";
import type { ProjectListItem } from "#content/shapes/project.js";
import { useFrame } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { Icon } from "#web/parts/icon.js";
import { Picture } from "#web/parts/picture.js";
import { iconOf } from "#web/parts/project-card.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";
import { LibraryNav, libraryPath } from "./followed-authors.js";

const newMs = 14 * 24 * 60 * 60 * 1000;

export interface Followed {
  follow: Follow;
  project: ProjectListItem;
  /** The newest version for the set-up; null if none fits, undefined if no set-up is chosen. */
  newest: { number: string; href: string; date: number } | null | undefined;
}

export const Library = ({ followed }: { followed: readonly Followed[] }) => {
  const t = useTexts(texts.dashboard.overview);
  if (followed.length === 0)
    return (
      <div class="stack" data-swap="library">
        <LibraryNav />
        <EmptyState title={t.noFollows} action={{ href: "/projects", text: t.browse }}>
          <p>{t.noFollowsText}</p>
        </EmptyState>
      </div>
    );
  return (
    <div class="stack" data-swap="library">
      <LibraryNav />
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
      <Form action={libraryPath} done={done.unfollow(name)}>
        <input type="hidden" name="projectId" value={project.id} />
        <Button kind="quiet" small aria-label={`${t.unfollow}: ${name}`}>
          {t.unfollow}
        </Button>
      </Form>
    </li>
  );
};
