// Projects of the source: created as drafts, filled, and published when they are complete.
import { setDescription, setDisclosures, setLicense, setLinks, setTags } from "#content/projects/attributes.js";
import { lockProject } from "#content/projects/change.js";
import { createProject } from "#content/projects/create.js";
import { editDetails } from "#content/projects/edit.js";
import { submitProject } from "#content/submissions/submit.js";
import { toJson } from "#lib/json.js";
import { type Tx, write } from "#platform/changes/write.js";
import type { Row } from "#platform/db/tables.js";
import { actAs, type Context, type LocalUser } from "./context.js";
import { type Details, fitProject } from "./fit.js";
import { digestOf, findImported, judge, localDigests, noteImported, pending } from "./records.js";
import type { SourceProject } from "./source.js";

/** A project here, or the one that a dry run would create. */
export interface LocalProject {
  id: string | undefined;
  teamId: string | undefined;
  /** It still has to be published. */
  isUnfinished: boolean;
}

interface Given {
  project: SourceProject;
  types: string[];
  orgId: string | null;
  owner: LocalUser;
}

/** Undefined if it was deleted here. Throws a refusal if it cannot be created. */
export async function importProject(context: Context, given: Given): Promise<LocalProject | undefined> {
  const { resources, client, options, book, taxonomy } = context;
  const { project } = given;
  const details = fitProject(taxonomy, project, given.types, book.remark.bind(book));
  const row = await findImported(resources.db, client.base, "project", project.id);
  const digest = digestOf(details);
  const verdict = judge(row, digest, row && (await localDigests.project(resources.db, row.local_id)), options);
  book.note("projects", project.id, verdict.act, `project ${project.slug}`);
  if (verdict.act === "deletedHere") return undefined;
  if (verdict.act === "created" && options.dryRun) return { id: undefined, teamId: undefined, isUnfinished: true };
  const id = verdict.row ? verdict.row.local_id : await create(context, given, details);
  // An archived project takes no versions, so its details come after them.
  if (verdict.act === "updated" && !options.dryRun && details.visibility !== "archived")
    await update(context, project, id, { details, digest });
  const { team_id } = await resources.db
    .selectFrom("projects")
    .select("team_id")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return { id, teamId: team_id, isUnfinished: verdict.row?.finished !== 1 };
}

const placeOf = ({ client }: Context, project: SourceProject) =>
  ({ source: client.base, kind: "project", sourceId: project.id }) as const;

const create = (context: Context, { project, types, orgId, owner }: Given, details: Details): Promise<string> =>
  write(context.resources, context.actor, async (tx) => {
    const { taxonomy, options, client } = context;
    const isArchived = details.visibility === "archived";
    const first = isArchived ? { ...details, visibility: "listed" as const } : details;
    const { id } = await createProject(tx, actAs(owner).user, taxonomy, { ...first, types, orgId });
    await apply(tx, context, id, first);
    const url = `${options.siteUrl}/project/${encodeURIComponent(project.slug)}`;
    await tx.db
      .updateTable("projects")
      .set({ ...datesOf(project), imported_from: toJson({ url, date: tx.now }) })
      .where("id", "=", id)
      .execute();
    tx.audit("project.import", { kind: "project", id }, { source: client.base, sourceId: project.id });
    const digest = isArchived ? pending : digestOf(details);
    const localDigest = isArchived ? pending : ((await localDigests.project(tx.db, id)) ?? pending);
    await noteImported(tx, { ...placeOf(context, project), localId: id, digest, localDigest, finished: false });
    return id;
  });

/** The dates of the source, so that lists by date stay as they were. */
export const datesOf = ({ datePublished, dateUpdated }: SourceProject) => ({
  ...{ date_published: datePublished, date_updated: dateUpdated },
});

const update = (
  context: Context,
  project: SourceProject,
  id: string,
  { details, digest }: { details: Details; digest: string },
): Promise<void> =>
  write(context.resources, context.actor, async (tx) => {
    await lockProject(tx, id);
    await apply(tx, context, id, details);
    await tx.db.updateTable("projects").set(datesOf(project)).where("id", "=", id).execute();
    const localDigest = (await localDigests.project(tx.db, id)) ?? pending;
    await noteImported(tx, { ...placeOf(context, project), localId: id, digest, localDigest });
  });

/** The same writes as those of the pages for settings, all in one transaction. */
async function apply(tx: Tx, { taxonomy }: Context, id: string, details: Details): Promise<void> {
  const { name, slug, summary, visibility, types, clientSide, serverSide, categories, featured } = details;
  const edit = { name, slug, summary, visibility, types, clientSide, serverSide };
  await editDetails(tx, await lockProject(tx, id), taxonomy, edit);
  const project = await lockProject(tx, id);
  await setDescription(tx, id, details.description);
  await setTags(tx, project, taxonomy, { categories, featured });
  await setLinks(tx, project, details.links);
  if (details.license) await setLicense(tx, project, taxonomy, withoutNulls(details.license));
  if (details.disclosures) await setDisclosures(tx, project, details.disclosures);
}

const withoutNulls = ({ id, name, url }: NonNullable<Details["license"]>) => ({
  ...(id !== null && { id }),
  ...(name !== null && { name }),
  ...(url !== null && { url }),
});

/** Archives it if the source has, then publishes it if that was not done yet. */
export async function finishProject(
  context: Context,
  { project, types, owner }: Omit<Given, "orgId">,
  local: LocalProject,
): Promise<void> {
  const { resources, actor, client, options, taxonomy } = context;
  const { id } = local;
  if (options.dryRun || id === undefined) return;
  const details = fitProject(taxonomy, project, types, () => {});
  if (details.visibility === "archived") {
    const row = await findImported(resources.db, client.base, "project", project.id);
    const digest = digestOf(details);
    const { act } = judge(row, digest, await localDigests.project(resources.db, id), options);
    if (act === "updated") await update(context, project, id, { details, digest });
  }
  if (!local.isUnfinished) return;
  await write(resources, actor, async (tx) => {
    const here = await lockProject(tx, id);
    if (here.status === "draft") await submit(context, tx, here, owner);
    await tx.db
      .updateTable("imports")
      .set({ finished: 1 })
      .where("source", "=", client.base)
      .where("kind", "=", "project")
      .where("source_id", "=", project.id)
      .execute();
  });
}

/** Without a review, it counts as approved when the source published it: lists of new projects do not name it again. */
async function submit({ resources, options }: Context, tx: Tx, here: Row<"projects">, owner: LocalUser): Promise<void> {
  if (options.review) return void (await submitProject(tx, here, owner.id, resources.config));
  await submitProject(tx, here, owner.id, { review: "off" });
  await tx.db
    .updateTable("projects")
    .set({ date_approved: here.date_published })
    .where("id", "=", here.id)
    .where("status", "=", "approved")
    .execute();
}
