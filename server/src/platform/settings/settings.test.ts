// Settings that are edited on the web: each takes effect at once and on every node, settings of the operator cannot be
// changed, and concurrent edits are never overwritten silently.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readConfig, webSettings } from "#config/config.js";
import type { Actor } from "#test/callers/actors.js";
import { type Fields, submit, typed, wrongWith } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { look } from "#test/worlds/desk-world.js";
import { makeVersion } from "#test/worlds/versions.js";

const folder = mkdtempSync(join(tmpdir(), "modshelf-web-settings-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const world = await testApp({
  settings: { MODSHELF_MAX_GALLERY_IMAGES: "3", MODSHELF_METRICS_TOKEN: "metrics-secret-0123456789abcdef" },
});
const { as, make, resources } = world;
const { db, config } = resources;
const admin = await make.user({ role: "admin" });
const moderator = await make.user({ role: "moderator" });
const office = as.user(admin);

/** Submits the whole page as a browser would, with these changes. */
async function save(section: string, changes: Fields, actor: Actor = office) {
  const page = await look(actor, `/admin/settings/${section}`);
  const stamp = typed(page, "stamp")!;
  const present = Object.fromEntries(
    webSettings
      .filter(({ web }) => web === section)
      .map(({ name }): [string, string] => [name, fieldValue(page.text, name)])
      .filter(([, value]) => value !== ""),
  );
  return submit(actor, `/admin/settings/${section}`, { stamp, ...present, ...changes });
}

function fieldValue(page: string, name: string): string {
  const input = new RegExp(`<input[^>]* name="${name}"[^>]*>`).exec(page)?.[0];
  if (input) return / value="([^"]*)"/.exec(input)?.[1] ?? "";
  const select = new RegExp(`<select[^>]* name="${name}"[^>]*>(.*?)</select>`, "s").exec(page)?.[1] ?? "";
  return (
    /<option[^>]*value="([^"]*)"[^>]* selected/.exec(select)?.[1] ??
    /<option selected[^>]*value="([^"]*)"/.exec(select)?.[1] ??
    ""
  );
}

const auditOf = async (name: string) => {
  const row = await db
    .selectFrom("audit_log")
    .select(["detail", "actor_id"])
    .where("action", "=", "setting.set")
    .where("object_id", "=", name)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  return { ...(JSON.parse(row.detail) as { from: string; to: string }), by: row.actor_id };
};

describe("access", () => {
  test.each(["general", "branding", "registration", "moderation", "limits", "modshelf.env"])(
    "getWebSettingsPage and getSettingsFile: /admin/settings/%s is only for administrators",
    async (section) => {
      const path = `/admin/settings/${section}`;
      expect((await look(as.anyone, path)).headers.get("location")).toMatch(/^\/auth\/sign-in/);
      expect((await look(as.user(moderator), path)).status).toBe(404);
      expect((await look(office, path)).status).toBe(200);
    },
  );

  test("submitWebSettings refuses other users and unknown pages", async () => {
    expect((await submit(as.user(moderator), "/admin/settings/general")).status).toBe(404);
    expect((await submit(as.anyone, "/admin/settings/general")).status).toBe(401);
    expect((await submit(office, "/admin/settings/secrets")).status).toBe(404);
    expect((await look(office, "/admin/settings/secrets")).status).toBe(404);
  });
});

describe("submitWebSettings", () => {
  test("name, description and links are on every page at once, and in the API", async () => {
    await look(as.anyone, "/");
    const links = "Forum <https://forum.example>\r\nImprint <https://example.org/imprint>";
    const reply = await save("general", {
      MODSHELF_SITE_NAME: "Comet <Mods>",
      MODSHELF_SITE_DESCRIPTION: "All for comets",
      MODSHELF_FOOTER_LINKS: links,
    });
    expect(reply.headers.get("location")).toBe("/admin/settings/general?did=saved");
    const { text } = await look(as.anyone, "/");
    expect(text).toContain("<title>Comet &lt;Mods></title>");
    expect(text).toContain("All for comets");
    expect(text).toContain('href="https://forum.example"');
    expect(text).toContain(">Imprint</a>");
    expect((await look(as.anyone, "/nothing/here")).text).toContain("Comet &lt;Mods>");
    expect((await as.anyone.get("/site.webmanifest")).text).toContain("Comet <Mods>");
    expect((await as.anyone.get("/opensearch.xml")).text).toContain("Comet &lt;Mods");
    expect((await as.anyone.get("/feeds/projects.atom")).text).toContain("Comet &lt;Mods");
    expect(await auditOf("MODSHELF_SITE_NAME")).toEqual({ from: "", to: "Comet <Mods>", by: admin.id });
    await save("general", { MODSHELF_SITE_NAME: "Modshelf", MODSHELF_SITE_DESCRIPTION: "", MODSHELF_FOOTER_LINKS: "" });
    expect(await auditOf("MODSHELF_SITE_NAME")).toMatchObject({ from: "Comet <Mods>", to: "" });
    expect((await look(as.anyone, "/")).text).toContain("<title>Modshelf</title>");
  });

  test("language and colours apply to users who have not chosen", async () => {
    const french = { headers: { accept: "text/html", "accept-language": "fr" } };
    expect((await as.anyone.get("/", french)).text).toContain('<html lang="en"');
    await save("general", { MODSHELF_LANGUAGE: "de" });
    await save("branding", { MODSHELF_THEME: "dark" });
    expect((await as.anyone.get("/", french)).text).toContain('<html lang="de" data-theme="dark"');
    const english = { headers: { ...french.headers, "accept-language": "en-GB", cookie: "theme=auto" } };
    expect((await as.anyone.get("/", english)).text).toMatch(/<html lang="en"(?! data-theme)/);
    await save("general", { MODSHELF_LANGUAGE: "en" });
    await save("branding", { MODSHELF_THEME: "auto" });
  });

  test("an accent is accepted if its contrast is sufficient, and getAccentStyles serves it to every page", async () => {
    const pale = await save("branding", { MODSHELF_ACCENT: "#ffcc00" });
    expect(pale.status).toBe(400);
    expect(wrongWith(pale, "MODSHELF_ACCENT")).toContain("4.5:1");
    expect(typed(pale, "MODSHELF_ACCENT")).toBe("#ffcc00");
    expect((await save("branding", { MODSHELF_ACCENT: "#7A1F6B" })).status).toBe(303);
    expect((await look(as.anyone, "/")).text).toContain('href="/look/7a1f6b.css"');
    const styles = await as.anyone.get("/look/7a1f6b.css");
    expect(styles.text).toContain("--accent:light-dark(#7a1f6b,");
    expect(styles.headers.get("cache-control")).toContain("immutable");
    for (const file of ["red.css", "7a1f6b", "7A1F6B.css", "7a1f6b.js", "%3C.css"])
      expect((await as.anyone.get(`/look/${file}`)).status, file).toBe(404);
    await save("branding", { MODSHELF_ACCENT: "" });
    expect((await look(as.anyone, "/")).text).not.toContain("/look/");
  });

  test("registration can be closed and opened", async () => {
    await save("registration", { MODSHELF_REGISTRATION: "closed" });
    const account = { userName: "latecomer", email: "late@example.com", password: "a long secret" };
    expect(await as.anyone.post("/api/auth/signup", account)).toFail(403, "registrationClosed");
    await save("registration", { MODSHELF_REGISTRATION: "open" });
    expect((await as.anyone.post("/api/auth/signup", account)).status).toBe(200);
  });

  test("moderators review a user's first project, and the next one is public at once", async () => {
    await save("moderation", { MODSHELF_REVIEW: "first" });
    const author = await make.user();
    const statusAfterSubmitting = async () => {
      const project = await makeProject(world, author, { status: "draft", description: "It does a thing." });
      await makeVersion(world, author, project.id);
      const reply = await as.user(author).post(`/api/project/${project.id}/submit-for-review`);
      return { id: project.id, status: (reply.body as { status: string }).status };
    };
    const first = await statusAfterSubmitting();
    expect(first.status).toBe("processing");
    await as.user(moderator).post(`/api/moderation/project/${first.id}`, { status: "approved" });
    expect((await statusAfterSubmitting()).status).toBe("approved");
    await save("moderation", { MODSHELF_REVIEW: "on" });
  });

  test("reasons that are turned off are neither offered nor accepted", async () => {
    const project = await makeProject(world, admin);
    const path = `/report?itemType=project&itemId=${project.id}`;
    await save("moderation", { MODSHELF_REPORT_REASONS_OFF: ["name_squatting", "poor_description"] });
    expect(config.reportReasonsOff).toEqual(["name_squatting", "poor_description"]);
    const page = await look(as.user(moderator), path);
    expect(page.text).not.toContain('value="name_squatting"');
    expect(page.text).toContain('value="malicious"');
    const report = { reportType: "name_squatting", itemType: "project", itemId: project.id, body: "Not in use at all" };
    expect(await as.user(moderator).post("/api/report", report)).toFail(400, "invalidRequest");
    expect((await save("moderation", { MODSHELF_REPORT_REASONS_OFF: "other" })).status).toBe(400);
    await save("moderation", { MODSHELF_REPORT_REASONS_OFF: [] });
    expect((await look(as.user(moderator), path)).text).toContain('value="name_squatting"');
  });

  test("limits apply to the next upload", async () => {
    const author = await make.user();
    const project = await makeProject(world, author);
    const icon = new FormData();
    icon.append("icon", new Blob([new Uint8Array(3000)]), "icon.png");
    await save("limits", { MODSHELF_MAX_ICON_SIZE: "2 KiB" });
    expect((await as.user(author).call("PATCH", `/api/project/${project.id}/icon`, { body: icon })).status).toBe(413);
    await save("limits", { MODSHELF_MAX_ICON_SIZE: "512 KiB" });
    expect((await as.user(author).call("PATCH", `/api/project/${project.id}/icon`, { body: icon })).status).not.toBe(
      413,
    );
  });

  test("limits are shown with their default and bounds, and every one of them has a name", async () => {
    const { text } = await look(office, "/admin/settings/limits");
    expect(text).toContain("Default: 512 KiB. From 1 KiB to 64 MiB");
    expect(text).toContain("Projects of organizations do not count. Default: 1000. From 1 to 100000");
    expect(text).not.toMatch(/<label for="MODSHELF_\w+">MODSHELF_/);
    await save("limits", { MODSHELF_MIN_FREE_DISK: "5 GiB" });
    expect(config.limits.freeDiskBytes).toBe(5 * 2 ** 30);
    await save("limits", { MODSHELF_MIN_FREE_DISK: "" });
    expect(config.limits.freeDiskBytes).toBe(512 * 2 ** 20);
  });

  test("rate limits can be turned off and on, at once and on other servers", async () => {
    const limited = await testApp({ settings: { MODSHELF_RATE_LIMITS: "" } });
    const second = await testApp({ sharedWith: limited, settings: { MODSHELF_RATE_LIMITS: "" } });
    const keeper = limited.as.user(await limited.make.user({ role: "admin" }));
    const quotaOn = async ({ as }: typeof limited) =>
      (await as.anyone.get("/api/tags/loaders")).headers.get("ratelimit");
    expect(await quotaOn(limited)).toContain('"search"');
    const change = { MODSHELF_RATE_LIMITS: "off", MODSHELF_CONNECTIONS_PER_ADDRESS: "16" };
    expect((await save("limits", change, keeper)).status).toBe(303);
    expect(await quotaOn(limited)).toBeNull();
    await expect.poll(() => quotaOn(second)).toBeNull();
    expect(second.config.limits).toMatchObject({ rates: false, connectionsPerAddress: 16 });
    expect((await save("limits", { MODSHELF_RATE_LIMITS: "on" }, keeper)).status).toBe(303);
    expect(await quotaOn(limited)).toContain('"search"');
    await expect.poll(() => quotaOn(second)).toContain('"search"');
    expect((await save("limits", { MODSHELF_CONNECTIONS_PER_ADDRESS: "7" }, keeper)).status).toBe(400);
    await second.stop();
    await limited.stop();
    expect((await look(office, "/admin/settings/limits")).text).toContain(
      "Set by MODSHELF_RATE_LIMITS in the environment",
    );
  });

  test("settings from the environment are shown locked and never changed", async () => {
    const { text } = await look(office, "/admin/settings/limits");
    expect(text).toContain("Set by MODSHELF_MAX_GALLERY_IMAGES in the environment");
    expect(text).not.toContain('name="MODSHELF_MAX_GALLERY_IMAGES"');
    expect((await save("limits", { MODSHELF_MAX_GALLERY_IMAGES: "999" })).status).toBe(303);
    expect(config.limits.galleryImages).toBe(3);
  });

  test.each([
    ["general", "MODSHELF_SITE_NAME", "x".repeat(41)],
    ["general", "MODSHELF_FOOTER_LINKS", "Bad <javascript:alert(1)>"],
    ["general", "MODSHELF_LANGUAGE", "klingon"],
    ["general", "MODSHELF_SITE_NAME", "a\u0007b"],
    ["registration", "MODSHELF_REGISTRATION", "sometimes"],
    ["limits", "MODSHELF_MAX_ICON_SIZE", "a lot"],
    ["limits", "MODSHELF_MAX_DEPENDENCIES", "-1"],
  ])("%s shows the form again if %s is %j", async (section, name, value) => {
    const before = JSON.stringify(config);
    const page = await save(section, { [name]: value });
    expect(page.status).toBe(400);
    expect(wrongWith(page, name)).toMatch(/\w/);
    expect(JSON.stringify(config)).toBe(before);
  });

  test("the second of two concurrent editors is warned, sees both values, and can continue", async () => {
    const stamp = typed(await look(office, "/admin/settings/general"), "stamp")!;
    await save("general", { MODSHELF_SITE_NAME: "The first" });
    const second = { MODSHELF_SITE_NAME: "The second", MODSHELF_LANGUAGE: "en" };
    const refused = await submit(office, "/admin/settings/general", { stamp, ...second });
    expect(refused.status).toBe(409);
    expect(typed(refused, "MODSHELF_SITE_NAME")).toBe("The second");
    expect(refused.text).toContain("Current value: The first");
    const again = await submit(office, "/admin/settings/general", { stamp: typed(refused, "stamp")!, ...second });
    expect(again.status).toBe(303);
    expect(config.look.name).toBe("The second");
    await save("general", { MODSHELF_SITE_NAME: "Modshelf" });
  });

  test("other servers of the same site apply the change, and so does the next start", async () => {
    await save("general", { MODSHELF_SITE_NAME: "Everywhere" });
    const second = await testApp({ sharedWith: world });
    expect((await look(second.as.anyone, "/")).text).toContain("<title>Everywhere</title>");
    await save("general", { MODSHELF_SITE_NAME: "Elsewhere" });
    await second.resources.changeLog.catchUp();
    await expect.poll(() => second.config.look.name).toBe("Elsewhere");
    await second.stop();
    await save("general", { MODSHELF_SITE_NAME: "Modshelf" });
  });

  test("a value that a newer version no longer understands is ignored", async () => {
    const row = { name: "MODSHELF_LANGUAGE", value: '"klingon"', date_updated: 1, updated_by: null };
    await db
      .insertInto("settings")
      .values(row as never)
      .execute();
    const second = await testApp({ sharedWith: world });
    expect(second.config.look.language).toBe("en");
    await second.stop();
    await db.deleteFrom("settings").where("name", "=", "MODSHELF_LANGUAGE").execute();
  });
});

describe("getSettingsFile", () => {
  test("is a config file with all settings except secrets", async () => {
    await save("general", { MODSHELF_SITE_NAME: 'It\'s # "quoted"', MODSHELF_FOOTER_LINKS: "A # <https://a.example>" });
    const { text, headers } = await look(office, "/admin/settings/modshelf.env");
    expect(headers.get("content-disposition")).toContain("modshelf.env");
    expect(text).not.toContain("metrics-secret");
    const cwd = join(folder, "copy");
    const lines = text.split("\n").filter((line) => !line.includes("DATABASE_URL"));
    writeFileSync(`${folder}/modshelf.env`, lines.join("\n"));
    const copy = readConfig({}, folder);
    expect(copy.look).toEqual(config.look);
    expect(copy.limits).toEqual(config.limits);
    expect(cwd).toContain(folder);
    await save("general", { MODSHELF_SITE_NAME: "Modshelf", MODSHELF_FOOTER_LINKS: "" });
  });
});
