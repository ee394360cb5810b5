// The forms that save a project to a collection, or remove it: the button of its page and the button of its card.
import type { OwnSaves, SaveChoice } from "#community/collections/read.js";
import type { ProjectListItem } from "#content/shapes/project.js";
import type { Children } from "#lib/jsx-runtime.js";
import { useFrame } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";
import { Button, ButtonLink } from "./button.js";
import { Form } from "./form.js";
import { Icon } from "./icon.js";
import { ToggleFaces } from "./toggle.js";

type Named = Pick<SaveChoice, "id" | "name">;

interface OneClickProps {
  action: string;
  savedIn: Named | undefined;
  /** The collection to save to; absent if it is created with the first click. */
  target: Named | undefined;
  /** On a card: the name of the project. The button then shows its icon only. */
  of?: string;
}

export const OneClick = ({ action, savedIn, target, of }: OneClickProps) => {
  const t = useTexts(texts.project.save);
  const off = { icon: "bookmark", text: of === undefined ? t.title : "" } as const;
  const on = { icon: "check", text: of === undefined ? t.saved : "" } as const;
  const name = savedIn?.name ?? target?.name ?? t.first;
  const title = savedIn ? t.removeFrom(name) : t.saveTo(name);
  const small = of === undefined ? {} : { ...smallFace, "aria-label": `${of}: ${title}` };
  return (
    <ChangeForm action={action} collection={savedIn} done={savedIn ? t.done.remove(name) : t.done.add(name)}>
      <Button kind="quiet" name="act" value={savedIn ? "remove" : "add"} title={title} {...small}>
        <ToggleFaces now={savedIn ? on : off} then={savedIn ? off : on} />
      </Button>
    </ChangeForm>
  );
};

const smallFace = { small: true, class: "icon-only" } as const;

interface ChangeProps {
  action: string;
  collection?: Named | undefined;
  done: string;
  class?: string;
  children: Children;
}

export const ChangeForm = ({ action, collection, done, children, ...rest }: ChangeProps) => {
  const { url } = useFrame();
  return (
    <Form
      action={action}
      done={done}
      fields={{ next: url, ...(collection && { collection: collection.id }) }}
      {...rest}
    >
      {children}
    </Form>
  );
};

/** For signed-in users only: the cards of guests are the same for everyone. */
export const SaveOnCard = ({ project, saves }: { project: ProjectListItem; saves: OwnSaves }) => {
  const t = useTexts(texts.project.save);
  const { id, slug, name } = project;
  const action = `${projectPath(slug)}/save`;
  const savedIn = saves.savedIn.get(id) ?? [];
  return (
    <div class="project-card-save" data-swap={`save ${id}`}>
      {savedIn.length > 1 ? (
        // One click should not undo several choices.
        <ButtonLink kind="quiet" {...smallFace} href={action} aria-label={`${name}: ${t.saved}`} title={t.saved}>
          <Icon name="check" />
        </ButtonLink>
      ) : (
        <OneClick action={action} savedIn={savedIn[0]} target={saves.target} of={name} />
      )}
    </div>
  );
};
