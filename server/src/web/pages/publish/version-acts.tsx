// Taking a bad release back: yank it, offer it again, or delete it. Each is asked about on a page of its own.

import { changeProject, getEditableProject } from "#content/projects/change.js";
import type { Version } from "#content/shapes/version.js";
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
import { useTexts } from "#web/context/texts.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { Button } from "#web/parts/button.js";
import { ConfirmForm } from "#web/parts/confirm-form.js";
import { Form } from "#web/parts/form.js";
import { CheckboxField, TextAreaField } from "#web/parts/input-fields.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { authorPage } from "./author-page.js";
import { getTeamVersion, versionParams, versionPath } from "./edit-version.js";

const refusals = ["projectNotFound", "versionNotFound", "permissionMissing", "membersOnly"] as const;
const yankPath = "/project/:ref/version/:version/yank";
const deletePath = "/project/:ref/version/:version/delete";

interface Subject {
  view: SettingsView;
  version: Version;
}

export const versionActRoutes = [
  pageRoute(
    {
      id: "getYankPage",
      path: yankPath,
      access: needs("version_write"),
      summary: "The question whether to yank a version, or to offer it again",
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
      summary: "Yank a version, or offer it again",
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
      summary: "The question whether to delete a version",
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

interface YankBody {
  reason?: string;
  replacement?: string;
  security?: string;
}

/** What was typed, within what the API takes. */
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

interface YankProps extends Subject {
  typed: YankBody;
  problems: FormProblems | undefined;
}

const longestReason = 256;

const Yank = ({ view, version, typed, problems }: YankProps) => {
  const t = useTexts(texts.publish.versionActs);
  const back = versionPath(view.project.slug, version);
  const others = view.versions.filter(({ id, yanked }) => id !== version.id && !yanked);
  if (version.yanked)
    return (
      <Form class="form card" action={`${back}/yank`}>
        <p>{t.unyankText}</p>
        <input type="hidden" name="undo" value="yes" />
        <Button>{t.unyank}</Button>
      </Form>
    );
  return (
    <ConfirmForm action={`${back}/yank`} button={t.yank} back={back} problems={problems}>
      <p>{t.yankText}</p>
      <TextAreaField
        name="reason"
        label={t.reason}
        hint={t.reasonHint}
        rows={3}
        lengths={[0, longestReason]}
        value={typed.reason}
        problems={problems}
      />
      {(others.length > 0 || problems?.fields.replacement) && (
        <div class="field">
          <label for="replacement">{t.replacement}</label>
          <span class="hint">{t.replacementHint}</span>
          <select id="replacement" name="replacement">
            <option value="">{t.noReplacement}</option>
            {others.slice(0, 50).map(({ id, own }) => (
              <option key={id} value={id} selected={id === typed.replacement}>
                {own.value.versionNumber}
              </option>
            ))}
          </select>
          {problems?.fields.replacement && <span class="wrong">{problems.fields.replacement}</span>}
        </div>
      )}
      <CheckboxField
        name="security"
        label={t.security}
        hint={t.securityHint}
        checked={typed.security !== undefined}
        problems={problems}
      />
    </ConfirmForm>
  );
};

function deletePage({ view, version }: Subject, locale: Locale, problems?: FormProblems) {
  const title = textsIn(texts.publish.versionActs, locale).deleteTitle(version.versionNumber);
  const meta = { project: view.project, title, status: problems?.status };
  return authorPage(meta, <Delete view={view} version={version} problems={problems} />);
}

const Delete = ({ view, version, problems }: Subject & { problems: FormProblems | undefined }) => {
  const t = useTexts(texts.publish.versionActs);
  const back = versionPath(view.project.slug, version);
  return (
    <ConfirmForm
      action={`${back}/delete`}
      button={t.delete}
      back={back}
      word={version.versionNumber}
      problems={problems}
    >
      <p>{t.deleteText}</p>
      {!version.yanked && (
        <p>
          <a href={`${back}/yank`}>{t.yankInstead}</a>
        </p>
      )}
    </ConfirmForm>
  );
};
