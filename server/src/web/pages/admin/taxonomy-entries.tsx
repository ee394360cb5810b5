// Forms for single entries of the taxonomy: a new game version, loader, category or type, and the order of each list.
import type { TaxonomyDocument } from "#content/taxonomy/document.js";
import { type EntryList, entryLists, namesIn } from "#content/taxonomy/edit-entry.js";
import { categoryKinds, releaseTypes } from "#content/taxonomy/terms.js";
import { useTypes } from "#web/context/project-types.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { ChoiceBoxes } from "#web/parts/choices.js";
import { Form } from "#web/parts/form.js";
import { texts } from "#words/texts.js";

export const entryPath = "/admin/taxonomy/entry";

const textFields = {
  gameVersions: ["name", "label"],
  loaders: ["name", "label", "icon", "color"],
  categories: ["name", "icon"],
  projectTypes: ["name", "label", "plural", "path", "icon"],
} as const;

export const TaxonomyEntries = ({ document }: { document: TaxonomyDocument }) => (
  <>
    {entryLists.map((list) => (
      <EntryForms key={list} list={list} document={document} />
    ))}
  </>
);

const EntryForms = ({ list, document }: { list: EntryList; document: TaxonomyDocument }) => {
  const t = useTexts(texts.admin.taxonomy);
  const names = namesIn(document, list);
  const { facets } = useTexts(texts.browse.list);
  const { typeName } = useTypes();
  const types = document.projectTypes.map(({ name }) => ({ value: name, text: typeName(name) }));
  return (
    <details class="card stack">
      <summary>{t.add[list]}</summary>
      <Form class="form" action={entryPath}>
        <input type="hidden" name="list" value={list} />
        <div class="filter-row">
          {textFields[list].map((name) => (
            <label key={name} class="choose">
              <span>{t.fields[name]}</span>
              <input
                name={name}
                required={name === "name"}
                maxlength={64}
                autocomplete="off"
                placeholder={name === "color" ? "#1a2b3c" : undefined}
              />
            </label>
          ))}
          {list === "gameVersions" && (
            <Choose
              name="releaseType"
              label={t.fields.releaseType}
              options={releaseTypes.map((name) => [name, t.releaseTypes[name]])}
            />
          )}
          {list === "categories" && (
            <Choose name="kind" label={t.fields.kind} options={categoryKinds.map((name) => [name, facets[name]])} />
          )}
        </div>
        {list === "gameVersions" && (
          <label class="check">
            <input type="checkbox" name="major" /> {t.fields.major}
          </label>
        )}
        {(list === "loaders" || list === "categories") && (
          <fieldset>
            <legend>{t.types}</legend>
            <ChoiceBoxes name="projectTypes" options={types} chosen={[]} />
          </fieldset>
        )}
        <Button name="action" value="add">
          {t.addEntry}
        </Button>
      </Form>
      {names.length > 1 && (
        <Form class="filter-row" action={entryPath}>
          <input type="hidden" name="list" value={list} />
          <Choose name="name" label={t.order} options={names.map((name) => [name, name])} />
          <Button kind="quiet" name="action" value="up">
            {t.moveUp}
          </Button>
          <Button kind="quiet" name="action" value="down">
            {t.moveDown}
          </Button>
        </Form>
      )}
    </details>
  );
};

interface ChooseProps {
  name: string;
  label: string;
  options: readonly (readonly [value: string, text: string])[];
}

const Choose = ({ name, label, options }: ChooseProps) => (
  <label class="choose">
    <span>{label}</span>
    <select name={name}>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  </label>
);
