import { describe, expect, test } from "vitest";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { listDailyDownloads } from "#test/worlds/daily-downloads.js";
import { makeVersion } from "#test/worlds/versions.js";
import { counterOf } from "./counters.js";
import { forgetClients } from "./forget.js";

const world = await testApp({ settings: { MODSHELF_TRUSTED_PROXIES: "loopback" } });
const { as, make, clock, resources } = world;
const author = await make.user();
const hour = 60 * 60 * 1000;
const from = (address: string) => as.anyone.with({ "x-forwarded-for": address });

async function figures(projectId: string) {
  await counterOf(resources).flush();
  const { project } = (await as.anyone.get(`/api/project/${projectId}`)).body;
  const { data } = (await as.anyone.get(`/api/project/${projectId}/version`)).body;
  const daily = await listDailyDownloads(resources.db, projectId);
  const versions = data.reduce((sum: number, version: { downloads: number }) => sum + version.downloads, 0);
  const days = [...daily.values()].reduce((sum, count) => sum + count, 0);
  return { project: project.downloads, versions, days };
}
const all = (count: number) => ({ project: count, versions: count, days: count });

describe("counting", () => {
  test("a GET of the primary file counts once per client and version in six hours", async () => {
    const project = await makeProject(world, author);
    const version = await makeVersion(world, author, project.id, {
      additional: [{ name: "extra.jar", bytes: Buffer.from("x") }],
    });
    const path = `/api/project/${project.id}/version/${version.id}`;
    await from("10.0.0.1").get(`${path}/primary-file`);
    await from("10.0.0.1").get(`${path}/primary-file`);
    await from("10.0.0.1").head(`${path}/primary-file`);
    await from("10.0.0.1").get(`${path}/extra.jar`);
    expect(await figures(project.id)).toEqual(all(1));
    await from("10.0.0.2").get(`${path}/primary-file`, { headers: { range: "bytes=5-" } });
    await from("10.0.0.2").get(`${path}/primary-file`, { headers: { "if-none-match": `"${version.sha512}"` } });
    expect(await figures(project.id)).toEqual(all(1));
    await from("10.0.0.2").get(`${path}/primary-file`, { headers: { range: "bytes=0-9" } });
    expect(await figures(project.id)).toEqual(all(2));
    clock.advance(6 * hour);
    await from("10.0.0.1").get(`${path}/primary-file`);
    expect(await figures(project.id)).toEqual(all(3));
  });

  test("a file that a page loads as a picture is sent but not counted, on every route", async () => {
    const project = await makeProject(world, author);
    const version = await makeVersion(world, author, project.id);
    const { data } = (await as.anyone.get(`/api/project/${project.id}/version/${version.id}`)).body;
    const { name, url } = data.primaryFile;
    const paths = [
      `/api/project/${project.id}/version/${version.id}/primary-file`,
      `/api/project/${project.id}/version/latest/primary-file`,
      `/api/project/${project.id}/version/${version.id}/${name}`,
      `/api/version-file/${version.sha512}/download`,
      `/maven/maven/modshelf/${project.slug}/${version.versionNumber}/${project.slug}-${version.versionNumber}.jar`,
      new URL(url).pathname,
    ];
    for (const path of paths) {
      const reply = await from("10.6.0.1").get(path, { headers: { "sec-fetch-dest": "image" } });
      expect([path, reply.status]).toEqual([path, 200]);
    }
    expect(await figures(project.id)).toEqual(all(0));
    await from("10.6.0.1").get(paths[0]!, { headers: { "sec-fetch-dest": "document" } });
    expect(await figures(project.id)).toEqual(all(1));
  });

  test("an IPv6 /64 is one client, and an account is one client at every address", async () => {
    const project = await makeProject(world, author);
    const version = await makeVersion(world, author, project.id);
    const path = `/api/project/${project.id}/version/${version.id}/primary-file`;
    for (const address of ["2001:db8::1", "2001:db8::2", "2001:db8:0:0:ffff::3"]) await from(address).get(path);
    expect(await figures(project.id)).toEqual(all(1));
    const user = as.user(await make.user());
    for (const address of ["10.1.0.1", "10.1.0.2"]) await user.with({ "x-forwarded-for": address }).get(path);
    expect(await figures(project.id)).toEqual(all(2));
  });

  test("at most three per client and project in six hours", async () => {
    const project = await makeProject(world, author);
    for (let n = 0; n < 5; n++) {
      const version = await makeVersion(world, author, project.id);
      await from("10.2.0.1").get(`/api/project/${project.id}/version/${version.id}/primary-file`);
    }
    expect(await figures(project.id)).toEqual(all(3));
  });

  test("is exact under parallel load, and the figures stay after the clients are deleted", async () => {
    const project = await makeProject(world, author);
    const versions = [await makeVersion(world, author, project.id), await makeVersion(world, author, project.id)];
    const requests = Array.from({ length: 200 }, (_, n) =>
      from(`10.3.${n % 20}.${Math.floor(n / 20) % 5}`).get(
        `/api/project/${project.id}/version/${versions[n % 2]!.id}/primary-file`,
      ),
    );
    await Promise.all(requests);
    // 20 × 5 addresses; each requested one of the two versions, depending on its parity.
    expect(await figures(project.id)).toEqual(all(100));
    const remembered = () =>
      resources.db.selectFrom("recent_downloads").select("client").where("project_id", "=", project.id).execute();
    await forgetClients(resources.db, clock.now());
    expect(await remembered()).toHaveLength(100);
    clock.advance(7 * hour);
    await forgetClients(resources.db, clock.now());
    expect(await remembered()).toEqual([]);
    expect(await figures(project.id)).toEqual(all(100));
  });

  test("stores no addresses, only digests", async () => {
    const rows = await resources.db.selectFrom("recent_downloads").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain("10.3.");
  });

  test("a deleted project with downloads does not prevent others from being counted", async () => {
    const [gone, kept] = [await makeProject(world, author), await makeProject(world, author)];
    const version = await makeVersion(world, author, gone.id);
    await from("10.5.0.1").get(`/api/project/${gone.id}/version/${version.id}/primary-file`);
    await resources.db.deleteFrom("versions").where("id", "=", version.id).execute();
    await counterOf(resources).flush();
    const other = await makeVersion(world, author, kept.id);
    await from("10.5.0.1").get(`/api/project/${kept.id}/version/${other.id}/primary-file`);
    expect(await figures(kept.id)).toEqual(all(1));
  });

  test("downloads noted before a stop are counted, and a deleted version causes no error", async () => {
    const project = await makeProject(world, author);
    const [kept, gone] = [await makeVersion(world, author, project.id), await makeVersion(world, author, project.id)];
    for (const version of [kept, gone])
      await from("10.4.0.1").get(`/api/project/${project.id}/version/${version.id}/primary-file`);
    await resources.db.deleteFrom("versions").where("id", "=", gone.id).execute();
    await counterOf(resources).stop();
    const row = await resources.db
      .selectFrom("versions")
      .select("downloads")
      .where("id", "=", kept.id)
      .executeTakeFirstOrThrow();
    expect(row.downloads).toBe(1);
  });
});
