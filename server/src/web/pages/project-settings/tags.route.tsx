// The routes of the page in tags.tsx.
import { maxFeatured, setTags } from "#content/projects/attributes.js";
import { changeProject } from "#content/projects/change.js";
import { updateProjectTags } from "#content/projects/edit-contract.js";
import { parse } from "#platform/http/validation.js";
import { attempt, listOf } from "#web/context/form.js";
import { projectPath } from "#web/context/project-path.js";
import { texts, textsIn } from "#words/texts.js";
import { backTo, settingsFormRoute, settingsPageRoute } from "./settings-page.js";
import { below, body, Tags } from "./tags.js";

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
      const ticked = listOf(call.body.categories);
      const before = view.project.featuredCategories;
      // A category that is newly featured is chosen too; one whose tick was removed is no longer featured.
      const selected = [...new Set(listOf(call.body.featuredCategories).filter(Boolean))].filter(
        (name) => ticked.includes(name) || !before.includes(name),
      );
      const categories = [...new Set([...ticked, ...selected])];
      const featuredCategories = selected.length > 0 ? selected : categories.slice(0, maxFeatured);
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
