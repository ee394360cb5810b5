// The use cases that make a project and change its details. Each runs in the caller's transaction.
import { sql } from "kysely";
import { allow, findOrgStanding } from "#content/members/standing.js";
import { createTeam } from "#content/members/write.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { createThread } from "#content/threads/messages.js";
import { fromJson, toJson } from "#lib/json.js";
import { newId } from "#lib/random.js";
import type { Tx } from "#platform/changes/write.js";
import { inList } from "#platform/db/dialect.js";
import type { Environment, Row, Visibility } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { ViewerUser } from "#platform/http/viewer.js";
import { removePicture } from "#platform/pictures/write.js";
import { noteDependents } from "./dependents.js";
import { leaveSlug, takeSlug } from "./naming.js";
import { getTypes } from "./project-types.js";

export interface NewProject {
  name: string;
  slug: string;
  types: readonly string[];
  visibility: Visibility;
  summary: string;
  orgId: string | null;
}

export async function createProject(
  tx: Tx,
  user: ViewerUser,
  taxonomy: Taxonomy,
  input: NewProject,
): Promise<{ id: string; teamId: string }> {
  const types = getTypes(taxonomy, input.types);
  if (input.orgId !== null) await allowIntoOrg(tx, user, input.orgId);
  const id = newId(tx.random);
  const { clientSide, serverSide } = taxonomy.environmentFor(types);
  // Members of the organization have their rights from there.
  const teamId = await createTeam(tx, "project", input.orgId === null ? user.id : null);
  await takeSlug(tx, "project", { id, slug: input.slug }, () =>
    tx.db
      .insertInto("projects")
      .values({
        ...blankProject,
        id,
        team_id: teamId,
        org_id: input.orgId,
        name: input.name,
        slug: input.slug,
        summary: input.summary,
        types: toJson([...types]),
        visibility: input.visibility,
        client_side: clientSide,
        server_side: serverSide,
        date_published: tx.now,
        date_updated: tx.now,
      })
      .execute(),
  );
  await createThread(tx, "project", id);
  tx.audit("project.create", { kind: "project", id }, { slug: input.slug, orgId: input.orgId });
  tx.changed("project", id);
  return { id, teamId };
}

const blankProject = {
  description: "",
  status: "draft" as const,
  requested_status: null,
  license_id: "",
  license_name: "",
  license_url: "",
  issue_tracker_url: null,
  source_url: null,
  wiki_url: null,
  discord_url: null,
  donation_links: toJson<{ platform: string; url: string }[]>([]),
  game_versions: toJson<string[]>([]),
  loaders: toJson<string[]>([]),
  icon_id: null,
  color: null,
  downloads: 0,
  followers: 0,
  date_queued: null,
  date_approved: null,
};

async function allowIntoOrg(tx: Tx, user: ViewerUser, orgId: string): Promise<void> {
  // Held, so that the organization cannot end before its project begins.
  const org = await tx.db
    .updateTable("organizations")
    .set((column) => ({ date_created: column.ref("date_created") }))
    .where("id", "=", orgId)
    .returning("id")
    .executeTakeFirst();
  if (!org) throw fail.organizationNotFound();
  allow(await findOrgStanding(tx.db, user, orgId), "add_project");
}

/** What is absent stays. */
export interface DetailsEdit {
  name?: string;
  slug?: string;
  summary?: string;
  visibility?: Visibility;
  types?: readonly string[];
  clientSide?: Environment;
  serverSide?: Environment;
  /** The new picture, or null to have none. */
  icon?: ProjectIcon | null;
}

export interface ProjectIcon {
  imageId: string;
  color: string;
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
    await noteDependents(tx, project.id);
  }
  tx.happened("project.edited", project.id, {});
  tx.changed("project", project.id);
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
  tx.changed("project", project.id);
}
