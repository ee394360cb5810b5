// The routes of the page in edit-version.tsx.
import Type from "typebox";
import { projectRef } from "#content/projects/contract.js";
import type { Version } from "#content/shapes/version.js";
import { listOpenUploads, toUpload } from "#content/uploads/read.js";
import { findEdited, saveVersion } from "#content/versions/edit.js";
import { findVersion } from "#content/versions/policy.js";
import { showVersionsTo } from "#content/versions/read.js";
import { fail } from "#platform/errors.js";
import { needs, readable } from "#platform/http/access.js";
import type { Resources } from "#platform/http/resources.js";
import { Ref } from "#platform/http/schemas.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { attempt, listOf } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { getSettingsView, type SettingsView } from "#web/shared/settings-view.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { authorPage } from "./author-page.js";
import { listUnknown, nameDependencies, withVersionIds } from "./dependency-names.js";
import { EditVersion, path, type Shown, versionPath } from "./edit-version.js";
import { fieldOf, storeFiles } from "./new-version.route.js";
import { asksForMore, toParts, toValues, valuesOf, versionBody, versionFiles } from "./version-input.js";

export const versionParams = Type.Object({ ...projectRef.properties, version: Ref("Version id or slug") });

const refusals = ["projectNotFound", "versionNotFound", "permissionMissing", "membersOnly"] as const;

/** The version and its project, if the visitor is in its team. */
export async function getTeamVersion(
  resources: Resources,
  viewer: SignedIn,
  params: { ref: string; version: string },
): Promise<{ view: SettingsView; version: Version }> {
  const view = await getSettingsView(resources, viewer, params.ref);
  const version = findVersion(view.versions, params.version);
  if (!version) throw fail.versionNotFound();
  const shown = await showVersionsTo(resources.db, viewer, [version]);
  const { dependencies, ...rest } = shown(version).own.value;
  // The form does not show what follows from the file: it cannot be changed.
  const ofPack = new Set(version.dependencies.flatMap((each) => (each.from_pack === 1 ? each.on_project_id : [])));
  return { view, version: { ...rest, dependencies: dependencies.filter(({ projectId }) => !ofPack.has(projectId)) } };
}

export const editVersionRoutes = [
  pageRoute(
    {
      id: "getEditVersionPage",
      path,
      access: needs("version_write"),
      summary: "The form to change a version",
      params: versionParams,
      errors: refusals,
    },
    async ({ params, viewer, request }, resources) => {
      await findEdited(resources, { viewer, params });
      const { view, version } = await getTeamVersion(resources, viewer, params);
      const values = valuesOf(version, await nameDependencies(resources, viewer, version));
      return shown(view, resources, localeOf(request), { version, values, uploads: [] });
    },
  ),

  memberFormRoute(
    {
      id: "submitEditVersion",
      path,
      access: readable("version_write"),
      summary: "Save a version",
      params: versionParams,
      body: versionBody,
      files: { additionalFiles: versionFiles.additionalFiles },
      streams: true,
      errors: refusals,
    },
    async (call, resources) => {
      const { viewer, params, body, reply } = call;
      const { view, version } = await getTeamVersion(resources, viewer, params);
      const values = toValues(body, view.taxonomy);
      const additionalFiles = call.staged.additionalFiles ?? [];
      const additionalUploads = listOf(body.additionalUploads).filter(Boolean);
      const isAsked = asksForMore(body);
      const refused = await attempt(
        async () => {
          if (isAsked) return;
          const dependencies = await withVersionIds(resources, viewer, values.dependencies);
          const parts = toParts({ ...values, dependencies });
          await saveVersion(resources, call, { parts, additionalFiles, additionalUploads });
        },
        {
          ...fieldOf,
          fileRefused: "additionalFiles",
          packInvalid: "additionalFiles",
          fileTooLarge: "additionalFiles",
          uploadNotFound: "additionalFiles",
        },
      );
      if (!refused && !isAsked) return seeOther(reply, versionPath(view.project.slug, version));
      const locale = localeOf(call.request);
      // Another row is not a problem, but the files are kept in the same way.
      const problems = refused ?? { status: 200, message: "", fields: {} };
      const isFileWrong = problems.fields.additionalFiles !== undefined;
      const staged = { primaryFile: [], additionalFiles: isFileWrong ? [] : additionalFiles };
      const { notKept } = textsIn(texts.publish.versionForm, locale);
      const kept = await storeFiles(resources, call, staged, problems, notKept);
      const ids = new Set([...additionalUploads, ...kept.additionalFiles]);
      const open = await listOpenUploads(resources.db, viewer.user.id, resources.clock.now());
      const uploads = open.filter(({ id }) => ids.has(id)).map((row) => toUpload(row, locale));
      return shown(view, resources, locale, {
        ...{ version, values, uploads },
        unknown: problems.fields.dependencies ? await listUnknown(resources, viewer, values.dependencies) : undefined,
        problems: isAsked && Object.keys(problems.fields).length === 0 ? undefined : problems,
      });
    },
    {
      before: async ({ viewer, params }, resources) => {
        await findEdited(resources, { viewer, params });
      },
    },
  ),
];

const shown = (view: SettingsView, { config }: Resources, locale: Locale, form: Shown) =>
  authorPage(
    {
      project: view.project,
      title: textsIn(texts.publish.versionForm, locale).editTitle(form.version.versionNumber),
      status: form.problems?.status,
      scripts: ["editor", "uploader"],
    },
    <EditVersion view={view} limits={config.limits} {...form} />,
  );
