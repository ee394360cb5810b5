// A new project: from a file, which fills in most fields, or by hand. It starts as a draft and continues with its first
// version.

import { sql } from "kysely";
import Type, { type Static } from "typebox";
import { countOwnedProjects } from "#accounts/users/read.js";
import { setLicense } from "#content/projects/attributes.js";
import { allowAnotherProject, createProject } from "#content/projects/create.js";
import { createProject as contract } from "#content/projects/edit-contract.js";
import { getTypes } from "#content/projects/project-types.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import type { Upload } from "#content/uploads/contract.js";
import { finishUpload } from "#content/uploads/facts.js";
import { listOpenUploads, toUpload } from "#content/uploads/read.js";
import { adoptFile } from "#content/uploads/write.js";
import { isReservedSlug } from "#lib/slugs.js";
import { type Tx, write } from "#platform/changes/write.js";
import { inList } from "#platform/db/dialect.js";
import { invalid } from "#platform/errors.js";
import { needs, readable } from "#platform/http/access.js";
import type { Resources } from "#platform/http/resources.js";
import { parse } from "#platform/http/validation.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { attempt, type FormProblems, formFields, formLists, listOf, renamed } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { projectPath } from "#web/context/project-path.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { listTargets } from "#web/shared/move-targets.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { NewProject, type ProjectForm } from "./new-project-form.js";
import { projectValues } from "./prefill.js";
import { versionFiles } from "./version-input.js";

const body = Type.Object({
  ...formFields("name", "slug", "visibility", "summary", "license", "owner", "upload", "freeSlug").properties,
  ...formLists("type").properties,
});
type Typed = Static<typeof body>;

const blank: ProjectForm = {
  name: "",
  slug: "",
  summary: "",
  types: [],
  license: "",
  visibility: "listed",
  owner: "",
};

export const newProjectRoutes = [
  pageRoute(
    {
      id: "getNewProjectPage",
      path: "/new",
      access: needs("project_create"),
      summary: "The form for a new project",
      query: Type.Object({ upload: Type.Optional(Type.String({ maxLength: 64 })) }),
    },
    async ({ viewer, query, request }, resources) => {
      const upload = await findOpenUpload(resources, viewer, query.upload, localeOf(request));
      const taxonomy = await getTaxonomy(resources);
      const values = upload?.file ? projectValues(taxonomy, upload.file, upload.name) : undefined;
      return shown(resources, viewer, localeOf(request), {
        upload,
        values: { ...blank, ...values },
      });
    },
  ),

  memberFormRoute(
    {
      id: "submitNewProjectFile",
      once: true,
      path: "/new/file",
      access: readable("project_create"),
      rate: "upload",
      summary: "Start a project with a file",
      body: Type.Object({}),
      files: { primaryFile: versionFiles.primaryFile },
      streams: true,
    },
    async (call, resources) => {
      const [file] = call.staged.primaryFile ?? [];
      const locale = localeOf(call.request);
      let id = "";
      const problems = await attempt(
        async () => {
          if (!file) throw invalid({ path: "primaryFile", message: textsIn(texts.publish.newProject, locale).noFile });
          ({ id } = await adoptFile(resources, call, file));
          await finishUpload(resources, call.viewer.user.id, id);
        },
        { limitReached: "primaryFile" },
      );
      if (!problems) return seeOther(call.reply, `/new?upload=${id}`);
      return shown(resources, call.viewer, locale, { values: blank, fileProblems: problems });
    },
  ),

  memberFormRoute(
    {
      id: "submitNewProject",
      once: true,
      path: "/new",
      access: readable("project_create"),
      summary: "Create a project",
      body,
    },
    async (call, resources) => {
      const { viewer, body } = call;
      const typed = body.freeSlug === undefined ? body : { ...body, slug: body.freeSlug };
      const locale = localeOf(call.request);
      let slug = "";
      const problems = await attempt(
        async () => {
          slug = await create(resources, call, typed);
        },
        {
          slugTaken: "slug",
          nameReserved: "slug",
          nameRetired: "slug",
          projectLimitReached: "name",
          organizationNotFound: "owner",
          permissionMissing: "owner",
        },
      );
      const upload = await findOpenUpload(resources, viewer, typed.upload, locale);
      if (!problems)
        return seeOther(call.reply, `${projectPath(slug)}/version/new${upload ? `?upload=${upload.id}` : ""}`);
      const { name = "", summary = "", license = "", visibility = "listed", owner = "" } = typed;
      const values = { name, summary, license, visibility, owner, slug: typed.slug ?? "", types: listOf(typed.type) };
      const free = problems.fields.slug ? await freeSlugs(resources, viewer, values.slug) : [];
      return shown(resources, viewer, locale, { values, upload, problems, free });
    },
  ),
];

type Input = Static<typeof contract.body>;

async function create(
  resources: Resources,
  { viewer, actor }: { viewer: SignedIn; actor: Parameters<typeof write>[1] },
  typed: Typed,
): Promise<string> {
  const given = {
    name: typed.name?.trim() ?? "",
    slug: typed.slug?.trim() ?? "",
    summary: typed.summary?.replace(/\s+/g, " ").trim() ?? "",
    visibility: typed.visibility ?? "listed",
    type: listOf(typed.type),
    orgId: typed.owner || null,
  };
  const input = parse<Input & { type: string[] }>("body", contract.body, given, "body");
  const taxonomy = await getTaxonomy(resources);
  const { name, slug, summary, visibility = "listed", orgId = null } = input;
  const project = { name, slug, summary, visibility, orgId, types: getTypes(taxonomy, input.type) };
  await write(resources, actor, async (tx) => {
    await allowAnotherProject(tx, viewer.user, orgId, resources.config.limits.projects);
    const { id } = await createProject(tx, viewer.user, taxonomy, project);
    if (typed.license) await setFirstLicense(tx, taxonomy, id, typed.license);
  });
  return slug;
}

async function setFirstLicense(tx: Tx, taxonomy: Taxonomy, projectId: string, license: string): Promise<void> {
  try {
    await setLicense(tx, { id: projectId, license_id: "", license_name: "", license_url: "" }, taxonomy, {
      id: license,
    });
  } catch (error) {
    throw renamed(error, "license");
  }
}

async function findOpenUpload(
  { db, clock }: Resources,
  viewer: SignedIn,
  id: string | undefined,
  locale: Locale,
): Promise<Upload | undefined> {
  if (!id) return undefined;
  const row = (await listOpenUploads(db, viewer.user.id, clock.now())).find((one) => one.id === id);
  return row && toUpload(row, locale);
}

/** Suggests a few free slugs that are similar to the wanted one. */
async function freeSlugs({ db }: Resources, { user }: SignedIn, wanted: string): Promise<string[]> {
  if (!/^[a-z0-9][a-z0-9._+-]{1,50}$/.test(wanted)) return [];
  const owner = user.userName
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, "-")
    .slice(0, 12);
  const candidates = [`${wanted}-2`, `${owner}-${wanted}`, `${wanted}-mod`, `${wanted}-x`];
  const rows = await db
    .selectFrom("projects")
    .select("slug")
    .where(inList(db, sql.ref("slug"), candidates))
    .execute();
  const taken = new Set(rows.map(({ slug }) => slug));
  return candidates.filter((slug) => !taken.has(slug) && !isReservedSlug(slug) && /^[a-z0-9]/.test(slug)).slice(0, 3);
}

interface Shown {
  values: ProjectForm;
  upload?: Upload | undefined;
  problems?: FormProblems;
  fileProblems?: FormProblems;
  free?: readonly string[];
}

async function shown(resources: Resources, viewer: SignedIn, locale: Locale, form: Shown) {
  const t = textsIn(texts.publish.newProject, locale);
  const taxonomy = await getTaxonomy(resources);
  const orgs = await listTargets(resources, viewer);
  const { limits } = resources.config;
  const owned = await countOwnedProjects(resources.db, viewer.user.id);
  return {
    title: t.title,
    status: (form.problems ?? form.fileProblems)?.status,
    scripts: ["uploader"] as const,
    content: (
      <NewProject
        {...form}
        taxonomy={taxonomy}
        orgs={orgs}
        userName={viewer.user.userName}
        maxBytes={limits.primaryFileBytes}
        most={owned >= limits.projects && viewer.user.role !== "admin" ? limits.projects : undefined}
      />
    ),
  };
}
