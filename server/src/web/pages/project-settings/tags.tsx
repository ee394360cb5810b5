// A project's categories, by kind, and the three that stand beside its name.

import Type, { type Static } from "typebox";
import { maxFeatured, setTags } from "#content/projects/attributes.js";
import { changeProject } from "#content/projects/change.js";
import { updateProjectTags } from "#content/projects/edit-contract.js";
import { parse } from "#platform/http/validation.js";
import { categoryName } from "#web/context/category-names.js";
import { attempt, type FormProblems, formLists, listOf } from "#web/context/form.js";
import { useFrame } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Choices } from "#web/parts/choices.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { texts, textsIn } from "#words/texts.js";
import { SettingsForm } from "./settings-form.js";
import { backTo, settingsFormRoute, settingsPageRoute } from "./settings-page.js";

const below = "/settings/tags";
const body = Type.Object({
  ...formLists("categories", "featuredCategories").properties,
  next: Type.Optional(Type.String()),
});
type Typed = Static<typeof body>;

export const tagRoutes = [
  settingsPageRoute(
    { id: "getTagSettingsPage", below, summary: "The form for a project's categories" },
    async (view, { locale }) => ({
      title: textsIn(texts.projectSettings.frame, locale).tags,
      content: <Tags view={view} />,
    }),
  ),

  settingsFormRoute(
    { id: "submitTags", below, summary: "Save a project's categories", body },
    async (view, call, resources) => {
      const featuredCategories = [...new Set(listOf(call.body.featuredCategories).filter(Boolean))];
      // What is to stand beside the name is meant to be chosen.
      const categories = [...new Set([...listOf(call.body.categories), ...featuredCategories])];
      const given = { categories, featuredCategories };
      const problems = await attempt(async () => {
        const input = parse<typeof given>("body", updateProjectTags.body, { ...given }, "body");
        await changeProject(resources, call, "edit_details", (tx, project) =>
          setTags(tx, project, view.taxonomy, { categories: input.categories, featured: input.featuredCategories }),
        );
      });
      if (!problems) return backTo(call.reply, call.body.next, `${projectPath(view.project.slug)}${below}`);
      const content = <Tags view={view} typed={call.body} problems={problems} />;
      return { title: textsIn(texts.projectSettings.frame, call.locale).tags, status: problems.status, content };
    },
  ),
];

interface Props {
  view: SettingsView;
  typed?: Typed;
  problems?: FormProblems;
}

const Tags = ({ view, typed, problems }: Props) => {
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
      {[...kinds].map(([kind, categories]) => (
        <Choices
          key={kind}
          name="categories"
          id={`categories-${kind}`}
          legend={t.kinds[kind]}
          options={toChoices(categories)}
          chosen={chosen}
        />
      ))}
      <fieldset class="field">
        <legend>{t.featured}</legend>
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
