// Single entries of the taxonomy: forms for new ones, the entries of each list in their order, and the form of one entry.
import type { TaxonomyDocument } from "#content/taxonomy/document.js";
import { type EntryList, entryLists, nameOf } from "#content/taxonomy/edit-entry.js";
import { categoryKinds, releaseTypes } from "#content/taxonomy/terms.js";
import { useFormat } from "#web/context/frame.js";
import { useTypes } from "#web/context/project-types.js";
import { SentenceText } from "#web/context/sentence-text.js";
import { useTexts } from "#web/context/texts.js";
import type { TagKind } from "#web/icons/marks.js";
import { shapes } from "#web/icons/shapes.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { ChoiceBoxes } from "#web/parts/choices.js";
import { Form } from "#web/parts/form.js";
import { Notice } from "#web/parts/notice.js";
import { TagIcon } from "#web/parts/tag-icon.js";
import type { Said } from "#words/said.js";
import { texts } from "#words/texts.js";

export const entryPath = "/admin/taxonomy/entry";

const textFields = {
  gameVersions: ["name", "label"],
  loaders: ["name", "label", "icon", "color"],
  categories: ["name", "icon"],
  projectTypes: ["name", "label", "plural", "path", "icon"],
} as const;

const tagKinds: Partial<Record<EntryList, TagKind>> = {
  loaders: "loader",
  categories: "category",
  projectTypes: "type",
};

/** The texts of a form by field. */
export type EntryValues = Partial<Record<string, string>>;

export interface Typed {
  list: EntryList;
  values: EntryValues;
  types: readonly string[];
  problems: readonly Said[];
}

interface Props {
  document: TaxonomyDocument;
  /** A form that was refused: it is shown as it was sent. */
  typed?: Typed | undefined;
}

export const TaxonomyEntries = ({ document, typed }: Props) => (
  <>
    {entryLists.map((list) => (
      <EntryForms key={list} list={list} document={document} typed={typed?.list === list ? typed : undefined} />
    ))}
  </>
);

const EntryForms = ({ list, document, typed }: Props & { list: EntryList }) => {
  const t = useTexts(texts.admin.taxonomy);
  const format = useFormat();
  return (
    <details class="card" open={typed !== undefined}>
      <summary>
        {t.lists[list]} <span class="muted small">{format.number(document[list].length)}</span>
      </summary>
      <div class="stack">
        <h2>{t.add[list]}</h2>
        {typed && <Problems problems={typed.problems} />}
        {/* A link to an element inside opens the list. */}
        <Form class="form" action={entryPath} id={list}>
          <input type="hidden" name="list" value={list} />
          <EntryFields
            list={list}
            document={document}
            values={typed?.values ?? {}}
            types={typed?.types ?? document.projectTypes.slice(0, 1).map(({ name }) => name)}
          />
          <Button name="action" value="add">
            {t.addEntry}
          </Button>
        </Form>
        {document[list].length > 0 && (
          <>
            <h2>{t.entries}</h2>
            <EntryOrder list={list} entries={document[list]} />
          </>
        )}
      </div>
    </details>
  );
};

export const Problems = ({ problems }: { problems: readonly Said[] }) => {
  const t = useTexts(texts.admin.taxonomy);
  return (
    <Notice kind="problem" title={t.notSaved}>
      <ul>
        {problems.map((said) => (
          <li key={String(said)}>
            <SentenceText said={said} />
          </li>
        ))}
      </ul>
    </Notice>
  );
};

/** One form for the whole list: its buttons name the entry. Dragging sends the whole order (scripts/reorder.ts). */
const EntryOrder = ({ list, entries }: { list: EntryList; entries: readonly object[] }) => {
  const t = useTexts(texts.admin.taxonomy);
  const { typeName } = useTypes();
  const kind = tagKinds[list];
  return (
    <Form action={`${entryPath}#${list}`} id={`order-${list}`} data-saved={t.ordered} data-failed={t.notOrdered}>
      <input type="hidden" name="list" value={list} />
      <input type="hidden" name="order" value="" />
      <ol class="plain-list entry-order" data-reorder={`order-${list}`}>
        {entries.map((entry, at) => {
          const name = nameOf(entry);
          return (
            <li key={name} data-id={name}>
              {/* For pointers: keyboards and assistive technology use the buttons. */}
              <span class="drag-handle" title={t.drag} aria-hidden="true" hidden>
                ⠿
              </span>
              <span class="entry-name">
                {kind && <TagIcon kind={kind} name={name} />}{" "}
                <a href={`${entryPath}?list=${list}&name=${encodeURIComponent(name)}`}>{name}</a>
                {"label" in entry && typeof entry.label === "string" && (
                  <span class="muted small"> {list === "projectTypes" ? typeName(name) : entry.label}</span>
                )}
              </span>
              <Button
                kind="quiet"
                small
                name="action"
                value={`up:${name}`}
                disabled={at === 0}
                aria-label={t.moveUpOf(name)}
              >
                ↑
              </Button>
              <Button
                kind="quiet"
                small
                name="action"
                value={`down:${name}`}
                disabled={at === entries.length - 1}
                aria-label={t.moveDownOf(name)}
              >
                ↓
              </Button>
              <Button kind="quiet" small name="action" value={`remove:${name}`} aria-label={t.removeOf(name)}>
                {t.remove}
              </Button>
            </li>
          );
        })}
      </ol>
    </Form>
  );
};

interface FieldsProps {
  list: EntryList;
  document: TaxonomyDocument;
  values: EntryValues;
  types: readonly string[];
}

const EntryFields = ({ list, document, values, types }: FieldsProps) => {
  const t = useTexts(texts.admin.taxonomy);
  const { facets } = useTexts(texts.browse.list);
  const { typeName } = useTypes();
  return (
    <>
      <div class="filter-row">
        {textFields[list].map((name) =>
          name === "icon" ? (
            <Choose
              key={name}
              name={name}
              label={t.fields.icon}
              value={values.icon}
              options={[["", t.usualIcon], ...Object.keys(shapes).map((shape) => [shape, shape] as const)]}
            />
          ) : (
            <label key={name} class="choose">
              <span>{t.fields[name]}</span>
              <input
                name={name}
                value={values[name]}
                required={name === "name"}
                maxlength={64}
                autocomplete="off"
                placeholder={name === "color" ? "#1a2b3c" : undefined}
              />
            </label>
          ),
        )}
        {list === "gameVersions" && (
          <Choose
            name="releaseType"
            label={t.fields.releaseType}
            value={values.releaseType ?? document.defaultReleaseType}
            options={releaseTypes.map((name) => [name, t.releaseTypes[name]])}
          />
        )}
        {list === "categories" && (
          <Choose
            name="kind"
            label={t.fields.kind}
            value={values.kind}
            options={categoryKinds.map((name) => [name, facets[name]])}
          />
        )}
      </div>
      {list === "gameVersions" && (
        <label class="check">
          <input type="checkbox" name="major" checked={values.major !== undefined} /> {t.fields.major}
        </label>
      )}
      {(list === "loaders" || list === "categories") && (
        <fieldset>
          <legend>{t.lists.projectTypes}</legend>
          <ChoiceBoxes
            name="projectTypes"
            options={document.projectTypes.map(({ name }) => ({ value: name, text: typeName(name) }))}
            chosen={types}
          />
        </fieldset>
      )}
    </>
  );
};

interface ChooseProps {
  name: string;
  label: string;
  value: string | undefined;
  options: readonly (readonly [value: string, text: string])[];
}

const Choose = ({ name, label, value, options }: ChooseProps) => (
  <label class="choose">
    <span>{label}</span>
    <select name={name}>
      {options.map(([option, text]) => (
        <option key={option} value={option} selected={option === value}>
          {text}
        </option>
      ))}
    </select>
  </label>
);

interface EntryProps extends FieldsProps {
  /** The present name of the entry. */
  entry: string;
  problems?: readonly Said[];
}

/** The page of one entry. */
export const TaxonomyEntry = ({ entry, problems, ...fields }: EntryProps) => {
  const t = useTexts(texts.admin.taxonomy);
  return (
    <>
      <h2 dir="auto">{entry}</h2>
      {problems && <Problems problems={problems} />}
      <Form class="form card" action={entryPath}>
        <input type="hidden" name="list" value={fields.list} />
        <EntryFields {...fields} />
        <div class="actions">
          <Button name="action" value={`edit:${entry}`}>
            {t.preview}
          </Button>
          <Button kind="danger" name="action" value={`remove:${entry}`}>
            {t.remove}
          </Button>
          <ButtonLink kind="quiet" href={`/admin/taxonomy#${fields.list}`}>
            {t.back}
          </ButtonLink>
        </div>
      </Form>
    </>
  );
};
