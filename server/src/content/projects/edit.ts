// Editing the details and the icon of a project, for API routes and website forms alike. A picture is decoded and
// stored before the transaction, to keep that short.
import { sql } from "kysely";
import { getTaxonomy } from "#content/taxonomy/read.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { fromJson, toJson } from "#lib/json.js";
import type { Tx } from "#platform/changes/write.js";
import { inList } from "#platform/db/dialect.js";
import type { Environment, Row, Visibility } from "#platform/db/tables.js";
import type { Resources } from "#platform/http/resources.js";
import { addPicture, removePicture, storeIcon } from "#platform/pictures/write.js";
import { changeProject, getEditableProject, type ProjectCall } from "./change.js";
import { markDependentsChanged } from "./dependents.js";
import { getTypes } from "./project-types.js";
import { leaveSlug, takeSlug } from "./slugs.js";

/** Absent fields stay. */
export interface DetailsEdit {
  name?: string;
  slug?: string;
  summary?: string;
  visibility?: Visibility;
  types?: readonly string[];
  clientSide?: Environment;
  serverSide?: Environment;
  /** The new picture, or null for none. */
  icon?: ProjectIcon | null;
}

export interface ProjectIcon {
  imageId: string;
  color: string;
}

type StoredIcon = Awaited<ReturnType<typeof storeIcon>>;

/** `icon`: the bytes of the picture, null for none, undefined to keep the current one. Returns the current slug. */
export async function saveDetails(
  resources: Resources,
  call: ProjectCall,
  edit: Omit<DetailsEdit, "icon">,
  icon: Buffer | null | undefined,
  check: (project: Row<"projects">) => void = () => {},
): Promise<string> {
  const taxonomy = await getTaxonomy(resources);
  const types = edit.types && getTypes(taxonomy, edit.types);
  const stored = icon && (await storeProjectIcon(resources, call, icon));
  return changeProject(resources, call, "edit_details", async (tx, project) => {
    check(project);
    const named = stored ? await nameIcon(tx, resources, project.id, stored) : stored;
    await editDetails(tx, project, taxonomy, { ...edit, types, icon: named });
    return edit.slug ?? project.slug;
  });
}

/** Returns the id of the project. */
export async function saveIcon(resources: Resources, call: ProjectCall, bytes: Buffer): Promise<string> {
  const stored = await storeProjectIcon(resources, call, bytes);
  return changeProject(resources, call, "edit_details", async (tx, project) => {
    await setIcon(tx, project, await nameIcon(tx, resources, project.id, stored));
    return project.id;
  });
}

/** Checks the permission before the picture is decoded, so that only members cause that work. */
async function storeProjectIcon(resources: Resources, call: ProjectCall, bytes: Buffer): Promise<StoredIcon> {
  await getEditableProject(resources.db, call.viewer, call.params.ref, "edit_details");
  return storeIcon(resources, bytes);
}

async function nameIcon(tx: Tx, resources: Resources, projectId: string, stored: StoredIcon): Promise<ProjectIcon> {
  const imageId = await addPicture(tx, resources, { kind: "project", id: projectId }, stored);
  return { imageId, color: stored.color };
}

export async function editDetails(
  tx: Tx,
  project: Row<"projects">,
  taxonomy: Taxonomy,
  edit: DetailsEdit,
): Promise<void> {
  const types = edit.types ? getTypes(taxonomy, edit.types) : fromJson(project.types);
  const { clientSide, serverSide } = taxonomy.environmentFor(types, {
    clientSide: edit.clientSide ?? project.client_side,
    serverSide: edit.serverSide ?? project.server_side,
  });
  if (edit.slug !== undefined && edit.slug !== project.slug) await rename(tx, project, edit.slug);
  await tx.db
    .updateTable("projects")
    .set({
      name: edit.name ?? project.name,
      summary: edit.summary ?? project.summary,
      visibility: edit.visibility ?? project.visibility,
      types: toJson([...types]),
      client_side: clientSide,
      server_side: serverSide,
    })
    .where("id", "=", project.id)
    .execute();
  if (edit.types) await dropUnfitCategories(tx, project.id, taxonomy.categoriesAllowed(types));
  if (edit.icon !== undefined) await setIcon(tx, project, edit.icon);
  if (edit.visibility !== undefined && edit.visibility !== project.visibility) {
    tx.audit(
      "project.visibility.set",
      { kind: "project", id: project.id },
      { from: project.visibility, to: edit.visibility },
    );
    await markDependentsChanged(tx, project.id);
  }
  tx.happened("project.edited", project.id, {});
  tx.changed("project", project.id, []);
}

async function rename(tx: Tx, project: Row<"projects">, slug: string): Promise<void> {
  await takeSlug(tx, "project", { id: project.id, slug }, () =>
    tx.db.updateTable("projects").set({ slug }).where("id", "=", project.id).execute(),
  );
  await leaveSlug(tx, "project", project);
  tx.audit("project.rename", { kind: "project", id: project.id }, { from: project.slug, to: slug });
}

async function dropUnfitCategories(tx: Tx, projectId: string, allowed: ReadonlySet<string>): Promise<void> {
  const present = await tx.db
    .selectFrom("project_categories")
    .select("category")
    .where("project_id", "=", projectId)
    .execute();
  const unfit = present.map(({ category }) => category).filter((category) => !allowed.has(category));
  await tx.db
    .deleteFrom("project_categories")
    .where("project_id", "=", projectId)
    .where(inList(tx.db, sql.ref("category"), unfit))
    .execute();
}

export async function setIcon(tx: Tx, project: Row<"projects">, icon: ProjectIcon | null): Promise<void> {
  await tx.db
    .updateTable("projects")
    .set({ icon_id: icon?.imageId ?? null, color: icon?.color ?? null })
    .where("id", "=", project.id)
    .execute();
  await removePicture(tx, project.icon_id);
  tx.happened("project.edited", project.id, {});
  tx.changed("project", project.id, []);
}
