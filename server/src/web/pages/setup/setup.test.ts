// The first run after the administrator was created: the site, its content, and the administration's checklist.
import { describe, expect, test } from "vitest";
import { submit, submitFiles, typed, wrongWith } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";
import { look } from "#test/worlds/desk-world.js";

const world = await testApp();
const { as, make, config } = world;
const admin = as.user(await make.user({ role: "admin" }));
const moderator = as.user(await make.user({ role: "moderator" }));

describe("the first run", () => {
  test("getSetupSitePage and getSetupContentPage are for administrators only", async () => {
    for (const path of ["/setup/site", "/setup/content"]) {
      expect((await look(as.anyone, path)).headers.get("location")).toMatch(/^\/auth\/sign-in/);
      expect((await look(moderator, path)).status).toBe(404);
      expect((await submit(moderator, path)).status).toBe(404);
      expect((await look(admin, path)).status).toBe(200);
    }
    expect((await look(admin, "/admin")).text).toContain('href="/setup/site"');
  });

  test("getSetupSitePage says which URL should be configured", async () => {
    const { text } = await look(admin, "/setup/site");
    expect(text).toMatch(/MODSHELF_URL=http:\/\/127\.0\.0\.1:\d+/);
    const proxied = await admin.get("/setup/site", {
      headers: { accept: "text/html", "x-forwarded-proto": "https", "x-forwarded-host": "mods.example" },
    });
    expect(proxied.text).toContain("MODSHELF_URL=https://mods.example");
  });

  test("submitSetupSite shows problems, and continues with valid input", async () => {
    const stamp = typed(await look(admin, "/setup/site"), "stamp")!;
    const wrong = await submit(admin, "/setup/site", { stamp, MODSHELF_SITE_NAME: "x".repeat(50) });
    expect(wrong.status).toBe(400);
    expect(wrongWith(wrong, "MODSHELF_SITE_NAME")).toMatch(/1 to 40/);
    const fields = { MODSHELF_SITE_NAME: "Our mods", MODSHELF_LANGUAGE: "de", MODSHELF_REGISTRATION: "closed" };
    const reply = await submit(admin, "/setup/site", { stamp, ...fields });
    expect(reply.headers.get("location")).toBe("/setup/content");
    expect(config.look).toMatchObject({ name: "Our mods", language: "de" });
    expect(config.registration).toBe("closed");
  });

  test("submitSetupContent refuses an invalid file beside its field", async () => {
    const none = await submitFiles(admin, "/setup/content", { preset: "file" }, { file: undefined });
    expect(none.status).toBe(400);
    expect(wrongWith(none, "file")).toMatch(/\w/);
    const broken = new File(["projectTypes: ["], "taxonomy.yaml");
    const page = await submitFiles(admin, "/setup/content", { preset: "file" }, { file: [broken] });
    expect(page.status).toBe(400);
    expect(wrongWith(page, "file")).toMatch(/^(?:Line|Zeile) \d/);
    expect(page.text).toMatch(/value="file" checked/);
  });

  test("submitSetupContent applies a template and leads to the administration; the steps are then gone", async () => {
    const reply = await submitFiles(admin, "/setup/content", { preset: "luanti" }, { file: undefined });
    expect(reply.headers.get("location")).toBe("/admin");
    expect((await as.anyone.get("/api/tags/project-types")).text).toContain("texture-pack");
    expect((await look(admin, "/admin")).text).not.toContain('href="/setup/site"');
    for (const path of ["/setup/site", "/setup/content"]) {
      expect((await look(admin, path)).status).toBe(404);
      expect((await submit(admin, path)).status).toBe(404);
    }
  });
});
