// The administration's buttons that act immediately: a test mail, a test of the storage, a full check.
import { afterAll, describe, expect, test } from "vitest";
import { submit } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";
import { startSmtp } from "#test/setup/smtp.js";
import { makeProject } from "#test/worlds/content.js";
import { look } from "#test/worlds/desk-world.js";

const smtp = await startSmtp();
afterAll(() => smtp.stop());
const world = await testApp({
  settings: { MODSHELF_SMTP_URL: smtp.url, MODSHELF_MAIL_FROM: "Mods <noreply@mods.example>" },
});
const { as, make, app, resources } = world;
const admin = await make.user({ role: "admin" });
const moderator = await make.user({ role: "moderator" });
const office = as.user(admin);

describe("trying out", () => {
  test.each(["/admin/test/mail", "/admin/test/storage", "/admin/storage/verify"])(
    "%s is for administrators alone",
    async (path) => {
      expect((await submit(as.user(moderator), path)).status).toBe(404);
      expect((await submit(as.anyone, path)).status).toBe(401);
    },
  );

  test("submitMailTest sends a real mail to the caller", async () => {
    const page = await submit(office, "/admin/test/mail");
    expect(page.status).toBe(200);
    expect(page.text).toContain("check your inbox");
    expect((await smtp.nextMessage()).to).toEqual([admin.email]);
  });

  test("submitMailTest names the missing setting if no mail can be sent", async () => {
    const quiet = await testApp();
    const keeper = quiet.as.user(await quiet.make.user({ role: "admin" }));
    expect((await submit(keeper, "/admin/test/mail")).text).toContain("Set MODSHELF_SMTP_URL");
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
