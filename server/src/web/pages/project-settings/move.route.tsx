// The routes of the page in move.tsx.
import Type from "typebox";
import { addProject, removeProject } from "#content/organizations/move-project.js";
import { write } from "#platform/changes/write.js";
import { fail, invalid } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { attempt, type FormProblems, formFields } from "#web/context/form.js";
import { projectPath } from "#web/context/project-path.js";
import { listTargets } from "#web/shared/move-targets.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { texts, textsIn } from "#words/texts.js";
import { below, Move, RemoveFromOrganization } from "./move.js";
import { backTo, type SettingsCall, settingsFormRoute, settingsPageRoute } from "./settings-page.js";

export const moveRoutes = [
  settingsPageRoute(
    {
      id: "getMoveProjectPage",
      below,
      summary: "Ask for confirmation before a project is moved to an organization",
      query: Type.Object({ org: Type.Optional(Type.String({ maxLength: 64 })) }),
    },
    async (view, call, resources) => shown(view, call, resources, call.query.org),
  ),

  settingsFormRoute(
    {
      id: "submitMoveProject",
      once: true,
      below,
      summary: "Move a project to an organization",
      body: formFields("org", "confirm"),
    },
    async (view, call, resources) => {
      const { org = "", confirm = "" } = call.body;
      const t = textsIn(texts.projectSettings.move, call.locale);
      const { project } = view;
      const problems = await attempt(
        async () => {
          if (confirm.trim() !== project.slug) throw invalid({ path: "confirm", message: t.wrongWord });
          await write(resources, call.actor, (tx) =>
            project.orgId === null
              ? addProject(tx, call.viewer, org, project.id)
              : removeProject(tx, call.viewer, project.orgId, project.id),
          );
        },
        { wrongState: "confirm" },
      );
      if (problems) return shown(view, call, resources, org, problems);
      return backTo(call.reply, undefined, `${projectPath(project.slug)}/settings/members`);
    },
  ),
];

async function shown(
  view: SettingsView,
  { viewer, locale }: SettingsCall,
  resources: Resources,
  chosen: string | undefined,
  problems?: FormProblems,
) {
  if (!view.isOwner) throw fail.ownerOnly();
  const t = textsIn(texts.projectSettings.move, locale);
  const status = problems?.status;
  if (view.project.organisation)
    return { title: t.outTitle, status, content: <RemoveFromOrganization view={view} problems={problems} /> };
  const orgs = await listTargets(resources, viewer);
  const target = orgs.find(({ slug }) => slug === chosen);
  return { title: t.title, status, content: <Move view={view} orgs={orgs} target={target} problems={problems} /> };
}
