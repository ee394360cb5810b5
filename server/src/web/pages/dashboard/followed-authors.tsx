// The followed users and organizations, beside the followed projects (library.tsx).
import type { User } from "#accounts/users/contract.js";
import type { Organization } from "#content/organizations/shapes.js";
import { useFrame } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { Picture } from "#web/parts/picture.js";
import { texts } from "#words/texts.js";

export const libraryPath = "/dashboard/library";
export const peoplePath = `${libraryPath}/people`;
export const organizationsPath = `${libraryPath}/organizations`;

/** The three lists of the library. */
export const LibraryNav = () => {
  const t = useTexts(texts.dashboard.overview);
  const { path } = useFrame();
  const lists = [
    [libraryPath, t.projects],
    [peoplePath, t.people],
    [organizationsPath, t.organizations],
  ] as const;
  return (
    <nav class="actions" aria-label={t.library}>
      {lists.map(([href, text]) => (
        <ButtonLink key={href} kind="quiet" small href={href} aria-current={href === path ? "page" : undefined}>
          {text}
        </ButtonLink>
      ))}
    </nav>
  );
};

interface Row {
  id: string;
  name: string;
  handle?: string;
  picture: string;
  path: string;
}

export const toUserRow = ({ id, name, userName, avatar }: User): Row => ({
  ...{ id, name, handle: `@${userName}`, picture: avatar },
  path: `/user/${userName}`,
});

export const toOrganizationRow = ({ id, name, slug, icon }: Organization): Row => ({
  ...{ id, name, picture: icon },
  path: `/organization/${slug}`,
});

export const FollowedAuthors = ({ rows, round }: { rows: readonly Row[]; round: boolean }) => {
  const t = useTexts(texts.dashboard.overview);
  return (
    <div class="stack" data-swap="library">
      <LibraryNav />
      {rows.length === 0 ? (
        <EmptyState
          title={round ? t.noPeople : t.noFollowedOrganizations}
          action={{ href: "/projects", text: t.browse }}
        >
          <p>{t.noAuthorsText}</p>
        </EmptyState>
      ) : (
        <ul class="rows">
          {rows.map((row) => (
            <AuthorRow key={row.id} row={row} round={round} />
          ))}
        </ul>
      )}
    </div>
  );
};

const AuthorRow = ({ row: { name, handle, picture, path }, round }: { row: Row; round: boolean }) => {
  const t = useTexts(texts.dashboard.overview);
  const { done } = useTexts(texts.project.follow);
  const { url } = useFrame();
  return (
    <li class="card row">
      <Picture src={picture} size={40} round={round} />
      <div class="grow stack">
        <h2>
          <a href={path} dir="auto">
            {name}
          </a>
        </h2>
        {handle && <p class="muted small">{handle}</p>}
      </div>
      <Form action={`${path}/follow`} done={done.unfollow(name)} fields={{ next: url }}>
        <Button kind="quiet" small name="act" value="unfollow" aria-label={`${t.unfollow}: ${name}`}>
          {t.unfollow}
        </Button>
      </Form>
    </li>
  );
};
