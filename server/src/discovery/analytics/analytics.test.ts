// Downloads and views per day: who may read them, that they add up, and every form of the answer.
import { describe, expect, test } from "vitest";
import { counterOf } from "#content/downloads/counters.js";
import { viewCounterOf } from "#content/views/counters.js";
import { dayOf, toDate } from "#lib/days.js";
import { createLog } from "#platform/http/log-lines.js";
import { anonymous } from "#platform/http/viewer.js";
import { testApp } from "#test/server/harness.js";
import { countStatements } from "#test/server/statement-count.js";
import { addMember, makeOrg, makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const logged: string[] = [];
const world = await testApp({
  log: createLog("warn", { write: (line) => void logged.push(line) }),
  settings: { MODSHELF_TRUSTED_PROXIES: "loopback", MODSHELF_COUNTRY_HEADER: "X-Country" },
});
const { as, make, clock, resources } = world;
const { db } = resources;
const day = 24 * 60 * 60 * 1000;
// The day before yesterday: it is today once everything is downloaded.
clock.freeze();
clock.advance(-2 * day);
const author = await make.user();
const moderator = await make.user({ role: "moderator" });
const admin = await make.user({ role: "admin" });
let client = 0;

const today = () => toDate(dayOf(clock.now()));
const daysAgo = (days: number) => toDate(dayOf(clock.now()) - days);
const downloads = "/api/analytics/downloads";
const ask = async (query: string, user = author) => (await as.user(user).get(`${downloads}?${query}`)).body;

/** Records so many downloads, each by another client. */
async function download(projectId: string, versionId: string, times: number, country = "DE") {
  for (let n = 0; n < times; n++) {
    client++;
    const from = `10.${client >> 16}.${(client >> 8) & 255}.${client & 255}`;
    await as.anyone
      .with({ "x-forwarded-for": from, "x-country": country })
      .get(`/api/project/${projectId}/version/${versionId}/primary-file`);
  }
  await counterOf(resources).flush();
}

const project = await makeProject(world, author);
const older = await makeVersion(world, author, project.id, {
  gameVersions: ["0.4.8", "0.4.9"],
  loaders: ["quilt", "puzzle_loader"],
});
const newer = await makeVersion(world, author, project.id, { gameVersions: ["0.4.9"], loaders: [] });
await download(project.id, older.id, 3);
clock.advance(day);
await download(project.id, older.id, 1, "us");
await download(project.id, newer.id, 2, "not a country");
clock.advance(day);
await make.confirmed(moderator, admin);
const first = daysAgo(2);
const second = daysAgo(1);
const both = `startDate=${first}&endDate=${today()}`;

describe("getDownloadFigures", () => {
  test("gives downloads by project and day, without days that had none", async () => {
    expect(await ask(`projectIds=${project.id}&${both}`)).toEqual({ [project.id]: { [first]: 3, [second]: 3 } });
    expect(await ask(`projectIds=${project.id}&by=project&timeline=yesterday`)).toEqual({
      [project.id]: { [second]: 3 },
    });
    expect(await ask(`projectIds=${project.slug},${project.id}`)).toEqual({
      [project.id]: { [first]: 3, [second]: 3 },
    });
    const { downloads: shown } = (await as.anyone.get(`/api/project/${project.id}`)).body.project;
    expect(shown).toBe(6);
  });

  test("counts today if the dates include it; timelines never do", async () => {
    const other = await makeProject(world, author);
    const version = await makeVersion(world, author, other.id);
    await download(other.id, version.id, 2);
    for (const timeline of ["all_time", "previous_7_days"])
      expect(await ask(`projectIds=${other.id}&timeline=${timeline}`)).toEqual({ [other.id]: {} });
    expect(await ask(`projectIds=${other.id}&startDate=${today()}&endDate=${today()}`)).toEqual({
      [other.id]: { [today()]: 2 },
    });
  });

  test.each([
    ["version", { [older.id]: [3, 1], [newer.id]: [0, 2] }],
    ["country", { DE: [3, 0], US: [0, 1], unknown: [0, 2] }],
    ["gameVersion", { "0.4.8": [3, 1], "0.4.9": [3, 3] }],
    ["loader", { quilt: [3, 1], puzzle_loader: [3, 1], none: [0, 2] }],
  ] as const)("broken down by %s", async (by, expected) => {
    const days = Object.fromEntries(
      Object.entries(expected).map(([key, [one, two]]) => [
        key,
        { ...(one && { [first]: one }), ...(two && { [second]: two }) },
      ]),
    );
    for (const range of [both, "timeline=all_time"])
      expect(await ask(`projectIds=${project.id}&${range}&by=${by}`)).toEqual({ [project.id]: days });
  });

  test("is for members with view_analytics; other projects are left out", async () => {
    const [reader, outsider, orgReader] = [await make.user(), await make.user(), await make.user()];
    const org = await makeOrg(world, author);
    const orgProject = await makeProject(world, author, { orgId: org.id, visibility: "private" });
    const secret = await makeProject(world, author, { visibility: "private" });
    await addMember(world, project.teamId, reader, { permissions: ["view_analytics"] });
    await addMember(world, secret.teamId, reader, { permissions: ["edit_details"] });
    await addMember(world, org.teamId, orgReader, { permissions: ["view_analytics"] });
    const ids = `projectIds=${project.id},${secret.id},${orgProject.id},AAAAAAAA&${both}`;
    expect(Object.keys(await ask(ids, reader))).toEqual([project.id]);
    expect(Object.keys(await ask(ids, author))).toEqual([project.id, secret.id, orgProject.id]);
    expect(Object.keys(await ask(ids, orgReader))).toEqual([orgProject.id]);
    expect(Object.keys(await ask(ids, admin))).toEqual([project.id, secret.id, orgProject.id]);
    const call = (user: typeof author, query: string) => as.user(user).get(`${downloads}?${query}`);
    expect(await call(outsider, ids)).toFail(403, "permissionMissing");
    expect(await call(moderator, ids)).toFail(403, "permissionMissing");
    // A project that the user cannot see is treated as missing.
    const hidden = await call(outsider, `projectIds=${secret.id}`);
    const absent = await call(outsider, "projectIds=AAAAAAAA");
    expect(hidden).toFail(400, "projectsUnknown");
    expect({ ...hidden.body, requestId: "" }).toEqual({ ...absent.body, requestId: "" });
    expect(await call(reader, `projectIds=${secret.id}`)).toFail(403, "permissionMissing");
  });

  test("comes as a table that no spreadsheet works out", async () => {
    const query = `projectIds=${project.id}&${both}&by=country`;
    const table = `projectId,country,date,downloads\r\n${project.id},DE,${first},3\r\n${project.id},US,${second},1\r\n${project.id},unknown,${second},2\r\n`;
    const asked = await as.user(author).get(`${downloads}?${query}&format=csv`);
    expect([asked.status, asked.text]).toEqual([200, table]);
    expect(asked.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(asked.headers.get("content-disposition")).toBe(`attachment; filename="downloads-${first}-${today()}.csv"`);
    expect(asked.headers.get("cache-control")).toBe("private, no-store");
    const accepted = await as.user(author).get(`${downloads}?${query}`, { headers: { accept: "text/csv" } });
    expect(accepted.text).toBe(table);
    expect(accepted.headers.get("vary")).toContain("Accept,");
    const json = await as.user(author).get(`${downloads}?${query}&format=json`, { headers: { accept: "text/csv" } });
    expect(json.body).toBeTypeOf("object");
    const plain = await as.user(author).get(`${downloads}?projectIds=${project.id}&timeline=all_time&format=csv`);
    expect(plain.text).toBe(`projectId,date,downloads\r\n${project.id},${first},3\r\n${project.id},${second},3\r\n`);
    expect((await as.user(author).head(`${downloads}?${query}&format=csv`)).status).toBe(200);
    // An answer in another format is not checked against the contract of the first.
    await expect.poll(() => logged).toEqual([]);
  });

  test.each([
    ["", "projectIds"],
    ["projectIds=", "projectIds"],
    ["projectIds=,,", "projectIds"],
    [`projectIds=${Array.from({ length: 101 }, (_, n) => `id${n}`)}`, "projectIds"],
    ["projectIds=a&timeline=always", "timeline"],
    ["projectIds=a&timeline=yesterday&startDate=2026-01-01&endDate=2026-01-02", "timeline"],
    ["projectIds=a&startDate=2026-01-01", "endDate"],
    ["projectIds=a&startDate=2026-02-30&endDate=2026-03-01", "startDate"],
    ["projectIds=a&startDate=2026-03-01&endDate=2026-02-01", "endDate"],
    ["projectIds=a&startDate=1000-03-01&endDate=2026-02-01", "startDate"],
    ["projectIds=a&by=client", "by"],
    ["projectIds=a&format=xlsx", "format"],
  ])("refuses %j and names the %s", async (query, path) => {
    const reply = await as.user(author).get(`${downloads}?${query}`);
    expect(reply).toFail(400, "invalidRequest");
    expect(reply.body.issues.map((issue: { path: string }) => issue.path)).toContain(path);
  });

  test("takes as many statements for many projects as for one", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) ids.push((await makeProject(world, author)).id);
    const cost = (list: readonly string[]) =>
      countStatements(db, () => as.user(author).get(`${downloads}?projectIds=${list}&${both}`));
    const least = async (list: readonly string[]) => Math.min(await cost(list), await cost(list), await cost(list));
    expect(await least(ids)).toBe(await least(ids.slice(0, 1)));
  });

  test("gives long ranges in the order of their days, and refuses a range that is too long", async () => {
    const big = await makeProject(world, author);
    const version = await makeVersion(world, author, big.id);
    const days = 600;
    const rowsOf = (country: string) =>
      Array.from({ length: days }, (_, at) => ({
        ...{ version_id: version.id, project_id: big.id, country, count: 1 },
        day: dayOf(clock.now()) - 1 - at,
      }));
    const question = `projectIds=${big.id}&timeline=all_time&by=country`;
    for (const country of ["AA", "BB"]) await db.insertInto("download_days").values(rowsOf(country)).execute();
    const shown = Object.keys((await ask(question))[big.id].BB);
    expect(shown).toHaveLength(days);
    expect(shown).toEqual(shown.toSorted());
    const letters = [..."ABCDEFGHIJKLM"];
    const many = letters.flatMap((one) => letters.map((two) => `${one}${two}`));
    for (const country of many.filter((name) => name !== "AA" && name !== "BB"))
      await db.insertInto("download_days").values(rowsOf(country)).execute();
    expect(await as.user(author).get(`${downloads}?${question}`)).toFail(400, "invalidRequest");
    await db.deleteFrom("download_days").where("version_id", "=", version.id).execute();
  });
});

describe("getViewFigures", () => {
  const views = (query: string, user = author) => as.user(user).get(`/api/analytics/views?${query}`);
  const visit = (projectId: string, country: string, referer?: string) => {
    const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    const headers = { userAgent, fetchDest: "document", purpose: undefined, referer, asksForPrivacy: false };
    viewCounterOf(resources).note(anonymous, `10.99.0.${++client % 256}`, projectId, headers, () => country);
  };

  test("gives views by project and day, by referrer and by country, as a map and a table", async () => {
    const [own, empty] = [await makeProject(world, author), await makeProject(world, author)];
    await clock.during(-day, async () => {
      visit(own.id, "DE", "https://forum.example.org/");
      visit(own.id, "DE");
      visit(own.id, "");
      await viewCounterOf(resources).flush();
    });
    visit(own.id, "NZ");
    await viewCounterOf(resources).flush();
    const query = `projectIds=${own.id},${empty.id}`;
    expect((await views(query)).body).toEqual({ [own.id]: { [second]: 3 }, [empty.id]: {} });
    expect((await views(`${query}&by=country&timeline=all_time`)).body[own.id]).toEqual({
      ...{ DE: { [second]: 2 }, unknown: { [second]: 1 } },
    });
    const withToday = `startDate=${second}&endDate=${today()}`;
    expect((await views(`${query}&by=referrer&${withToday}`)).body[own.id]).toEqual({
      ...{ direct: { [second]: 2, [today()]: 1 }, "forum.example.org": { [second]: 1 } },
    });
    const table = await views(`${query}&${withToday}&format=csv`);
    expect(table.text).toBe(`projectId,date,views\r\n${own.id},${second},3\r\n${own.id},${today()},1\r\n`);
    expect(table.headers.get("content-disposition")).toContain(`filename="views-${second}-${today()}.csv"`);
    expect(await views(`${query}&by=version`)).toFail(400, "invalidRequest");
  });

  test("is for members with view_analytics", async () => {
    const [reader, editor, outsider] = [await make.user(), await make.user(), await make.user()];
    const own = await makeProject(world, author);
    await addMember(world, own.teamId, reader, { permissions: ["view_analytics"] });
    await addMember(world, own.teamId, editor, { permissions: ["edit_details"] });
    const query = `projectIds=${own.id}`;
    expect(await views(query, reader)).toSucceed();
    for (const user of [editor, outsider, moderator]) expect(await views(query, user)).toFail(403, "permissionMissing");
    expect(await as.anyone.get(`/api/analytics/views?${query}`)).toFail(401);
    const secret = await makeProject(world, author, { visibility: "private" });
    expect(await views(`projectIds=${secret.id}`, outsider)).toFail(400, "projectsUnknown");
  });
});

describe("getAllDownloadFigures", () => {
  const all = async (query: string, user = moderator) => as.user(user).get(`${downloads}/all?${query}`);

  test("is for moderators", async () => {
    expect(await all(both, author)).toFail(403, "moderatorOnly");
    expect(await all(both, admin)).toSucceed();
  });

  test("gives the figures of every project, or of all together", async () => {
    const range = `startDate=${first}&endDate=${second}`;
    const { body: byProject } = await all(range);
    expect(byProject[project.id]).toEqual({ [first]: 3, [second]: 3 });
    const sum = (day: string) =>
      (Object.values(byProject) as Record<string, number>[]).reduce((total, days) => total + (days[day] ?? 0), 0);
    expect((await all(`${range}&by=day`)).body).toEqual({ all: { [first]: sum(first), [second]: sum(second) } });
    const { body: byCountry } = await all(`${range}&by=country`);
    expect(byCountry.all).toMatchObject({ DE: { [first]: 3 }, US: { [second]: 1 } });
    expect((await all(`${range}&by=loader`)).body.all.none).toEqual({ [second]: 2 });
    expect((await all(`${range}&by=gameVersion&format=csv`)).text).toContain(`all,0.4.8,${first},3\r\n`);
  });

  test("has an empty answer where nothing was downloaded", async () => {
    expect((await all("startDate=2000-01-01&endDate=2000-12-31")).body).toEqual({});
  });
});

describe("the country of a download", () => {
  test("is not noted unless the operator names a header and trusts the proxy that sends it", async () => {
    const without = await testApp({ settings: { MODSHELF_TRUSTED_PROXIES: "loopback" } });
    const untrusting = await testApp({ settings: { MODSHELF_COUNTRY_HEADER: "x-country" } });
    for (const other of [without, untrusting]) {
      const user = await other.make.user();
      const made = await makeProject(other, user);
      await makeVersion(other, user, made.id);
      await other.as.anyone.with({ "x-country": "DE" }).get(`/api/project/${made.id}/version/latest/primary-file`);
      await counterOf(other.resources).flush();
      const rows = await other.resources.db.selectFrom("download_days").select("country").execute();
      expect(rows).toEqual([{ country: "" }]);
      await other.stop();
    }
  });
});
