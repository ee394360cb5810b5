// The gallery, dependents and download figures of a project.
import { describe, expect, test } from "vitest";
import { dayOf, toDate } from "#lib/days.js";
import { write } from "#platform/changes/write.js";
import type { Reply } from "#test/callers/actors.js";
import { drawPicture } from "#test/files/pictures.js";
import { testApp } from "#test/server/harness.js";
import { addMember, makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make, resources, clock } = world;
const owner = await make.user();
const page = (path: string, actor = as.anyone): Promise<Reply> => actor.get(path, { headers: { accept: "text/html" } });

describe("getGalleryPage", () => {
  test("shows pictures that link to themselves, with escaped titles", async () => {
    const project = await makeProject(world, owner);
    const image = await drawPicture({ width: 64, height: 48 });
    const title = '"><script>x</script>';
    const added = await as.user(owner).form("POST", `/api/project/${project.slug}/gallery`, { image, title });
    expect(added).toSucceed();
    const { id, image: full, imageThumbnail } = added.body.data;
    const { text } = await page(`/project/${project.slug}/gallery`);
    expect(text).toContain(`<li id="img-${id}"><a href="${full}"><img src="${imageThumbnail}"`);
    expect(text).toMatch(/<img [^>]*width="\d+" height="\d+"/);
    expect(text).not.toContain("<script>x");
    expect(text).toMatch(/src="\/assets\/lightbox\.[\w-]{12}\.js"/);
    expect((await page(`/project/${project.slug}`)).text).toContain(`/project/${project.slug}/gallery`);
  });

  test("if empty, is offered only to members who can add pictures", async () => {
    const project = await makeProject(world, owner);
    const path = `/project/${project.slug}/gallery`;
    expect((await page(`/project/${project.slug}`)).text).not.toContain(path);
    expect((await page(`/project/${project.slug}`, as.user(owner))).text).toContain(path);
    expect((await page(path)).text).toContain("No pictures yet");
  });
});

describe("getDependentsPage", () => {
  test("lists the projects that depend on a project, by type, and no hidden ones", async () => {
    const library = await makeProject(world, owner, { name: "The library" });
    const needs = async (name: string, type: "required" | "optional", visibility: "listed" | "private" = "listed") => {
      const dependent = await makeProject(world, owner, { name, visibility });
      await makeVersion(world, owner, dependent.id, {
        dependencies: [{ projectId: library.id, versionId: null, type }],
      });
    };
    await needs("Needs it", "required");
    await needs("Likes it", "optional");
    await needs("Hides it", "required", "private");
    const path = `/project/${library.slug}/dependents`;
    const all = await page(path);
    expect(all.text).toContain("2 projects");
    expect(all.text).toContain("Needs it");
    expect(all.text).not.toContain("Hides it");
    const required = await page(`${path}?type=required`);
    expect(required.text).toContain("Needs it");
    expect(required.text).not.toContain("Likes it");
    expect((await page(path, as.user(owner))).text).toContain("Hides it");
    expect((await page(`${path}?type=embedded`)).text).toContain("No dependents");
    expect((await page(`${path}?page=2`)).status).toBe(404);
    expect(await page(`${path}?type=odd&page=x`)).toSucceed();
  });
});

/** Adds downloads of past days as the ledger stores them once they are folded. */
async function downloaded(projectId: string, counts: Record<number, number>): Promise<void> {
  const { id } = await makeVersion(world, owner, projectId, { versionNumber: "1.0" });
  const today = dayOf(clock.now());
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  await write(resources, { credential: "test" }, async (tx) => {
    for (const [ago, count] of Object.entries(counts))
      await tx.db
        .insertInto("download_days")
        .values({ project_id: projectId, version_id: id, day: today - Number(ago), country: "", count })
        .execute();
    await tx.db.updateTable("versions").set({ downloads: total }).where("id", "=", id).execute();
    await tx.db.updateTable("projects").set({ downloads: total }).where("id", "=", projectId).execute();
    tx.changed("project", projectId);
  });
}

describe("getStatsPage and getStatsTable", () => {
  test("show the days as bars, with the same figures in a table and a file", async () => {
    const project = await makeProject(world, owner);
    await downloaded(project.id, { 0: 2, 1: 5, 3: 7, 40: 100 });
    const { text } = await page(`/project/${project.slug}/stats`);
    expect(text).toContain("14 downloads in this period");
    expect(text.match(/class="bar"/g)).toHaveLength(30);
    expect(text.match(/class="bar open"[^>]*><title>[^<]* \(today, so far\): 2</g)).toHaveLength(1);
    expect(text).toMatch(/<desc id="chart-text">14 downloads from /);
    expect(text).toMatch(/<td class="number">7<\/td>/);
    expect(text).toMatch(/\(today, so far\)<\/th><td class="number">2<\/td>/);
    // Views are for the team only.
    expect(text).not.toContain("Views");
    expect(text).not.toMatch(/ style="/);
    const table = await as.anyone.get(`/project/${project.slug}/stats.csv?range=previous_90_days`);
    expect(table.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(table.headers.get("content-disposition")).toContain(`attachment; filename="${project.slug}-`);
    const today = dayOf(clock.now());
    expect(table.text.trim().split("\r\n")).toEqual([
      "projectId,date,downloads",
      ...[40, 3, 1, 0].map((ago) => `${project.id},${toDate(today - ago)},${{ 40: 100, 3: 7, 1: 5, 0: 2 }[ago]}`),
    ]);
  });

  test("accept longer periods, and ignore unknown ones", async () => {
    const project = await makeProject(world, owner);
    await downloaded(project.id, { 1: 5, 800: 7 });
    const path = `/project/${project.slug}/stats`;
    expect((await page(`${path}?range=previous_365_days`)).text).toContain("Downloads per week");
    const all = await page(`${path}?range=all_time`);
    expect(all.text).toContain("12 downloads in this period");
    expect((await page(`${path}?range=tomorrow`)).text.match(/class="bar"/g)).toHaveLength(30);
  });

  test("say if there are no downloads", async () => {
    const project = await makeProject(world, owner);
    expect((await page(`/project/${project.slug}/stats`)).text).toContain("No downloads yet");
  });

  test("are only for users who may see them if the project is not public", async () => {
    const project = await makeProject(world, owner, { visibility: "private" });
    const member = await make.user();
    await addMember(world, project.teamId, member, { permissions: ["upload_version"] });
    const reply = await page(`/project/${project.slug}/stats`, as.user(member));
    expect(reply.status).toBe(403);
    expect(reply.text).toContain("“View analytics”");
    expect(await as.user(member).get(`/project/${project.slug}/stats.csv`)).toFail(403, "permissionMissing");
    expect(await page(`/project/${project.slug}/stats`, as.user(owner))).toSucceed();
  });
});
