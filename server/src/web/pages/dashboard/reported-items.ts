// The reported content for its reporter: a name and a link, as long as they can see it.
import { listVisibleIds } from "#community/collections/read.js";
import { describeItems } from "#moderation/reports/items.js";
import type { ReportRow } from "#moderation/reports/read.js";
import type { Db } from "#platform/db/tables.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { projectPath } from "#web/context/project-path.js";

export interface ReportedThing {
  name: string;
  href: string;
}

/** By the id of the content. */
export async function listReportedThings(
  db: Db,
  viewer: SignedIn,
  rows: readonly ReportRow[],
): Promise<Map<string, ReportedThing>> {
  const items = await describeItems(db, rows);
  const projectIds = [...items.values()].flatMap(({ projectId }) => projectId ?? []);
  const visible = new Set(await listVisibleIds(db, viewer, projectIds));
  const things = new Map<string, ReportedThing>();
  for (const { item_type, item_id } of rows) {
    const item = items.get(item_id);
    if (!item) continue;
    const { title, projectId, projectSlug, projectName } = item;
    if (item_type === "user") things.set(item_id, { name: title, href: `/user/${title}` });
    else if (visible.has(projectId!)) {
      const path = projectPath(projectSlug!);
      const version = { name: `${projectName} ${title}`, href: `${path}/version/${item_id}` };
      things.set(item_id, item_type === "version" ? version : { name: title, href: path });
    }
  }
  return things;
}
