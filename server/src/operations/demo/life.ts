// Activity on the demo projects: downloads, follows, collections, reports.
import { DownloadCounter } from "#content/downloads/counter.js";
import { forgetClients } from "#content/downloads/forget.js";
import { featureCollection } from "#operations/administration/featured-collections.js";
import { write } from "#platform/changes/write.js";
import type { Resources } from "#platform/http/resources.js";
import { anonymous } from "#platform/http/viewer.js";
import type { Caller } from "./caller.js";
import { type DemoContent, type DemoProject, slugOf } from "./content.js";
import { chanceOf, listDownloadTimes, type MovableClock, popularityOf } from "./past.js";

interface ReadProject {
  id: string;
  versions: { id: string; datePublished: string }[];
}

const isPublic = ({ status, visibility }: DemoProject) => !status && visibility !== "private";

/** Uses the ordinary download counter, with the planned dates. */
export async function downloadAll(
  resources: Resources & { clock: MovableClock },
  caller: Caller,
  projects: readonly DemoProject[],
): Promise<void> {
  const { clock } = resources;
  const now = clock.now();
  const counter = new DownloadCounter(resources);
  let people = 0;
  for (const project of projects.filter(isPublic)) {
    const address = `/api/project/${slugOf(project.name)}?includeVersions=true`;
    const { project: read } = await caller.read<{ project: ReadProject }>(address);
    const versions = read.versions
      .map(({ id, datePublished }) => ({ id, date: Date.parse(datePublished) }))
      .sort((a, b) => a.date - b.date);
    if (versions.length === 0) continue;
    for (const time of listDownloadTimes(project.name, popularityOf(project), versions[0]!.date, now)) {
      const newest = versions.findLast(({ date }) => date <= time)!;
      clock.moveTo(time);
      counter.note(anonymous, addressOf(people++), { projectId: read.id, versionId: newest.id });
    }
    await counter.flush();
  }
  clock.moveTo(now);
  await forgetClients(resources.db, now);
}

/** Every client has its own address. */
const addressOf = (n: number): string => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;

export async function followAll(callers: ReadonlyMap<string, Caller>, projects: readonly DemoProject[]): Promise<void> {
  for (const [name, caller] of callers)
    for (const project of projects.filter(isPublic)) {
      if (chanceOf(`${name} ${project.name}`)() > 0.35) continue;
      await caller.json("POST", `/api/project/${slugOf(project.name)}/follow`, {});
    }
}

export async function collect(
  resources: Resources,
  callers: ReadonlyMap<string, Caller>,
  { collections = [], reports = [], projects }: DemoContent,
): Promise<void> {
  const known = new Set(projects.filter(isPublic).map(({ name }) => slugOf(name)));
  for (const { owner, ...collection } of collections) {
    const { collectionId } = await callers.get(owner)!.json("POST", "/api/collections", {
      ...collection,
      visibility: "public",
      projects: collection.projects.filter((slug) => known.has(slug)),
    });
    await write(resources, {}, (tx) => featureCollection(tx, null, String(collectionId)));
  }
  for (const { reporter, project, type, text } of reports)
    if (known.has(project))
      await callers.get(reporter)!.json("POST", "/api/report", {
        ...{ reportType: type, itemType: "project", itemId: project, body: text },
      });
}
