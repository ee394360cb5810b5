// The administration's buttons that act immediately: a test of the storage, a full check.
import { describe, expect, test } from "vitest";
import { submit } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { look } from "#test/worlds/desk-world.js";

const world = await testApp();
const { as, make, app, resources } = world;
const admin = await make.user({ role: "admin" });
const moderator = await make.user({ role: "moderator" });
const office = as.user(admin);

describe("trying out", () => {
  test.each(["/admin/test/storage", "/admin/storage/verify"])("%s is for administrators alone", async (path) => {
    expect((await submit(as.user(moderator), path)).status).toBe(404);
    expect((await submit(as.anyone, path)).status).toBe(401);
  });

  test("submitStorageTest writes, reads and deletes", async () => {
    expect((await submit(office, "/admin/test/storage")).text).toContain("Storage works");
  });
});

describe("submitVerification", () => {
  test("finds nothing in an intact registry, and names each problem", async () => {
    expect((await look(office, "/admin/storage")).text).toContain("No check has been started here yet");
    const project = await makeProject(world, admin);
    expect((await submit(office, "/admin/storage/verify")).status).toBe(303);
    await app.jobs.settle();
    expect((await look(office, "/admin/storage")).text).toContain("no problems found");
    await resources.db.updateTable("projects").set({ followers: 99 }).where("id", "=", project.id).execute();
    await submit(office, "/admin/storage/verify", { deep: "on" });
    await app.jobs.settle();
    const { text } = await look(office, "/admin/storage");
    expect(text).toContain("all files were read");
    expect(text).toContain("Errors: ");
  });
});
