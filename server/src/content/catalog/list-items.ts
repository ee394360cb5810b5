// Projects as items of lists, without the rest of what is known of them: a page of results names projects that nobody has
// asked for lately, and needs no descriptions, members and galleries of twenty of them.
import { sql } from "kysely";
import { isListedProject } from "#content/projects/policy.js";
import type { ProjectListItem } from "#content/shapes/project.js";
import { fromJson } from "#lib/json.js";
import { inList } from "#platform/db/dialect.js";
import type { Db, Row } from "#platform/db/tables.js";
import { timestamp } from "#platform/http/schemas.js";
import { defaultColor } from "#platform/images/default-picture.js";
import { pictureUrl } from "#platform/pictures/read.js";
import type { LoadContext } from "./load-context.js";
import { ReadyJson } from "./ready-bytes.js";

export interface ListItemEntry {
  id: string;
  orgId: string | null;
  /** Named in the item: his renaming makes it stale. */
  ownerId: string | null;
  isListed: boolean;
  listItem: ReadyJson<ProjectListItem>;
}

type SharedColumns =
  | ("id" | "slug" | "name" | "summary" | "types" | "downloads" | "followers" | "date_updated" | "date_published")
  | ("status" | "visibility" | "client_side" | "server_side" | "game_versions" | "loaders" | "color");
type SharedRow = Pick<Row<"projects">, SharedColumns> & { icon_file: string | null };

export interface CategoryOf {
  category: string;
  featured: number;
}

/** The fields that the full shape and the list shape have in common. */
export const toShared = (row: SharedRow, categories: readonly CategoryOf[], { cdnUrl, taxonomy }: LoadContext) => ({
  icon: row.icon_file === null ? null : pictureUrl(cdnUrl, "project", row.id, row.icon_file),
  id: row.id,
  slug: row.slug,
  name: row.name,
  summary: row.summary,
  type: fromJson(row.types),
  downloads: row.downloads,
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
  ownerName: string | null;
}

export const toListItem = (
  shared: ReturnType<typeof toShared>,
  { thumbnail, orgSlug, ownerName }: Besides,
): ProjectListItem => ({
  ...shared,
  featured_gallery: thumbnail,
  author: orgSlug ?? ownerName ?? "",
  isOrgOwned: orgSlug !== null,
});

export const galleryUrl = (cdnUrl: string, projectId: string, file: string): string =>
  `${cdnUrl}/cdn/data/project/${projectId}/gallery/${file}`;

/** Two statements, however many projects. */
export async function loadListItems(context: LoadContext, ids: readonly string[]): Promise<Map<string, ListItemEntry>> {
  const { db, cdnUrl } = context;
  const [rows, categories] = await Promise.all([selectItems(db, ids), selectCategories(db, ids)]);
  return new Map(
    rows.map((row) => {
      const { id, thumbnail_file: file } = row;
      const item = toListItem(toShared(row, categories.get(id) ?? [], context), {
        thumbnail: file === null ? null : galleryUrl(cdnUrl, id, file),
        orgSlug: row.org_slug,
        ownerName: row.owner_name,
      });
      const besides = { orgId: row.org_id, ownerId: row.owner_id, isListed: row.is_listed === 1 };
      return [id, { id, ...besides, listItem: new ReadyJson(item) }];
    }),
  );
}

export async function selectCategories(db: Db, ids: readonly string[]) {
  const rows = await db
    .selectFrom("project_categories")
    .selectAll()
    .where(inList(db, sql.ref("project_id"), ids))
    .orderBy("category")
    .execute();
  return Map.groupBy(rows, (row) => row.project_id);
}

type ItemRow = SharedRow &
  Pick<Row<"projects">, "org_id"> & {
    org_slug: string | null;
    owner_id: string | null;
    owner_name: string | null;
    thumbnail_file: string | null;
    is_listed: number;
  };

// Written out: putting it together costs the query builder as much time as the database takes to answer.
async function selectItems(db: Db, ids: readonly string[]): Promise<ItemRow[]> {
  const { rows } = await sql<ItemRow>`
    select projects.id, projects.slug, projects.name, summary, types, downloads, followers, date_updated,
      date_published, status, visibility, client_side, server_side, game_versions, loaders, color, org_id,
      icon.file_name as icon_file, org.slug as org_slug, owner.user_id as owner_id, users.user_name as owner_name,
      thumbnail.file_name as thumbnail_file, case when ${isListedProject} then 1 else 0 end as is_listed
    from projects
    left join images as icon on icon.id = projects.icon_id
    left join organizations as org on org.id = projects.org_id
    left join team_members as owner on owner.team_id = projects.team_id and owner.is_owner = 1
    left join users on users.id = owner.user_id
    left join gallery_items as picture on picture.project_id = projects.id and picture.featured = 1
    left join images as thumbnail on thumbnail.id = picture.thumbnail_id
    where ${inList(db, sql.ref("projects.id"), ids)}`.execute(db);
  return rows;
}
