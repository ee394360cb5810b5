// The routes of the page in disclosures.tsx.
import { setDisclosures } from "#content/projects/attributes.js";
import { changeProject } from "#content/projects/change.js";
import { DisclosuresEdit, statementNames } from "#content/shapes/disclosures.js";
import { Failure, invalid } from "#platform/errors.js";
import { parse } from "#platform/http/validation.js";
import { attempt, listOf } from "#web/context/form.js";
import { projectPath } from "#web/context/project-path.js";
import { say } from "#words/said.js";
import { texts, textsIn } from "#words/texts.js";
import { below, body, DisclosureForm, fieldOf, type Typed } from "./disclosures.js";
import { backTo, settingsFormRoute, settingsPageRoute } from "./settings-page.js";

export const disclosureRoutes = [
  settingsPageRoute(
    { id: "getDisclosureSettingsPage", below, summary: "The form for what a project's author discloses" },
    async (view, { locale }) => ({
      title: textsIn(texts.projectSettings.frame, locale).disclosures,
      content: <DisclosureForm view={view} />,
    }),
  ),

  settingsFormRoute(
    { id: "submitDisclosures", below, summary: "Save what a project's author discloses", body },
    async (view, call, resources) => {
      const problems = await attempt(async () => {
        const input = toEdit(call.body);
        await changeProject(resources, call, "edit_details", (tx, project) =>
          setDisclosures(tx, project, input).catch(atFields),
        );
      });
      if (!problems) return backTo(call.reply, call.body.next, `${projectPath(view.project.slug)}${below}`);
      const content = <DisclosureForm view={view} typed={call.body} problems={problems} />;
      return { title: textsIn(texts.projectSettings.frame, call.locale).disclosures, status: problems.status, content };
    },
  ),
];

/** A subject that the form does not have stays as it is. Fields that belong to another answer are ignored. */
function toEdit(typed: Typed): DisclosuresEdit {
  const kinds = listOf(typed.aiKinds);
  if (typed.ai === "yes" && kinds.length === 0) throw invalid({ path: "aiKinds", message: say.problems.aiKinds });
  const statements = statementNames.map((name) => {
    const [details, url] = [typed[fieldOf(name, "details")] ?? "", typed[fieldOf(name, "url")] ?? ""];
    const isPresent = typed[name] === "yes";
    const stated = { present: isPresent, ...(isPresent && { details: details.trim(), url: url.trim() }) };
    return [name, answerOf(typed[name], stated)];
  });
  const whole = { ai: answerOf(typed.ai, typed.ai === "yes" ? kinds : []), ...Object.fromEntries(statements) };
  try {
    return parse<DisclosuresEdit>("body", DisclosuresEdit, whole, "body");
  } catch (error) {
    return atFields(error);
  }
}

const answerOf = <T,>(answer: string | undefined, stated: T): T | null | undefined =>
  answer === undefined ? undefined : answer === "" ? null : stated;

/** Maps the paths of the API to the fields of the form. */
function atFields(error: unknown): never {
  if (!(error instanceof Failure) || !error.issues) throw error;
  throw invalid(
    ...error.issues.map(({ path, message }) => {
      const [subject = "", part = ""] = path.split(/[./]/);
      const name = statementNames.find((each) => each === subject);
      if (name) return { path: part === "url" ? fieldOf(name, "url") : fieldOf(name, "details"), message };
      return { path: subject === "ai" ? "aiKinds" : path, message };
    }),
  );
}
