// The routes of the page in links.tsx.
import { type Links as LinksEdit, setLinks, toLinks } from "#content/projects/attributes.js";
import { changeProject } from "#content/projects/change.js";
import { updateProjectLinks } from "#content/projects/edit-contract.js";
import { Failure, invalid } from "#platform/errors.js";
import { parse } from "#platform/http/validation.js";
import { attempt } from "#web/context/form.js";
import { projectPath } from "#web/context/project-path.js";
import { checkStamp, isStale, staleField } from "#web/parts/conflict.js";
import { getSettingsView } from "#web/shared/settings-view.js";
import { texts, textsIn } from "#words/texts.js";
import { addressField, below, body, Links, names, places, platformField, type Typed, toSaved } from "./links.js";
import { backTo, settingsFormRoute, settingsPageRoute } from "./settings-page.js";

export const linkRoutes = [
  settingsPageRoute(
    { id: "getLinkSettingsPage", below, summary: "The form for a project's links" },
    async (view, { locale }) => ({
      title: textsIn(texts.projectSettings.frame, locale).links,
      content: <Links view={view} />,
    }),
  ),

  settingsFormRoute(
    { id: "submitLinks", below, summary: "Save a project's links", body },
    async (view, call, resources) => {
      const { stamp, next, ...typed } = call.body;
      const problems = await attempt(async () => {
        const input = toEdit(typed);
        await changeProject(resources, call, "edit_details", async (tx, project) => {
          checkStamp(stamp, toSaved(toLinks(project)));
          await setLinks(tx, project, input).catch(atFields(typed));
        });
      }, staleField);
      if (!problems) return backTo(call.reply, next, `${projectPath(view.project.slug)}${below}`);
      const present = isStale(problems) ? await getSettingsView(resources, call.viewer, view.project.id) : view;
      return {
        title: textsIn(texts.projectSettings.frame, call.locale).links,
        status: problems.status,
        content: <Links view={present} typed={typed} problems={problems} />,
      };
    },
  ),
];

/** Forms without the donation fields leave these links unchanged. Rows without any text are ignored. */
function toEdit(typed: Typed): Partial<LinksEdit> {
  const given = Object.fromEntries(names.map((name) => [name, (typed[name] ?? "").trim()]));
  const knowsSupport = typed[platformField(1)] !== undefined;
  const donationLinks = filledPlaces(typed).map((at) => rowOf(typed, at));
  try {
    const whole = { ...given, ...(knowsSupport && { donationLinks }) };
    return parse<Partial<LinksEdit>>("body", updateProjectLinks.body, whole, "body");
  } catch (error) {
    return atFields(typed)(error);
  }
}

const rowOf = (typed: Typed, at: number) => ({
  platform: (typed[platformField(at)] ?? "").trim(),
  url: (typed[addressField(at)] ?? "").trim(),
});

const filledPlaces = (typed: Typed): number[] =>
  places.filter((at) => rowOf(typed, at).platform !== "" || rowOf(typed, at).url !== "");

/** Maps the index of a link in the API to its row in the form. */
const atFields =
  (typed: Typed) =>
  (error: unknown): never => {
    if (!(error instanceof Failure) || !error.issues) throw error;
    throw invalid(
      ...error.issues.map(({ path, message }) => {
        const [, at, part] = /^donationLinks[/.](\d+)[/.](platform|url)$/.exec(path) ?? [];
        const place = at === undefined ? undefined : filledPlaces(typed)[Number(at)];
        if (place === undefined) return { path, message };
        return { path: part === "url" ? addressField(place) : platformField(place), message };
      }),
    );
  };
