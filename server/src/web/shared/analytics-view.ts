// The views and downloads of several projects that the visitor may read, added up and by project.
import type { ProjectListItem } from "#content/shapes/project.js";
import type { Figure } from "#discovery/analytics/figures.js";
import { findReadableProjects } from "#discovery/analytics/read.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { readTimeline, readTraffic, type Traffic } from "./traffic-view.js";

export interface Analytics {
  traffic: Traffic;
  /** The projects whose figures the visitor may read, most downloaded first. */
  projects: readonly { id: string; name: string; slug: string; views: number; downloads: number }[];
  hasProjects: boolean;
}

export async function readAnalytics(
  resources: Resources,
  viewer: SignedIn,
  all: readonly ProjectListItem[],
  range: string | undefined,
): Promise<Analytics> {
  const ids = all.map(({ id }) => id);
  const { permitted } = await findReadableProjects(resources.db, viewer, ids);
  const traffic = await readTraffic(resources, viewer, permitted, readTimeline(range));
  const [views, downloads] = [sumByProject(traffic.figures.views), sumByProject(traffic.figures.downloads)];
  const readable = new Set(permitted);
  const projects = all
    .filter(({ id }) => readable.has(id))
    .map(({ id, name, slug }) => ({
      ...{ id, name, slug, views: views.get(id) ?? 0, downloads: downloads.get(id) ?? 0 },
    }))
    .sort((a, b) => b.downloads - a.downloads || b.views - a.views);
  return { traffic, projects, hasProjects: all.length > 0 };
}

function sumByProject(figures: readonly Figure[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { scope, count } of figures) sums.set(scope, (sums.get(scope) ?? 0) + count);
  return sums;
}
