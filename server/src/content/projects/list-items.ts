// Projects as list items only. Result pages name projects that are not in memory, and do not need the descriptions,
// members and galleries of twenty of them.
import { sql } from "kysely";
import { keepEntries } from "#content/catalog/catalog.js";
import { ReadyJson } from "#content/catalog/ready-bytes.js";
import type { ProjectListItem } from "#content/shapes/project.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { inList } from "#platform/db/dialect.js";
import type { Db, Row } from "#platform/db/tables.js";
import type { Resources } from "#platform/http/resources.js";
import { galleryUrl, type SharedRow, selectCategories, toListItem, toShared } from "./entries.js";
import { isListedProject } from "./policy.js";

export interface ListItemEntry {
  id: string;
  orgId: string | null;
  /** The item is dropped when this user changes. */
  ownerId: string | null;
  isListed: boolean;
  listItem: ReadyJson<ProjectListItem>;
}

const mostBytes = 24 * 1024 * 1024;

export const listItems = keepEntries<ListItemEntry>({
  name: "listItems",
  bytes: mostBytes,
  weigh: ({ listItem }) => listItem.bytes.length,
  load: loadItems,
  onChange({ kind, id }, items) {
    if (kind === "project") items.drop(id);
    else if (kind === "organization") items.dropWhere((item) => item.orgId === id);
    else if (kind === "user") items.dropWhere((item) => item.ownerId === id);
  },
  withFigures: (entry, { downloads }) => ({
    ...entry,
    listItem: new ReadyJson({ ...entry.listItem.value, downloads }),
  }),
});

/** Needs two statements, however many projects there are. */
async function loadItems(resources: Resources, ids: readonly string[]): Promise<Map<string, ListItemEntry>> {
  const { db, config } = resources;
  const { cdnUrl } = config.http;
  const taxonomy = await getTaxonomy(resources);
  const [rows, categories] = await Promise.all([selectItems(db, ids), selectCategories(db, ids)]);
  return new Map(
    rows.map((row) => {
      const { id, thumbnail_file: file } = row;
      const item = toListItem(toShared(row, categories.get(id) ?? [], cdnUrl, taxonomy), {
        thumbnail: file === null ? null : galleryUrl(cdnUrl, id, file),
        orgSlug: row.org_slug,
        ownerName: row.owner_name,
      });
      const besides = { orgId: row.org_id, ownerId: row.owner_id, isListed: row.is_listed === 1 };
      return [id, { id, ...besides, listItem: new ReadyJson(item) }];
    }),
  );
}

type ItemRow = SharedRow &
  Pick<Row<"projects">, "org_id"> & {
    org_slug: string | null;
    owner_id: string | null;
    owner_name: string | null;
    thumbnail_file: string | null;
    is_listed: number;
  };

// Plain SQL: building this query would cost as much time as the database needs to answer it.
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
