// What a report is about, found by whatever somebody names it with; and what is wrong with a report without a reason.

import { projectEntries } from "#content/projects/entries.js";
import type { ReportType } from "#lib/report-types.js";
import { describeItems, findItemId } from "#moderation/reports/items.js";
import { type ItemType, itemTypes } from "#moderation/reports/words.js";
import { invalid } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import { projectPath } from "#web/context/project-path.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import type { Target } from "./report.js";

const addresses: Record<ItemType, RegExp> = {
  project: /\/project\/([^/?#]+)/,
  version: /\/version\/([^/?#]+)/,
  user: /\/user\/([^/?#]+)/,
};

/** Among what the visitor sees. An address of this site will do as well as a name. */
export async function findTarget(
  resources: Resources,
  viewer: Viewer,
  itemType: string,
  given: string,
): Promise<Target | undefined> {
  const { db } = resources;
  const type: ItemType | undefined = itemTypes.find((name) => name === itemType);
  if (!type) return undefined;
  const ref = addresses[type].exec(given)?.[1] ?? given.trim();
  const id = await findItemId(db, viewer, type, ref);
  if (id === undefined) return undefined;
  const item = (await describeItems(db, [{ item_type: type, item_id: id }])).get(id);
  if (!item) return undefined;
  if (type === "user") return { type, id, name: item.title, href: `/user/${item.title}`, issueTracker: null };
  const entry = (await projectEntries(resources).load([item.projectId!])).get(item.projectId!);
  const path = projectPath(item.projectSlug ?? "");
  return {
    type,
    id,
    name: type === "project" ? item.title : `${item.projectName} ${item.title}`,
    href: type === "project" ? path : `${path}/version/${id}`,
    issueTracker: entry?.project.issueTrackerUrl || null,
  };
}

export function refuseMissingReason(reasons: readonly ReportType[], reason: string | undefined, locale: Locale): void {
  if (!(reasons as readonly (string | undefined)[]).includes(reason))
    throw invalid({ path: "reportType", message: textsIn(texts.reports.report, locale).chooseReason });
}
