// Activity on the demo projects: downloads, views, follows, collections, reports.
import { DownloadCounter } from "#content/downloads/counter.js";
import { forgetClients } from "#content/downloads/forget.js";
import { ViewCounter } from "#content/views/counter.js";
import { forgetVisitors } from "#content/views/forget.js";
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

/** Uses the ordinary counters, with the planned dates. */
export async function visitAll(
  resources: Resources & { clock: MovableClock },
  caller: Caller,
  projects: readonly DemoProject[],
): Promise<void> {
  const { clock } = resources;
  const now = clock.now();
  const counter = new DownloadCounter(resources);
  const views = new ViewCounter(resources);
  let people = 0;
  for (const project of projects.filter(isPublic)) {
    const address = `/api/project/${slugOf(project.name)}?includeVersions=true`;
    const { project: read } = await caller.read<{ project: ReadProject }>(address);
    const versions = read.versions
      .map(({ id, datePublished }) => ({ id, date: Date.parse(datePublished) }))
      .sort((a, b) => a.date - b.date);
    if (versions.length === 0) continue;
    const chance = chanceOf(`${project.name} visited`);
    for (const time of listDownloadTimes(project.name, popularityOf(project), versions[0]!.date, now)) {
      const newest = versions.findLast(({ date }) => date <= time)!;
      clock.moveTo(time);
      const country = pick(countries, chance());
      counter.note(anonymous, addressOf(people++), { projectId: read.id, versionId: newest.id }, country);
    }
    await counter.flush();
    const since = Math.max(versions[0]!.date, now - viewsMs);
    for (const time of listDownloadTimes(`${project.name} seen`, popularityOf(project) * viewShare, since, now)) {
      clock.moveTo(time);
      const referer = pick([undefined, `${resources.config.http.url}/mods`, ...referrers], chance());
      const country = pick(countries, chance());
      views.note(anonymous, addressOf(people++), read.id, { ...visit, referer }, () => country);
    }
    await views.flush();
  }
  clock.moveTo(now);
  await forgetClients(resources.db, now);
  await forgetVisitors(resources.db, now);
}

/** Views are shown since this long ago, compared with all downloads. */
const viewsMs = 100 * 24 * 3_600_000;
const viewShare = 0.4;
const visit = { userAgent: "Mozilla/5.0", fetchDest: "document", purpose: undefined, asksForPrivacy: false };
/** The first ones are the most frequent. */
const countries = ["US", "DE", "CN", "BR", "FR", "PL", "GB", "JP", "CA", "", "NL", "AU", "SE", "ES"];
const referrers = [
  ...["https://www.reddit.com/", "https://github.com/", "https://duckduckgo.com/"],
  ...["https://www.youtube.com/", "https://discord.com/", "https://www.bilibili.com/", "https://forum.example.org/"],
];

const pick = <T>(values: readonly T[], chance: number): T => values[Math.floor(chance ** 2 * values.length)]!;

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
