// The button to save a project with one click, and the menu beside it with the user's collections. Guests are redirected to
// the sign-in page and from there to their collections.

import { lastUsed, type SaveChoice } from "#community/collections/read.js";
import { useFrame } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { Icon } from "#web/parts/icon.js";
import { ChangeForm, OneClick } from "#web/parts/save-form.js";
import { ToggleFaces } from "#web/parts/toggle.js";
import type { PageView } from "#web/shared/project-view.js";
import { texts } from "#words/texts.js";

/** `isInMenu`: in a menu there is no other menu beside it. */
export const SaveButton = ({ view: { project, collections }, isInMenu }: { view: PageView; isInMenu?: boolean }) => {
  const t = useTexts(texts.project.save);
  const { viewer } = useFrame();
  const href = `${projectPath(project.slug)}/save`;
  if (viewer.kind === "anonymous")
    return (
      <ButtonLink kind="quiet" href={href} rel="nofollow">
        <Icon name="bookmark" /> {t.title}
      </ButtonLink>
    );
  const saved = collections.filter(({ isSaved }) => isSaved);
  return (
    <div class="split-button" data-swap="save">
      {saved.length > 1 ? (
        // One click should not undo several choices.
        <ButtonLink kind="quiet" href={href}>
          <Icon name="check" /> {t.saved}
        </ButtonLink>
      ) : (
        <OneClick action={href} savedIn={saved[0]} target={lastUsed(collections)} />
      )}
      {!isInMenu && <Menu action={href} collections={collections} />}
    </div>
  );
};

/** The page of all collections has the others. */
const mostListed = 8;

const Menu = ({ action, collections }: { action: string; collections: readonly SaveChoice[] }) => {
  const t = useTexts(texts.project.save);
  return (
    <details class="menu">
      <summary class="button quiet" aria-label={t.choose} title={t.choose}>
        <Icon name="down" />
      </summary>
      <ul>
        {collections.slice(0, mostListed).map((each) => (
          <li key={each.id}>
            <ChangeForm
              action={action}
              collection={each}
              done={each.isSaved ? t.done.remove(each.name) : t.done.add(each.name)}
            >
              <Button
                name="act"
                value={each.isSaved ? "remove" : "add"}
                aria-label={each.isSaved ? t.removeFrom(each.name) : t.saveTo(each.name)}
              >
                <ToggleFaces
                  now={{ icon: each.isSaved ? "check" : "plus", text: each.name }}
                  then={{ icon: each.isSaved ? "plus" : "check", text: each.name }}
                />
              </Button>
            </ChangeForm>
          </li>
        ))}
        <li>
          <ChangeForm class="save-new" action={action} done={t.done.create}>
            <input
              id="new-collection"
              name="name"
              aria-label={t.newName}
              placeholder={t.newName}
              minlength={2}
              maxlength={32}
              required
              dir="auto"
              autocomplete="off"
            />
            <Button name="act" value="create">
              {t.create}
            </Button>
          </ChangeForm>
        </li>
        <li>
          <a href={action}>{t.all}</a>
        </li>
      </ul>
    </details>
  );
};
