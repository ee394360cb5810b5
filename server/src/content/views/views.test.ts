// Views of project pages: which requests count, on every path that answers them, and what is stored of them.
import { afterAll, describe, expect, test } from "vitest";
import { windowMs } from "#content/downloads/policy.js";
import { dayOf } from "#lib/days.js";
import { createLog } from "#platform/http/log-lines.js";
import { anonymous } from "#platform/http/viewer.js";
import { plainCall } from "#test/callers/plain-call.js";
import { testApp } from "#test/server/harness.js";
import { countStatements } from "#test/server/statement-count.js";
import { addMember, makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { mostHosts } from "./count.js";
import { ViewCounter } from "./counter.js";
import { viewCounterOf } from "./counters.js";
import { forgetVisitors, referrerDays } from "./forget.js";

const logged: string[] = [];
const settings = { MODSHELF_TRUSTED_PROXIES: "loopback", MODSHELF_COUNTRY_HEADER: "X-Country" };
const world = await testApp({ log: createLog("error", { write: (line) => void logged.push(line) }), settings });
const there = await testApp({ sharedWith: world, settings });
const { as, make, clock, resources } = world;
const { db } = resources;
const author = await make.user();
clock.freeze();
afterAll(() => expect(logged.filter((line) => !line.includes("Too many views"))).toEqual([]));

const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
let clients = 0;
const newAddress = () => `10.7.${++clients >> 8}.${clients & 255}`;
const headersOf = (headers: Record<string, string> = {}) => ({
  ...{ accept: "text/html", "user-agent": browser, "x-forwarded-for": newAddress() },
  ...headers,
});
/** As a browser of a guest without cookies: it is answered before Fastify, if the page is ready. */
const open = (path: string, headers: Record<string, string> = {}, origin = world.origin) =>
  plainCall(origin, "GET", path, headersOf(headers));

const flush = () => Promise.all([world, there].map((each) => viewCounterOf(each.resources).flush()));

async function countedOf(projectId: string) {
  await flush();
  const read = (table: "view_days" | "view_referrers", column: string) =>
    db
      .selectFrom(table)
      .select([column as "day", "count"])
      .where("project_id", "=", projectId)
      .orderBy(column as "day")
      .execute();
  // Adds up all days.
  const toMap = (rows: readonly Record<string, unknown>[], column: string): Record<string, number> =>
    Object.fromEntries(
      [...Map.groupBy(rows, (row) => row[column] as string)].map(([key, same]) => [
        key,
        same.reduce((all, { count }) => all + (count as number), 0),
      ]),
    );
  const countries = toMap(await read("view_days", "country"), "country");
  const hosts = toMap(await read("view_referrers", "host"), "host");
  const sum = (map: Record<string, number>) => Object.values(map).reduce((all, count) => all + count, 0);
  expect(sum(countries)).toBe(sum(hosts));
  return { views: sum(countries), countries, hosts };
}

describe("a view of a project's page", () => {
  test("counts from memory, from the router, with 304 and for signed-in users, once per client and six hours", async () => {
    const project = await makeProject(world, author);
    const version = await makeVersion(world, author, project.id);
    const path = `/project/${project.slug}`;
    const first = await open(path);
    // From the cache of pages; conditional requests are answered by the router.
    for (let n = 0; n < 2; n++) expect((await open(path)).status).toBe(200);
    expect((await open(path, { "if-none-match": first.headers.get("etag")! })).status).toBe(304);
    for (const below of [
      "/versions",
      "/gallery",
      "/changelog",
      `/version/${version.versionNumber}`,
      "/versions?l=quilt",
    ])
      await open(`${path}${below}`);
    const reader = await make.user();
    await as.user(reader).get(path, { headers: headersOf() });
    expect((await countedOf(project.id)).views).toBe(10);
    // The same clients again: an account at two addresses, and an address on two nodes.
    const same = { "x-forwarded-for": newAddress() };
    await as.user(reader).get(`${path}/versions`, { headers: headersOf() });
    await open(path, same);
    await open(path, same, there.origin);
    expect((await countedOf(project.id)).views).toBe(11);
    await clock.during(windowMs - 1, () => open(`${path}/versions`, same));
    expect((await countedOf(project.id)).views).toBe(11);
    await clock.during(windowMs, () => open(`${path}/versions`, same));
    expect((await countedOf(project.id)).views).toBe(12);
  });

  test("stores no address, and a digest that differs by project", async () => {
    const [one, two] = [await makeProject(world, author), await makeProject(world, author)];
    await flush();
    await db.deleteFrom("recent_views").execute();
    const same = { "x-forwarded-for": "203.0.113.77" };
    const replies = [await open(`/project/${one.slug}`, same), await open(`/project/${two.slug}`, same)];
    expect(replies.map(({ headers }) => headers.get("set-cookie"))).toEqual([null, null]);
    await flush();
    const rows = await db.selectFrom("recent_views").selectAll().execute();
    expect(rows.map(({ visitor }) => visitor.length)).toEqual([16, 16]);
    expect(new Set(rows.map(({ visitor }) => Buffer.from(visitor).toString("hex"))).size).toBe(2);
    expect(Object.keys(rows[0]!)).toEqual(["visitor", "time"]);
  });

  test("is not a prefetch, HEAD, robot, other path or refusal, and not a visit of the project's own members", async () => {
    const project = await makeProject(world, author);
    const version = await makeVersion(world, author, project.id);
    const hidden = await makeProject(world, author, { visibility: "private" });
    const member = await make.user();
    await addMember(world, project.teamId, member, { permissions: [] });
    const path = `/project/${project.slug}`;
    for (const header of ["sec-purpose", "purpose", "x-moz"]) await open(path, { [header]: "prefetch" });
    await open(path, { "user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" });
    await open(path, { "user-agent": "curl/8.5.0" });
    await open(path, { "sec-fetch-dest": "image" });
    await open(`/api/project/${project.slug}`);
    await open(`/project/${project.id}`);
    await open(`${path}/version/${version.id}`);
    await open(`${path}/nothing`);
    await open(`${path}/feed.atom`);
    await open("/mods");
    await as.anyone.head(path, { headers: headersOf() });
    for (const user of [author, member]) await as.user(user).get(path, { headers: headersOf() });
    await as.user(author).get(`/project/${hidden.slug}`, { headers: headersOf() });
    expect((await countedOf(project.id)).views).toBe(0);
    expect((await countedOf(hidden.id)).views).toBe(0);
  });

  test("is counted by the host of its referrer and by country, unless the user asks for privacy", async () => {
    const project = await makeProject(world, author);
    await makeVersion(world, author, project.id);
    const path = `/project/${project.slug}`;
    // Both paths: the last of them is not plain.
    for (const extra of [{}, { "if-match": '"x"' }] as Record<string, string>[]) {
      await open(path, { ...extra, referer: "https://forum.example.org/t/1?private=1", "x-country": "de" });
      await open(path, { ...extra, referer: `${resources.config.http.url}/mods`, "x-country": "NZ" });
      await open(path, { ...extra, "x-country": "not a country" });
      for (const ask of ["dnt", "sec-gpc"])
        await open(path, { ...extra, [ask]: "1", referer: "https://forum.example.org/", "x-country": "DE" });
    }
    expect(await countedOf(project.id)).toEqual({
      ...{ views: 10, countries: { "": 6, DE: 2, NZ: 2 } },
      hosts: { direct: 6, "forum.example.org": 2, self: 2 },
    });
  });

  test("has no country if it comes from an address that is not trusted", async () => {
    const untrusting = await testApp({ settings: { MODSHELF_COUNTRY_HEADER: "x-country" } });
    const project = await makeProject(untrusting, await untrusting.make.user());
    for (const path of ["", "/gallery"])
      await open(`/project/${project.slug}${path}`, { "x-country": "DE" }, untrusting.origin);
    await viewCounterOf(untrusting.resources).flush();
    const rows = await untrusting.resources.db.selectFrom("view_days").select(["country", "count"]).execute();
    // X-Forwarded-For is not trusted either: both are the same client.
    expect(rows).toEqual([{ country: "", count: 1 }]);
    await untrusting.stop();
  });
});

describe("hostile visitors", () => {
  const visit = (headers: { referer?: string } = {}) => ({
    ...{ userAgent: browser, fetchDest: "document", purpose: undefined, referer: undefined, asksForPrivacy: false },
    ...headers,
  });
  const noCountry = () => "";

  test("cannot store a long referrer, or more hosts than there is room for", async () => {
    const project = await makeProject(world, author);
    const path = `/project/${project.slug}`;
    await open(path, { referer: `https://${"a".repeat(7000)}.example/` });
    await open(path, { referer: `https://example.org/${"a".repeat(7000)}` });
    expect((await countedOf(project.id)).hosts).toEqual({ direct: 1, "example.org": 1 });
    const counter = viewCounterOf(resources);
    const visitFrom = (n: number) =>
      counter.note(anonymous, newAddress(), project.id, visit({ referer: `https://h${n}.example/` }), noCountry);
    for (let n = 0; n < 2500; n++) visitFrom(n);
    await flush();
    const storedOf = async () => {
      const { views, hosts } = await countedOf(project.id);
      const named = Object.keys(hosts).filter((host) => host.startsWith("h"));
      expect(named.length).toBeLessThan(mostHosts);
      expect(named.length).toBeGreaterThan(mostHosts / 2);
      expect(
        Object.values(hosts).reduce((sum, count) => sum + count, 0),
        "no view is lost",
      ).toBe(views);
      return { views, hosts };
    };
    expect((await storedOf()).views).toBe(2502);
    // A frequent host that comes late displaces a rare one, and stays while rare ones come and go.
    for (let n = 0; n < 40; n++) visitFrom(9999);
    for (let n = 3000; n < 3010; n++) visitFrom(n);
    expect((await storedOf()).hosts["h9999.example"]).toBe(40);
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 150; n++) visitFrom(4000 + 150 * round + n);
      for (let n = 0; n < 20; n++) visitFrom(9999);
      await flush();
    }
    const { views, hosts } = await storedOf();
    expect([views, hosts["h9999.example"], hosts["example.org"] ?? 1]).toEqual([3062, 100, 1]);
  });

  test("cost a bounded number of statements for 10,000 projects, and views without room are left out", async () => {
    const project = await makeProject(world, author);
    const counter = new ViewCounter(resources);
    const same = newAddress();
    counter.note(anonymous, same, project.id, visit(), noCountry);
    for (let n = 0; n < 10_000; n++) counter.note(anonymous, same, `absent-${n}`, visit(), noCountry);
    const statements = await countStatements(db, () => counter.flush());
    expect(statements).toBeLessThan(150);
    expect((await countedOf(project.id)).views).toBe(1);
    // Nothing is left of projects that do not exist.
    const { count } = await db
      .selectFrom("view_days")
      .select((each) => each.fn.countAll<number>().as("count"))
      .where("project_id", "like", "absent-%")
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(0);
    // One client that loads a page again and again has one place.
    for (let n = 0; n < 30_000; n++) counter.note(anonymous, same, project.id, visit(), noCountry);
    expect(logged).toEqual([]);
    const stalled = new ViewCounter({ ...resources, db: undefined as never, memory: there.resources.memory });
    for (let n = 0; n < 30_000; n++) stalled.note(anonymous, same, `q${n}`, visit(), noCountry);
    await expect.poll(() => logged.filter((line) => line.includes("Too many views"))).toHaveLength(1);
  });
});

test("visitors are forgotten after the window, and referring hosts after more than a year; the sums stay", async () => {
  const project = await makeProject(world, author);
  await open(`/project/${project.slug}`, { referer: "https://forum.example.org/" });
  await flush();
  const today = dayOf(clock.now());
  const old = { project_id: project.id, day: today - referrerDays - 1, count: 7 };
  await db
    .insertInto("view_referrers")
    .values({ ...old, host: "old.example" })
    .execute();
  await db
    .insertInto("view_days")
    .values({ ...old, country: "" })
    .execute();
  await forgetVisitors(db, clock.now());
  expect(await db.selectFrom("recent_views").select("time").execute()).not.toEqual([]);
  await forgetVisitors(db, clock.now() + windowMs + 600_000);
  expect(await db.selectFrom("recent_views").select("time").execute()).toEqual([]);
  const hosts = await db.selectFrom("view_referrers").select("host").where("project_id", "=", project.id).execute();
  expect(hosts).toEqual([{ host: "forum.example.org" }]);
  const days = await db.selectFrom("view_days").select("count").where("project_id", "=", project.id).execute();
  expect(days.map(({ count }) => count).sort()).toEqual([1, 7]);
});
