// The view of the gallery settings: each picture with its fields and buttons, and a form to add some.

import type { GalleryItem } from "#content/shapes/project.js";
import { formatBytes } from "#lib/format-bytes.js";
import { lengths } from "#lib/lengths.js";
import type { FormProblems } from "#web/context/form.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { CopyButton } from "#web/parts/copy-button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { FileField } from "#web/parts/input-fields.js";
import { Notice } from "#web/parts/notice.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import { TextField } from "#web/parts/text-field.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { texts } from "#words/texts.js";
import { PermissionMissing } from "./settings-page.js";

/** The pictures that one form can add: each is decoded while the visitor waits. */
export const mostAtOnce = 12;

interface Props {
  view: SettingsView;
  maxBytes: number;
  added?: number;
  problems?: FormProblems;
  typed?: Record<string, string | undefined>;
  itemId?: string;
}

export const GallerySettings = ({ view, maxBytes, added, problems, typed, itemId }: Props) => {
  const t = useTexts(texts.projectSettings.gallery);
  const { project, permissions } = view;
  const action = `${projectPath(project.slug)}/settings/gallery`;
  const labels = { image: t.picture, title: t.title, description: t.description };
  const isNew = itemId === undefined;
  if (!permissions.has("edit_details")) return <PermissionMissing permission="edit_details" />;
  return (
    <>
      {added !== undefined && <Notice title={t.added(added)} />}
      {problems && <ProblemSummary problems={problems} labels={labels} />}
      <Form class="form card" action={action} hasFiles>
        <h2>{t.add}</h2>
        <FileField
          name="image"
          label={t.picture}
          hint={t.pictureHint(formatBytes(maxBytes), mostAtOnce)}
          multiple
          accept="image/png,image/jpeg,image/gif,image/webp"
          required
          problems={isNew ? problems : undefined}
        />
        <div class="side-by-side">
          <TextField
            name="title"
            label={t.title}
            hint={t.titleHint}
            lengths={lengths.galleryTitle}
            value={isNew ? typed?.title : undefined}
            problems={isNew ? problems : undefined}
          />
          <TextField
            name="description"
            label={t.description}
            lengths={lengths.galleryDescription}
            value={isNew ? typed?.description : undefined}
            problems={isNew ? problems : undefined}
          />
        </div>
        <Button>{t.add}</Button>
      </Form>
      {project.gallery.length > 1 && (
        <Form action={`${action}/order`} id="gallery-order" data-saved={t.ordered} data-failed={t.notOrdered} hidden>
          <input type="hidden" name="order" />
        </Form>
      )}
      {project.gallery.length === 0 ? (
        <EmptyState title={t.empty}>
          <p>{t.emptyText}</p>
        </EmptyState>
      ) : (
        <ul class="rows" data-reorder="gallery-order">
          {project.gallery.map((item, at) => (
            <Item
              key={item.id}
              item={item}
              action={`${action}/${item.id}`}
              isFirst={at === 0}
              isLast={at === project.gallery.length - 1}
              {...(item.id === itemId && { problems, typed })}
            />
          ))}
        </ul>
      )}
    </>
  );
};

interface ItemProps {
  item: GalleryItem;
  action: string;
  isFirst: boolean;
  isLast: boolean;
  problems?: FormProblems | undefined;
  typed?: Record<string, string | undefined> | undefined;
}

const Item = ({ item, action, isFirst, isLast, problems, typed }: ItemProps) => {
  const t = useTexts(texts.projectSettings.gallery);
  const button = (act: string, text: string, isOff = false) => (
    <Button kind="quiet" small name="act" value={act} disabled={isOff}>
      {text}
    </Button>
  );
  const field = (name: "title" | "description", value: string, [least, most]: readonly [number, number]) => (
    <div class="field">
      <label for={`${name}-${item.id}`}>{t[name]}</label>
      <input
        id={`${name}-${item.id}`}
        name={name}
        value={typed?.[name] ?? value}
        required={least > 0}
        minlength={least}
        maxlength={most}
        autocomplete="off"
        dir="auto"
        aria-invalid={problems?.fields[name] ? true : undefined}
      />
      {problems?.fields[name] && <span class="wrong">{problems.fields[name]}</span>}
    </div>
  );
  return (
    <li class="card picture-row" id={`img-${item.id}`} data-id={item.id}>
      <a href={item.image}>
        <img class="gallery-thumb" src={item.imageThumbnail} alt={item.name} width={420} height={236} loading="lazy" />
      </a>
      {/* For pointers: keyboards and assistive technology use the buttons below. */}
      <span class="drag-handle" title={t.drag} aria-hidden="true" hidden>
        ⠿
      </span>
      <Form class="form" action={action}>
        {field("title", item.name, lengths.galleryTitle)}
        {field("description", item.description, lengths.galleryDescription)}
        {item.featured && <p class="small">★ {t.featured}</p>}
        <div class="actions">
          <Button small name="act" value="save">
            {t.save}
          </Button>
          {button("up", `↑ ${t.up}`, isFirst)}
          {button("down", `↓ ${t.down}`, isLast)}
          {item.featured ? button("unfeature", t.unfeature) : button("feature", t.feature)}
          <CopyButton text={`![${item.name.replace(/[[\]\\]/g, "")}](${item.image})`} label={t.copy} />
          <ButtonLink kind="quiet" small href={`${action}/remove`}>
            {t.remove}
          </ButtonLink>
        </div>
      </Form>
    </li>
  );
};
