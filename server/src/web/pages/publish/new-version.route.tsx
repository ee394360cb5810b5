// The routes of the page in new-version.tsx.
import Type from "typebox";
import { projectRef } from "#content/projects/contract.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import type { Upload } from "#content/uploads/contract.js";
import { listUploadRows, toUpload } from "#content/uploads/read.js";
import { type Author, adoptFile } from "#content/uploads/write.js";
import { versionEntries } from "#content/versions/entries.js";
import { getPublishableProject, publishFrom } from "#content/versions/publish.js";
import { findSameFile } from "#content/versions/read.js";
import { invalid } from "#platform/errors.js";
import { needs, readable } from "#platform/http/access.js";
import type { StagedFile } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { attempt, type FormProblems, listOf } from "#web/context/form.js";
import { movedTo, seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { projectPath } from "#web/context/project-path.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { canonicalUrl } from "#web/shared/project-view.js";
import { getSettingsView, type SettingsView } from "#web/shared/settings-view.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { authorPage } from "./author-page.js";
import { listUnknown, withVersionIds } from "./dependency-names.js";
import { Archived, NewVersion, type Shown } from "./new-version.js";
import { blankVersion, type VersionValues, versionValues } from "./prefill.js";
import { asksForMore, toParts, toValues, versionBody, versionFiles } from "./version-input.js";

const path = "/project/:ref/version/new";

const refusals = ["projectNotFound", "permissionMissing", "membersOnly"] as const;

export const newVersionRoutes = [
  pageRoute(
    {
      id: "getNewVersionPage",
      path,
      access: needs("version_create"),
      summary: "The form for a new version",
      params: projectRef,
      query: Type.Object({ upload: Type.Optional(Type.String({ maxLength: 64 })) }),
      errors: refusals,
    },
    async ({ params, query, viewer, request, reply }, resources) => {
      const view = await getSettingsView(resources, viewer, params.ref);
      if (params.ref !== view.project.slug) return movedTo(reply, canonicalUrl(request, view.project.slug));
      const locale = localeOf(request);
      if (view.project.visibility !== "archived") await getPublishableProject(resources.db, viewer, params.ref);
      const [upload] = await listUploads(resources, viewer, query.upload ? [query.upload] : [], locale);
      const values = await firstValues(resources, viewer, view, upload);
      const same = await sameAs(resources, view, upload?.sha512);
      return shown(view, resources, locale, { values, primary: upload ? [upload] : [], additional: [], same });
    },
  ),

  memberFormRoute(
    {
      id: "submitNewVersion",
      once: true,
      path,
      access: readable("version_create"),
      rate: "upload",
      summary: "Publish a version",
      params: projectRef,
      body: versionBody,
      files: versionFiles,
      streams: true,
      errors: refusals,
    },
    async (call, resources) => {
      const { viewer, params, body, reply } = call;
      const project = await getPublishableProject(resources.db, viewer, params.ref);
      const values = toValues(body, await getTaxonomy(resources));
      const staged = { primaryFile: call.staged.primaryFile ?? [], additionalFiles: call.staged.additionalFiles ?? [] };
      const [primaryUpload] = listOf(body.primaryUpload).filter(Boolean);
      const additionalUploads = listOf(body.additionalUploads).filter(Boolean);
      const locale = localeOf(call.request);
      let versionId = "";
      const isAsked = asksForMore(body);
      const refused = await attempt(async () => {
        if (isAsked) return;
        const dependencies = await withVersionIds(resources, viewer, values.dependencies);
        const published = await publishFrom(resources, call, {
          project,
          parts: toParts({ ...values, dependencies }),
          primaryFile: staged.primaryFile[0],
          additionalFiles: staged.additionalFiles,
          primaryUpload: staged.primaryFile.length > 0 ? undefined : primaryUpload,
          additionalUploads,
          confirm: body.again === undefined ? (file) => refuseSameFile(resources, project.id, file, locale) : undefined,
        });
        versionId = published.versionId;
      }, fieldOf);
      if (!refused && !isAsked) return seeOther(reply, await nextPath(resources, project, versionId));
      const view = await getSettingsView(resources, viewer, params.ref);
      // Another row is not a problem, but the files are kept in the same way.
      const problems = refused ?? { status: 200, message: "", fields: {} };
      const kept = await storeFiles(
        resources,
        call,
        staged,
        problems,
        textsIn(texts.publish.versionForm, locale).notKept,
      );
      const primary = kept.primaryFile.length > 0 ? kept.primaryFile : [primaryUpload].flatMap((id) => id ?? []);
      const uploads = await listUploads(resources, viewer, primary, locale);
      return shown(view, resources, locale, {
        values,
        primary: uploads,
        same: await sameAs(resources, view, staged.primaryFile[0]?.blob.sha512 ?? uploads[0]?.sha512),
        additional: await listUploads(resources, viewer, [...additionalUploads, ...kept.additionalFiles], locale),
        unknown: problems.fields.dependencies ? await listUnknown(resources, viewer, values.dependencies) : undefined,
        problems: isAsked && Object.keys(problems.fields).length === 0 ? undefined : problems,
      });
    },
    {
      before: async ({ viewer, params }, { db }) => {
        await getPublishableProject(db, viewer, params.ref);
      },
    },
  ),
];

/** Problems of the file are shown beside the file. */
export const fieldOf = {
  versionNumberTaken: "versionNumber",
  nameRetired: "versionNumber",
  fileRefused: "primaryFile",
  packInvalid: "primaryFile",
  contentDenied: "primaryFile",
  fileTooLarge: "primaryFile",
  fileNameTaken: "additionalFiles",
  uploadNotFound: "primaryFile",
  uploadUnfinished: "primaryFile",
  quotaReached: "primaryFile",
} as const;

const sameAs = async ({ db }: Resources, { project }: SettingsView, sha512: string | null | undefined) =>
  sha512 ? findSameFile(db, project.id, sha512) : undefined;

/** The same bytes under another number are usually the wrong file, so the author has to ask for it. */
async function refuseSameFile({ db }: Resources, projectId: string, { blob }: StagedFile, locale: Locale) {
  const same = await findSameFile(db, projectId, blob.sha512);
  if (!same) return;
  const t = textsIn(texts.publish.versionForm, locale);
  throw invalid({ path: "again", message: t.sameRefused(same.version_number) });
}

/** A draft leads to its checklist, other projects to the public page of the version. */
async function nextPath(
  resources: Resources,
  { id, slug, status }: { id: string; slug: string; status: string },
  versionId: string,
): Promise<string> {
  if (status === "draft" || status === "rejected") return `${projectPath(slug)}#checklist`;
  const versions = (await versionEntries(resources).load([id])).get(id) ?? [];
  return `${projectPath(slug)}/version/${versions.find((version) => version.id === versionId)?.slug ?? versionId}`;
}

/** Uploads that have expired or belong to another user are left out: the form is shown without them. */
const listUploads = async (
  resources: Resources,
  viewer: SignedIn,
  ids: readonly string[],
  locale: Locale,
): Promise<Upload[]> => (await listUploadRows(resources, viewer.user.id, ids)).map((row) => toUpload(row, locale));

/** From the file if there is one, or else from the last version. */
async function firstValues(
  resources: Resources,
  viewer: SignedIn,
  { project, versions, taxonomy }: SettingsView,
  upload: Upload | undefined,
): Promise<VersionValues> {
  const last = versions[0]?.own.value;
  if (upload?.file) return versionValues(resources, viewer, taxonomy, upload.file, { types: project.type, last });
  return { ...blankVersion, loaders: last?.loaders ?? [], gameVersions: last?.gameVersions ?? [] };
}

type StagedFiles = Record<"primaryFile" | "additionalFiles", readonly StagedFile[]>;

/** Keeps files of a form that has to be shown again, unless the files are the problem. */
export async function storeFiles(
  resources: Resources,
  author: Author,
  staged: StagedFiles,
  problems: FormProblems,
  notKept: string,
): Promise<Record<keyof StagedFiles, string[]>> {
  const kept = { primaryFile: [] as string[], additionalFiles: [] as string[] };
  for (const name of ["primaryFile", "additionalFiles"] as const) {
    for (const file of staged[name]) {
      if (problems.fields.primaryFile !== undefined && name === "primaryFile") continue;
      try {
        kept[name].push((await adoptFile(resources, author, file)).id);
      } catch (error) {
        resources.log.warn({ err: error }, "The file of a form could not be stored");
        problems.fields[name] = notKept;
      }
    }
  }
  return kept;
}

function shown(view: SettingsView, { config }: Resources, locale: Locale, form: Shown) {
  const t = textsIn(texts.publish.versionForm, locale);
  const { project } = view;
  const status = form.problems?.status;
  if (project.visibility === "archived")
    return authorPage({ project, title: t.newTitle, status }, <Archived slug={project.slug} />);
  return authorPage(
    { project, title: t.newTitle, lead: t.lead, status, scripts: ["editor", "uploader"] },
    <NewVersion view={view} limits={config.limits} {...form} />,
  );
}
