// Where else a project is: its issues, source, wiki and talk.
import type { Static } from "typebox";
import { parse } from "../../../http/validation.js";
import { lengths } from "../../../lib/lengths.js";
import { setLinks } from "../../../projects/attributes.js";
import { updateProjectLinks } from "../../../projects/edit-contract.js";
import { changeProject } from "../../../projects/locking.js";
import type { Project } from "../../../projects/shapes.js";
import { attempt, type FormProblems, formFields } from "../../form.js";
import { ConflictNotice, StampField, stampOf } from "../../parts/conflict.js";
import { ProblemSummary } from "../../parts/problem-summary.js";
import { projectPath } from "../../parts/project-card.js";
import { defineTexts, textsIn, useTexts } from "../../texts.js";
import { TextField } from "../account/text-field.js";
import { backTo, PermissionMissing, settingsFormRoute, settingsPageRoute } from "./settings-page.js";
import { settingsTexts } from "./settings-texts.js";
import type { SettingsView } from "./settings-view.js";

const texts = defineTexts({
  en: {
    lead: "Whole addresses that begin with https://. Empty ones are not shown.",
    labels: {
      issueTracker: "Issue tracker",
      sourceCode: "Source code",
      wikiPage: "Wiki",
      discordServer: "Discord server",
    },
    save: "Save the links",
  },
  de: {
    lead: "Ganze Adressen, die mit https:// beginnen. Leere werden nicht gezeigt.",
    labels: {
      issueTracker: "Fehlermeldungen",
      sourceCode: "Quelltext",
      wikiPage: "Wiki",
      discordServer: "Discord-Server",
    },
    save: "Verweise speichern",
  },
});

const below = "/settings/links";
const names = ["issueTracker", "sourceCode", "wikiPage", "discordServer"] as const;
const body = formFields(...names, "stamp", "next");
type Typed = Static<typeof body>;

const saved = (project: Project): Record<(typeof names)[number], string> => ({
  issueTracker: project.issueTrackerUrl ?? "",
  sourceCode: project.projectSourceUrl ?? "",
  wikiPage: project.projectWikiUrl ?? "",
  discordServer: project.discordInviteUrl ?? "",
});

export const linkRoutes = [
  settingsPageRoute(
    { id: "getLinkSettingsPage", below, summary: "The form for a project's links" },
    async (view, { locale }) => ({ title: textsIn(settingsTexts, locale).links, content: <Links view={view} /> }),
  ),

  settingsFormRoute(
    { id: "submitLinks", below, summary: "Save a project's links", body },
    async (view, call, resources) => {
      const { stamp, next, ...typed } = call.body;
      const again = (more: Partial<Props>, status: number) => ({
        title: textsIn(settingsTexts, call.locale).links,
        status,
        content: <Links view={view} typed={typed} {...more} />,
      });
      if (stamp && stamp !== stampOf(saved(view.project))) return again({ isConflict: true }, 409);
      const problems = await attempt(async () => {
        const given = Object.fromEntries(names.map((name) => [name, (typed[name] ?? "").trim()]));
        const input = parse<Typed>("body", updateProjectLinks.body, given, "body");
        await changeProject(resources, call, "edit_details", (tx, project) => setLinks(tx, project, input));
      });
      if (problems) return again({ problems }, problems.status);
      return backTo(call.reply, next, `${projectPath(view.project.slug)}${below}`);
    },
  ),
];

interface Props {
  view: SettingsView;
  typed?: Typed;
  problems?: FormProblems;
  isConflict?: boolean;
}

const Links = ({ view: { project, permissions }, typed, problems, isConflict = false }: Props) => {
  const t = useTexts(texts);
  const now = saved(project);
  const canEdit = permissions.has("edit_details");
  return (
    <>
      <p class="lead">{t.lead}</p>
      {!canEdit && <PermissionMissing permission="edit_details" />}
      {isConflict && <ConflictNotice saved={now} typed={typed ?? {}} labels={t.labels} />}
      {problems && <ProblemSummary problems={problems} labels={t.labels} />}
      <form class="form card" method="post" action={`${projectPath(project.slug)}${below}`}>
        <StampField stamp={stampOf(now)} />
        <fieldset class="form" disabled={!canEdit}>
          {names.map((name) => (
            <TextField
              key={name}
              name={name}
              label={t.labels[name]}
              value={typed?.[name] ?? now[name]}
              maxLength={lengths.link[1]}
              problems={problems}
            />
          ))}
        </fieldset>
        {canEdit && (
          <button class="button" type="submit">
            {t.save}
          </button>
        )}
      </form>
    </>
  );
};
