// Projects in memory: everything that reads of a project need, loaded for many projects in a constant number of
// statements, with the public answers as ready bytes.
import { sql } from "kysely";
import { keepEntries } from "#content/catalog/catalog.js";
import { ReadyBytes } from "#content/catalog/ready-bytes.js";
import { listMembers, publicMembers } from "#content/members/read.js";
import { toDisclosures } from "#content/shapes/disclosures.js";
import type { GalleryItem, Project, ProjectListItem } from "#content/shapes/project.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { fromJson } from "#lib/json.js";
import { inList } from "#platform/db/dialect.js";
import type { Db, Row } from "#platform/db/tables.js";
import type { Resources } from "#platform/http/resources.js";
import { timestamp } from "#platform/http/schemas.js";
import { defaultColor } from "#platform/images/default-picture.js";
import { pictureUrl } from "#platform/pictures/read.js";
import { isPublicProject } from "./policy.js";

/** Everything that answers are made of besides the rows of their own. */
export interface RowContext {
  db: Db;
  cdnUrl: string;
  taxonomy: Taxonomy;
}

export const rowContext = async (resources: Resources): Promise<RowContext> => ({
  db: resources.db,
  cdnUrl: resources.config.http.cdnUrl,
  taxonomy: await getTaxonomy(resources),
});

export interface ProjectEntry {
  id: string;
  slug: string;
  /** Earlier slugs that still lead to this project. */
  oldSlugs: readonly string[];
  orgId: string | null;
  isPublic: boolean;
  /** As the manifest of the last published file writes it. */
  namedLicense: string | null;
  /** Users named in the answers: the entry is dropped when one of them changes. */
  userIds: ReadonlySet<string>;
  /** With the permissions of every member; only for members and staff. */
  project: Project;
  /** The answer for everyone else. */
  publicProject: ReadyBytes<Project>;
  listItem: ReadyBytes<ProjectListItem>;
}

/** An estimate: a project without a description, as objects and as bytes. */
const usualBytes = 6000;
const memberBytes = 800;
const pictureBytes = 800;

const weigh = ({ project: { description, gallery, members, organisation } }: ProjectEntry): number =>
  usualBytes +
  4 * description.length +
  pictureBytes * gallery.length +
  memberBytes * (members.length + (organisation?.members.length ?? 0));

export const projectEntries = keepEntries<ProjectEntry>({
  name: "projects",
  weigh,
  load: async (resources, ids) => loadProjects(await rowContext(resources), ids),
  onChange({ kind, id }, entries) {
    if (kind === "project") entries.drop(id);
    else if (kind === "organization") entries.dropWhere((entry) => entry.orgId === id);
    else if (kind === "user") entries.dropWhere((entry) => entry.userIds.has(id));
  },
  withFigures(entry, { downloads }) {
    const project = { ...entry.project, downloads };
    const listItem = { ...entry.listItem.value, downloads };
    return { ...entry, project, ...toReady(project, listItem) };
  },
});

/** Needs six statements, however many projects there are. */
export async function loadProjects(
  { db, cdnUrl, taxonomy }: RowContext,
  ids: readonly string[],
): Promise<Map<string, ProjectEntry>> {
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
  const entries = rows.map((row): ProjectEntry => {
    const members = teams.get(row.team_id) ?? [];
    const orgMembers = row.org_team_id ? (teams.get(row.org_team_id) ?? []) : [];
    const mine = categories.get(row.id) ?? [];
    const shared = toShared(row, mine, cdnUrl, taxonomy);
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
      disclosures: toDisclosures(row.disclosures),
      importedFrom: toImportedFrom(row.imported_from),
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
      orgName: row.org_name,
      ownerName: owner?.userName ?? null,
    });
    return {
      id: row.id,
      slug: row.slug,
      oldSlugs: oldSlugs.get(row.id) ?? [],
      orgId: row.org_id,
      isPublic: Boolean(row.is_public),
      namedLicense: row.named_license,
      userIds: new Set([...members, ...orgMembers].map((member) => member.userId)),
      project,
      ...toReady(project, listItem),
    };
  });
  return new Map(entries.map((entry) => [entry.id, entry]));
}

function toImportedFrom(stored: Row<"projects">["imported_from"]): Project["importedFrom"] {
  if (stored === null) return null;
  const { url, date } = fromJson(stored);
  return { url, date: timestamp(date) };
}

const toReady = (project: Project, listItem: ProjectListItem): Pick<ProjectEntry, "publicProject" | "listItem"> => ({
  publicProject: new ReadyBytes(() => toPublicProject(project)),
  listItem: new ReadyBytes(() => listItem),
});

const toPublicProject = (project: Project): Project => ({
  ...project,
  members: publicMembers(project.members),
  organisation: project.organisation && {
    ...project.organisation,
    members: publicMembers(project.organisation.members),
  },
});

type SharedColumns =
  | ("id" | "slug" | "name" | "summary" | "types" | "downloads" | "followers" | "date_updated" | "date_published")
  | ("status" | "visibility" | "client_side" | "server_side" | "game_versions" | "loaders" | "color");
type SharedRow = Pick<Row<"projects">, SharedColumns> & { icon_file: string | null };

interface CategoryOf {
  category: string;
  featured: number;
}

/** The fields that the full answer and the list item have in common. */
const toShared = (row: SharedRow, categories: readonly CategoryOf[], cdnUrl: string, taxonomy: Taxonomy) => ({
  // The first field, so that the rest of the answer can be prepared while downloads are counted (content/records).
  downloads: row.downloads,
  icon: row.icon_file === null ? null : pictureUrl(cdnUrl, "project", row.id, row.icon_file),
  id: row.id,
  slug: row.slug,
  name: row.name,
  summary: row.summary,
  type: fromJson(row.types),
  followers: row.followers,
  dateUpdated: timestamp(row.date_updated),
  datePublished: timestamp(row.date_published),
  status: row.status,
  visibility: row.visibility,
  clientSide: row.client_side,
  serverSide: row.server_side,
  featuredCategories: categories.filter(({ featured }) => featured === 1).map(({ category }) => category),
  categories: categories.map(({ category }) => category),
  gameVersions: taxonomy.sortGameVersions(fromJson(row.game_versions)),
  loaders: fromJson(row.loaders),
  color: row.color ?? defaultColor(row.id),
});

interface Besides {
  thumbnail: string | null;
  orgSlug: string | null;
  orgName: string | null;
  ownerName: string | null;
}

const toListItem = (
  shared: ReturnType<typeof toShared>,
  { thumbnail, orgSlug, orgName, ownerName }: Besides,
): ProjectListItem => ({
  ...shared,
  featured_gallery: thumbnail,
  author: orgSlug ?? ownerName ?? "",
  isOrgOwned: orgSlug !== null,
  ...(orgName !== null && { orgName }),
});

const galleryUrl = (cdnUrl: string, projectId: string, file: string): string =>
  `${cdnUrl}/cdn/data/project/${projectId}/gallery/${file}`;

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

async function selectCategories(db: Db, ids: readonly string[]) {
  const rows = await db
    .selectFrom("project_categories")
    .selectAll()
    .where(inList(db, sql.ref("project_id"), ids))
    .orderBy("category")
    .execute();
  return Map.groupBy(rows, (row) => row.project_id);
}
