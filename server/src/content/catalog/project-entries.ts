// Projects in memory: everything that reads of a project need, loaded for many projects in a constant number of
// statements, with the answers for strangers as ready bytes.
import { sql } from "kysely";
import { listMembers, publicMembers } from "#content/members/read.js";
import { isPublicProject } from "#content/projects/policy.js";
import type { GalleryItem, Project, ProjectListItem } from "#content/shapes/project.js";
import { fromJson } from "#lib/json.js";
import { inList } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import { timestamp } from "#platform/http/schemas.js";
import { pictureUrl } from "#platform/pictures/read.js";
import { galleryUrl, selectCategories, toListItem, toShared } from "./list-items.js";
import type { LoadContext } from "./load-context.js";
import { ReadyBytes } from "./ready-bytes.js";

export interface ProjectEntry {
  id: string;
  slug: string;
  /** Earlier slugs that still lead here. */
  oldSlugs: readonly string[];
  orgId: string | null;
  isPublic: boolean;
  /** Users named in the answers: their renaming makes the entry stale. */
  userIds: ReadonlySet<string>;
  /** With every member's permissions; for members and moderators only. */
  project: Project;
  /** What everyone else gets. */
  publicProject: ReadyBytes<Project>;
  listItem: ReadyBytes<ProjectListItem>;
}

/** Six statements, however many projects. */
export async function loadProjectEntries(context: LoadContext, ids: readonly string[]): Promise<ProjectEntry[]> {
  const { db, cdnUrl } = context;
  const rows = await selectProjects(db, ids);
  const known = rows.map((row) => row.id);
  const [categories, gallery, oldSlugs, teams] = await Promise.all([
    selectCategories(db, known),
    selectGallery(db, known, cdnUrl),
    selectOldSlugs(db, known),
    listMembers(
      db,
      rows.flatMap((row) => (row.org_team_id ? [row.team_id, row.org_team_id] : [row.team_id])),
      cdnUrl,
    ),
  ]);
  return rows.map((row) => {
    const members = teams.get(row.team_id) ?? [];
    const orgMembers = row.org_team_id ? (teams.get(row.org_team_id) ?? []) : [];
    const mine = categories.get(row.id) ?? [];
    const shared = toShared(row, mine, context);
    const pictures = gallery.get(row.id) ?? [];
    const project: Project = {
      ...shared,
      teamId: row.team_id,
      orgId: row.org_id,
      requestedStatus: row.requested_status,
      description: row.description,
      licenseId: row.license_id,
      licenseName: row.license_name,
      licenseUrl: row.license_url,
      issueTrackerUrl: row.issue_tracker_url,
      projectSourceUrl: row.source_url,
      projectWikiUrl: row.wiki_url,
      discordInviteUrl: row.discord_url,
      donationLinks: fromJson(row.donation_links),
      gallery: pictures,
      members,
      organisation:
        row.org_id === null
          ? null
          : {
              id: row.org_id,
              name: row.org_name ?? "",
              slug: row.org_slug ?? "",
              description: row.org_description ?? "",
              icon: pictureUrl(cdnUrl, "organization", row.org_id, row.org_icon_file),
              members: orgMembers,
            },
    };
    const owner = members.find((member) => member.isOwner);
    const listItem = toListItem(shared, {
      thumbnail: pictures.find((item) => item.featured)?.imageThumbnail ?? null,
      orgSlug: row.org_slug,
      ownerName: owner?.userName ?? null,
    });
    return {
      id: row.id,
      slug: row.slug,
      oldSlugs: oldSlugs.get(row.id) ?? [],
      orgId: row.org_id,
      isPublic: Boolean(row.is_public),
      userIds: new Set([...members, ...orgMembers].map((member) => member.userId)),
      project,
      publicProject: new ReadyBytes(() => toPublicProject(project)),
      listItem: new ReadyBytes(() => listItem),
    };
  });
}

const toPublicProject = (project: Project): Project => ({
  ...project,
  members: publicMembers(project.members),
  organisation: project.organisation && {
    ...project.organisation,
    members: publicMembers(project.organisation.members),
  },
});

const selectProjects = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom("projects")
    .leftJoin("images as icon", "icon.id", "projects.icon_id")
    .leftJoin("organizations as org", "org.id", "projects.org_id")
    .leftJoin("images as org_icon", "org_icon.id", "org.icon_id")
    .selectAll("projects")
    .select([
      "icon.file_name as icon_file",
      "org.team_id as org_team_id",
      "org.name as org_name",
      "org.slug as org_slug",
    ])
    .select(["org.description as org_description", "org_icon.file_name as org_icon_file"])
    .select(sql<number | boolean>`case when ${isPublicProject} then 1 else 0 end`.as("is_public"))
    .where(inList(db, sql.ref("projects.id"), ids))
    .execute();

async function selectOldSlugs(db: Db, ids: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom("project_old_slugs")
    .select(["slug", "project_id"])
    .where(inList(db, sql.ref("project_id"), ids))
    .execute();
  const slugs = new Map<string, string[]>();
  for (const row of rows) slugs.set(row.project_id, [...(slugs.get(row.project_id) ?? []), row.slug]);
  return slugs;
}

async function selectGallery(db: Db, ids: readonly string[], cdnUrl: string): Promise<Map<string, GalleryItem[]>> {
  const rows = await db
    .selectFrom("gallery_items as item")
    .innerJoin("images as image", "image.id", "item.image_id")
    .innerJoin("images as thumbnail", "thumbnail.id", "item.thumbnail_id")
    .selectAll("item")
    .select(["image.file_name as image_file", "thumbnail.file_name as thumbnail_file"])
    .where(inList(db, sql.ref("item.project_id"), ids))
    .orderBy("item.order_index", "desc")
    .execute();
  const items = new Map<string, GalleryItem[]>();
  for (const row of rows) {
    const urlOf = (file: string) => galleryUrl(cdnUrl, row.project_id, file);
    const item: GalleryItem = {
      id: row.id,
      name: row.name,
      description: row.description,
      image: urlOf(row.image_file),
      imageThumbnail: urlOf(row.thumbnail_file),
      featured: row.featured === 1,
      dateCreated: timestamp(row.date_created),
      orderIndex: row.order_index,
    };
    items.set(row.project_id, [...(items.get(row.project_id) ?? []), item]);
  }
  return items;
}
