// Undoing the move of a project into an organization. Open to the user who moved it, even if the organization has
// removed them since: so it does not check access to the project's settings.
import type { FastifyRequest } from "fastify";
import { findUndoableMove, type UndoableMove, undoMove } from "#content/organizations/move-project.js";
import { projectRef } from "#content/projects/contract.js";
import { write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import { needs, readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { attempt, type FormProblems } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { projectPath } from "#web/context/project-path.js";
import type { Page } from "#web/frame/layout.js";
import { narrowPage } from "#web/frame/narrow-page.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { ConfirmForm } from "#web/parts/confirm-form.js";
import { undoPath } from "#web/parts/undo-move.js";
import { texts, textsIn } from "#words/texts.js";

const shared = {
  path: "/project/:ref/settings/move/undo",
  params: projectRef,
  errors: ["moveNotFound"],
} as const;

async function getMove({ db, clock }: Resources, viewer: SignedIn, id: string): Promise<UndoableMove> {
  const move = await findUndoableMove(db, viewer.user.id, id, clock.now());
  if (!move) throw fail.moveNotFound();
  return move;
}

export const moveUndoRoutes: Route[] = [
  pageRoute(
    {
      ...shared,
      id: "getUndoMovePage",
      access: needs("project_write"),
      summary: "Ask for confirmation before the move of a project is undone",
    },
    async ({ params, viewer, request }, resources) => undoPage(request, await getMove(resources, viewer, params.ref)),
  ),

  memberFormRoute(
    {
      ...shared,
      id: "submitUndoMove",
      once: true,
      access: readable("project_write"),
      summary: "Undo the move of a project into an organization",
    },
    async ({ params, viewer, actor, request, reply }, resources) => {
      const move = await getMove(resources, viewer, params.ref);
      const problems = await attempt(() => write(resources, actor, (tx) => undoMove(tx, viewer, move.project_id)), {
        wrongState: "confirm",
      });
      return problems
        ? undoPage(request, move, problems)
        : seeOther(reply, `${projectPath(move.project_slug)}/settings/members?done=saved`);
    },
  ),
];

function undoPage(request: FastifyRequest, move: UndoableMove, problems?: FormProblems): Page {
  const t = textsIn(texts.teams.waiting, localeOf(request));
  return narrowPage(
    {
      title: t.undoTitle,
      lead: t.undoLead(move.project_name, move.org_name),
      ...(problems && { status: problems.status }),
    },
    <ConfirmForm
      action={undoPath(move)}
      button={t.undo}
      back={`${projectPath(move.project_slug)}/settings/members`}
      problems={problems}
    />,
  );
}
