// Creating a project, in the caller's transaction.
import { lockUser } from "#accounts/users/locking.js";
import { countOwnedProjects } from "#accounts/users/read.js";
import { allow, findOrgRights } from "#content/members/rights.js";
import { createTeam } from "#content/members/write.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { createThread } from "#content/threads/messages.js";
import { toJson } from "#lib/json.js";
import { newId } from "#lib/random.js";
import type { Tx } from "#platform/changes/write.js";
import type { Visibility } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { ViewerUser } from "#platform/http/viewer.js";
import { getTypes } from "./project-types.js";
import { takeSlug } from "./slugs.js";

export interface NewProject {
  name: string;
  slug: string;
  types: readonly string[];
  visibility: Visibility;
  summary: string;
  orgId: string | null;
}

/**
 * Limits how many projects a user may own. Projects of organizations do not count. The user is locked, so that two
 * concurrent requests cannot both use the last place.
 */
export async function allowAnotherProject(tx: Tx, user: ViewerUser, orgId: string | null, most: number): Promise<void> {
  if (orgId !== null || user.role === "admin") return;
  await lockUser(tx, user.id);
  if ((await countOwnedProjects(tx.db, user.id)) >= most) throw fail.projectLimitReached(most);
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
  // Members of the organization get their rights from its team.
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
  named_license: null,
  issue_tracker_url: null,
  source_url: null,
  wiki_url: null,
  discord_url: null,
  donation_links: toJson<{ platform: string; url: string }[]>([]),
  disclosures: toJson<object>({}),
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
  // Locked, so that the organization cannot be deleted before the project is inserted.
  const org = await tx.db
    .updateTable("organizations")
    .set((column) => ({ date_created: column.ref("date_created") }))
    .where("id", "=", orgId)
    .returning("id")
    .executeTakeFirst();
  if (!org) throw fail.organizationNotFound();
  allow(await findOrgRights(tx.db, user, orgId), "add_project");
}
