// The routes of the page in version-acts.tsx.
import { changeProject, getEditableProject } from "#content/projects/change.js";
import { getVersionRow, unyankVersion, yankVersion } from "#content/versions/edit.js";
import { yankVersion as yankContract } from "#content/versions/edit-contract.js";
import { removeVersion } from "#content/versions/remove.js";
import { invalid } from "#platform/errors.js";
import { needs, readable } from "#platform/http/access.js";
import { parse } from "#platform/http/validation.js";
import { attempt, type FormProblems, formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { projectPath } from "#web/context/project-path.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { authorPage } from "./author-page.js";
import { versionPath } from "./edit-version.js";
import { getTeamVersion, versionParams } from "./edit-version.route.js";
import { Delete, type Subject, Yank, type YankBody } from "./version-acts.js";

const refusals = ["projectNotFound", "versionNotFound", "permissionMissing", "membersOnly"] as const;

const yankPath = "/project/:ref/version/:version/yank";

const deletePath = "/project/:ref/version/:version/delete";

export const versionActRoutes = [
  pageRoute(
    {
      id: "getYankPage",
      path: yankPath,
      access: needs("version_write"),
      summary: "Ask for confirmation before a version is yanked or restored",
      params: versionParams,
      errors: refusals,
    },
    async ({ params, viewer, request }, resources) => {
      await getEditableProject(resources.db, viewer, params.ref, "upload_version");
      return yankPage(await getTeamVersion(resources, viewer, params), localeOf(request));
    },
  ),

  memberFormRoute(
    {
      id: "submitYank",
      path: yankPath,
      access: readable("version_write"),
      summary: "Yank or restore a version",
      params: versionParams,
      body: formFields("reason", "replacement", "security", "undo"),
      errors: refusals,
    },
    async (call, resources) => {
      const subject = await getTeamVersion(resources, call.viewer, call.params);
      const { body } = call;
      const locale = localeOf(call.request);
      const problems = await attempt(async () => {
        const reason = body.undo ? "" : reasonOf(body, locale);
        await changeProject(resources, call, "upload_version", async (tx, project) => {
          const version = await getVersionRow(tx.db, project.id, subject.version.id);
          if (body.undo) await unyankVersion(tx, version);
          else
            await yankVersion(tx, version, {
              reason,
              replacement: body.replacement,
              isDanger: body.security !== undefined,
            });
        });
      });
      if (problems) return yankPage(subject, locale, body, problems);
      return seeOther(call.reply, versionPath(subject.view.project.slug, subject.version));
    },
  ),

  pageRoute(
    {
      id: "getDeleteVersionPage",
      path: deletePath,
      access: needs("version_delete"),
      summary: "Ask for confirmation before a version is deleted",
      params: versionParams,
      errors: refusals,
    },
    async ({ params, viewer, request }, resources) => {
      await getEditableProject(resources.db, viewer, params.ref, "delete_version");
      return deletePage(await getTeamVersion(resources, viewer, params), localeOf(request));
    },
  ),

  memberFormRoute(
    {
      id: "submitDeleteVersion",
      once: true,
      path: deletePath,
      access: readable("version_delete"),
      summary: "Delete a version",
      params: versionParams,
      body: formFields("confirm"),
      errors: refusals,
    },
    async (call, resources) => {
      const subject = await getTeamVersion(resources, call.viewer, call.params);
      const { versionNumber, id } = subject.version;
      const locale = localeOf(call.request);
      const { wrongNumber } = textsIn(texts.publish.versionActs, locale);
      if (call.body.confirm?.trim() !== versionNumber)
        return deletePage(subject, locale, { status: 400, message: wrongNumber, fields: { confirm: wrongNumber } });
      await changeProject(resources, call, "delete_version", async (tx, project) =>
        removeVersion(tx, await getVersionRow(tx.db, project.id, id), resources.config.limits),
      );
      return seeOther(call.reply, `${projectPath(subject.view.project.slug)}/versions`);
    },
  ),
];

/** The typed reason, checked as in the API. */
function reasonOf({ reason = "", security }: YankBody, locale: Locale): string {
  const text = reason.replace(/\s+/g, " ").trim();
  if (security !== undefined && text === "")
    throw invalid({ path: "reason", message: textsIn(texts.publish.versionActs, locale).securityReason });
  return parse<{ reason: string }>("body", yankContract.body, { reason: text }, "body").reason;
}

function yankPage({ view, version }: Subject, locale: Locale, typed: YankBody = {}, problems?: FormProblems) {
  const t = textsIn(texts.publish.versionActs, locale);
  const title = (version.yanked ? t.unyankTitle : t.yankTitle)(version.versionNumber);
  const meta = { project: view.project, title, status: problems?.status };
  return authorPage(meta, <Yank view={view} version={version} typed={typed} problems={problems} />);
}

function deletePage({ view, version }: Subject, locale: Locale, problems?: FormProblems) {
  const title = textsIn(texts.publish.versionActs, locale).deleteTitle(version.versionNumber);
  const meta = { project: view.project, title, status: problems?.status };
  return authorPage(meta, <Delete view={view} version={version} problems={problems} />);
}
