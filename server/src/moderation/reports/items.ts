// What can be reported: things that the reporter sees, by any name they go by; and what moderators are told of them.
import { sql } from "kysely";
import { findProfile } from "#accounts/users/read.js";
import { findVisibleRow } from "#content/projects/editing.js";
import { visibleTo } from "#content/projects/policy.js";
import { isNotQuarantined } from "#content/versions/standing-rows.js";
import { inList } from "#platform/db/dialect.js";
import { placeholderId } from "#platform/db/placeholder.js";
import type { Db } from "#platform/db/tables.js";
import type { Viewer } from "#platform/http/viewer.js";
import type { ReportedItem } from "./shapes.js";
import type { ItemType } from "./words.js";

/** Its id, if there is such a thing and the caller sees it. */
export async function findItemId(db: Db, viewer: Viewer, type: ItemType, ref: string): Promise<string | undefined> {
  if (type === "project") return (await findVisibleRow(db, viewer, ref))?.id;
  if (type === "user") {
    const id = (await findProfile(db, ref))?.id;
    return id === placeholderId ? undefined : id;
  }
  const version = await db
    .selectFrom("versions")
    .innerJoin("projects", "projects.id", "versions.project_id")
    .select("versions.id")
    .where("versions.id", "=", ref)
    .where(isNotQuarantined)
    .where(visibleTo(viewer))
    .executeTakeFirst();
  return version?.id;
}

/** For moderators: what these are, as far as they are still there. Three statements, however many. */
export async function describeItems(
  db: Db,
  items: readonly { item_type: ItemType; item_id: string }[],
): Promise<Map<string, ReportedItem>> {
  const idsOf = (type: ItemType) => items.flatMap((item) => (item.item_type === type ? [item.item_id] : []));
  const projects = await db
    .selectFrom("projects")
    .select(["id", "slug", "name"])
    .where(inList(db, sql.ref("id"), idsOf("project")))
    .execute();
  const versions = await db
    .selectFrom("versions")
    .innerJoin("projects", "projects.id", "versions.project_id")
    .select(["versions.id", "versions.version_number", "projects.id as project_id", "projects.slug", "projects.name"])
    .where(inList(db, sql.ref("versions.id"), idsOf("version")))
    .execute();
  const users = await db
    .selectFrom("users")
    .select(["id", "user_name"])
    .where(inList(db, sql.ref("id"), idsOf("user")))
    .execute();
  const nowhere = { projectId: null, projectSlug: null, projectName: null };
  return new Map<string, ReportedItem>([
    ...projects.map(({ id, slug, name }) => entry(id, name, { projectId: id, projectSlug: slug, projectName: name })),
    ...versions.map(({ id, version_number, project_id, slug, name }) =>
      entry(id, version_number, { projectId: project_id, projectSlug: slug, projectName: name }),
    ),
    ...users.map(({ id, user_name }) => entry(id, user_name, nowhere)),
  ]);
}

const entry = (id: string, title: string, more: Omit<ReportedItem, "title">): [string, ReportedItem] => [
  id,
  { title, ...more },
];
