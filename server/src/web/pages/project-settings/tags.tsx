// A project's categories, by kind, and up to three featured ones.
import Type, { type Static } from "typebox";
import { maxFeatured } from "#content/projects/attributes.js";
import { categoryName } from "#web/context/category-names.js";
import { type FormProblems, formLists, listOf } from "#web/context/form.js";
import { useFrame } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { Choices } from "#web/parts/choices.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { texts } from "#words/texts.js";
import { SettingsForm } from "./settings-form.js";

export const below = "/settings/tags";

export const body = Type.Object({
  ...formLists("categories", "featuredCategories").properties,
  next: Type.Optional(Type.String()),
});

type Typed = Static<typeof body>;

interface Props {
  view: SettingsView;
  typed?: Typed;
  problems?: FormProblems;
}

export const Tags = ({ view, typed, problems }: Props) => {
  const t = useTexts(texts.projectSettings.tags);
  const { project, taxonomy } = view;
  const { locale } = useFrame();
  const allowed = taxonomy.categoriesAllowed(project.type);
  const offered = taxonomy.categories.filter(({ name }) => allowed.has(name));
  const chosen = typed ? listOf(typed.categories) : project.categories;
  const featured = typed ? listOf(typed.featuredCategories) : project.featuredCategories;
  const toChoices = (names: readonly { name: string }[]) =>
    names.map(({ name }) => ({ value: name, text: categoryName(name, locale) }));
  const kinds = Map.groupBy(offered, ({ type }) => type);
  if (offered.length === 0) return <p>{t.none}</p>;
  return (
    <SettingsForm
      {...{ view, below, problems }}
      labels={{ featuredCategories: t.featured }}
      lead={t.lead}
      save={t.save}
    >
      {[...kinds].map(([kind, categories], at) => (
        <Choices
          key={kind}
          name="categories"
          id={at === 0 ? "categories" : `categories-${kind}`}
          legend={t.kinds[kind]}
          options={toChoices(categories)}
          chosen={chosen}
        />
      ))}
      <fieldset class="field">
        <legend>{t.featured}</legend>
        <span class="hint">{t.featuredHint}</span>
        <div class="side-by-side three">
          {Array.from({ length: maxFeatured }, (_, at) => (
            <select key={at} name="featuredCategories" aria-label={`${t.featured}: ${t.place(at + 1)}`}>
              <option value="">{t.nothing}</option>
              {toChoices(offered).map(({ value, text }) => (
                <option key={value} value={value} selected={featured[at] === value}>
                  {text}
                </option>
              ))}
            </select>
          ))}
        </div>
      </fieldset>
    </SettingsForm>
  );
};
