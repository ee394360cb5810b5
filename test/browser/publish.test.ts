// The authors' flow in a real browser: from signing up to submitting (B.2), a bad release (B.10), a refused one (B.12),
// and all their pages checked by axe.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { jar } from "#test/callers/uploads.js";
import { uniqueName } from "#test/server/harness.js";
import { addMember, makeOrg, makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { desktop, expectAccessible, expectFits, openSite, phone, widths } from "./browser.js";

const site = await openSite();
const { make } = site;

const manifest = (slug: string) =>
  JSON.stringify({
    schema_version: 1,
    quilt_loader: {
      id: slug,
      version: "1.0.0",
      metadata: { name: "Fancy lamps", description: "Lamps that light themselves", license: "All Rights Reserved" },
      depends: [{ id: "cosmicreach", versions: ">=0.4.7 <0.5.0" }],
    },
  });

const lamps = (slug: string) => ({
  name: "lamps.jar",
  mimeType: "application/java-archive",
  buffer: jar({ name: "quilt.mod.json", content: manifest(slug) }),
});

const press = (page: Page, text: string) => page.getByRole("button", { name: text, exact: true }).click();
const isAt = (path: string) => (url: URL) => url.pathname === path;

describe.each(widths)("at %s width", (_name, viewport) => {
  test.each([true, false])("from signing up to submitting in eight steps (script: %s)", async (script) => {
    const userName = uniqueName("author");
    const slug = uniqueName("lamps");
    const page = await site.visit("/auth/sign-up?next=/new", { viewport, script });
    await page.fill("#userName", userName);
    await page.fill("#email", `${userName}@example.com`);
    await page.fill("#password", "correct horse battery");
    await page.click("main form button[type=submit]");
    await page.waitForURL(isAt("/new"));

    await page.setInputFiles("#primaryFile", lamps(slug));
    if (!script) await press(page, "Read the file");
    await page.waitForURL(/\/new\?upload=/);
    expect([await page.inputValue("#name"), await page.inputValue("#slug")]).toEqual(["Fancy lamps", slug]);
    expect(await page.inputValue("#summary")).toBe("Lamps that light themselves");
    expect(await page.isChecked("input[name=type][value=mod]")).toBe(true);
    expect(await page.inputValue("#license")).toBe("all-rights-reserved");
    await page.selectOption("#license", "");
    await press(page, "Create project");

    await page.waitForURL(isAt(`/project/${slug}/version/new`));
    expect(await page.inputValue("#versionNumber")).toBe("1.0.0");
    expect(await page.isChecked("input[name=gameVersions][value='0.4.8']")).toBe(true);
    await page.fill("#changelog", "The **first** one");
    await press(page, "Publish version");

    await page.waitForURL(isAt(`/project/${slug}`));
    await page.fill("#checklist [name=description]", "# Lamps\n\nThey light themselves.");
    await press(page, "Save description");
    await page.waitForSelector("#checklist [name=id]");
    await page.selectOption("#checklist [name=id]", "MIT");
    await press(page, "Save license");
    await page.waitForSelector("#checklist [name=note]");
    await page.fill("#checklist [name=note]", "My first");
    await press(page, "Submit for review");

    await page.waitForURL(isAt(`/project/${slug}/moderation`));
    const text = await page.textContent("main");
    expect(text).toContain("In review");
    expect(text).toMatch(/first in the queue|number \d+ of \d+ in the queue/);
    expect(text).toContain("My first");
    if (script) await expectAccessible(page);
    const { project } = (await site.as.user(await ownerOf(userName)).get(`/api/project/${slug}`)).body;
    expect(project).toMatchObject({ status: "processing", licenseId: "MIT" });
  });

  test.each([true, false])("a bad release is yanked in three steps (script: %s)", async (script) => {
    const { user, project } = await published("1.0", "1.1");
    const path = `/project/${project.slug}/version/1.0`;
    const page = await site.visit(path, { viewport, script, user });
    await page.getByRole("link", { name: "Yank…" }).click();
    await page.fill("#reason", "Crashes at dusk.");
    await page.selectOption("#replacement", { label: "1.1" });
    if (script) await expectAccessible(page);
    await press(page, "Yank version");
    await page.waitForURL(isAt(path));
    expect(await page.textContent("main")).toContain("Crashes at dusk.");
    await page.getByRole("link", { name: "Use 1.1 instead" }).first().waitFor();
    const latest = await site.as.anyone.get(`/api/project/${project.slug}/version/latest`);
    expect(latest.body.data.versionNumber).toBe("1.1");
  });

  test.each([true, false])(
    "an author fixes a refused project and submits it again in three steps (script: %s)",
    async (script) => {
      const { user, project } = await published("1.0");
      const moderator = site.as.user(await make.user({ role: "moderator" }));
      const decision = { status: "rejected", reason: "description", message: "Say what it does." };
      await moderator.post(`/api/moderation/project/${project.id}`, decision);
      const page = await site.visit(`/project/${project.slug}/moderation`, { viewport, script, user });
      expect(await page.textContent("#checklist")).toContain("Say what it does.");
      if (script) await expectAccessible(page);
      await page.getByRole("link", { name: "Fix this" }).click();
      await page.fill("#description", "It lights lamps at dusk.");
      await press(page, "Save description");
      await page.waitForSelector("[role=status]");
      await page.goto(`/project/${project.slug}/moderation`);
      await page.check("input[name=fixed]");
      await page.fill("#note", "Now it says so.");
      await press(page, "Submit again");
      await page.waitForURL(isAt(`/project/${project.slug}/moderation`));
      const text = await page.textContent("main");
      for (const words of ["In review", "Fixed: Unclear description.", "Now it says so."])
        expect(text).toContain(words);
    },
  );
});

test.each([
  ["desktop", desktop, true],
  ["phone", phone, false],
] as const)("an author is told what moderators want changed, field by field (%s)", async (_name, viewport, script) => {
  const { user, project } = await published("1.0");
  const path = `/project/${project.slug}`;
  const moderator = site.as.user(await make.user({ role: "moderator" }));
  const decision = { status: "draft", reason: "description", message: "Say what it does." };
  await moderator.post(`/api/moderation/project/${project.id}`, decision);
  const page = await site.visit("/dashboard/notifications", { viewport, script, user });
  await page.getByRole("link", { name: "Lamps needs changes. The moderation page lists them" }).click();
  await page.waitForURL(isAt(`${path}/moderation`));
  expect(await page.textContent("main")).toContain("Changes requested");
  await page.goto("/dashboard");
  const toDo = "Lamps needs changes: Unclear description. Fix them and submit it again.";
  expect((await page.textContent("main"))?.replace(/[\u2068\u2069]/g, "")).toContain(toDo);
  await page.goto("/dashboard/projects");
  expect(await page.textContent("main .pill")).toBe("Needs changes");

  await page.goto(path);
  const text = await page.textContent("main");
  for (const words of ["Changes requested", "Say what it does."]) expect(text).toContain(words);
  for (const words of ["draft", "Ready to submit"]) expect(text).not.toContain(words);
  if (script) await expectAccessible(page);
  await expectFits(page);
  await page.getByRole("link", { name: "Unclear description" }).click();
  await page.waitForURL((url) => `${url.pathname}${url.hash}` === `${path}/settings/description#description`);
  await page.fill("#description", "It lights lamps at dusk.");
  await press(page, "Save description");
  await page.waitForURL(/done=saved/);
  // The banner stays beside the fields until the project is submitted again.
  await press(page, "Submit again");
  await page.waitForURL(isAt(`${path}/moderation`));
  expect(await page.textContent("main")).toContain("In review");
  await page.goto(path);
  expect(await page.textContent("main")).not.toContain("Changes requested");
  const stranger = await site.as.user(await make.user()).get(path);
  expect(stranger.status).toBe(404);
});

test("a quarantined version and a refused file say what happened, and what to do", async () => {
  const { user, project } = await published("1.0");
  const moderator = site.as.user(await make.user({ role: "moderator" }));
  const { data } = (await site.as.user(user).get(`/api/project/${project.slug}/version`)).body;
  await moderator.post("/api/moderation/quarantine", { versionId: data[0].id, reason: "Reads saved passwords" });
  const page = await site.visit(`/project/${project.slug}/versions`, { user });
  expect(await page.textContent("main")).not.toContain("No version has been published yet");
  await page.getByRole("link", { name: "Version 1.0 is in quarantine" }).click();
  await page.waitForURL(isAt(`/project/${project.slug}/version/1.0`));
  expect(await page.textContent("main")).toContain("Reads saved passwords");
  await expectAccessible(page);
  await page.getByRole("link", { name: "Answer the moderators" }).click();
  await page.waitForURL(isAt(`/project/${project.slug}/moderation`));
  await page.fill("[name=say]", "It reads its own settings.");

  await page.goto(`/project/${project.slug}/version/new`);
  const buffer = Buffer.from("nothing");
  await page.setInputFiles("#primaryFile", { name: "notajar.jar", mimeType: "application/java-archive", buffer });
  await page.waitForSelector(".upload .wrong");
  await page.goto("/dashboard");
  const row = page.locator(".rows li", { hasText: "notajar.jar was rejected" });
  expect(await row.textContent()).not.toContain("kept");
  await row.getByRole("button", { name: "Discard" }).click();
  await page.waitForURL(isAt("/dashboard"));
  expect(await page.textContent("main")).not.toContain("notajar.jar");
});

test("ticked categories are shown without any further choice", async () => {
  const { user, project } = await published("1.0");
  const page = await site.visit(`/project/${project.slug}/settings/tags`, { user, script: false });
  for (const name of ["adventure", "magic"]) await page.check(`input[name=categories][value=${name}]`);
  await press(page, "Save tags");
  await page.waitForURL(/done=saved/);
  await page.goto(`/project/${project.slug}`);
  const tags = await page.textContent(".project-header .tags");
  for (const name of ["Adventure", "Magic"]) expect(tags).toContain(name);
});

test.each([true, false])("dependencies have any number of rows, with suggestions (script: %s)", async (script) => {
  const { user, project } = await published("1.0");
  const libraries = [];
  for (const name of ["Lumen core", "Inkwell", "Wayfarer"]) {
    const library = await makeProject(site, user, { name, slug: uniqueName("library") });
    await makeVersion(site, user, library.id, { versionNumber: "2.0" });
    libraries.push(library);
  }
  const page = await site.visit(`/project/${project.slug}/version/new`, { user, script });
  await page.setInputFiles("#primaryFile", lamps(project.slug));
  if (script) await expect.poll(() => page.inputValue("#versionNumber")).toBe("1.0.0");
  await page.fill("#versionNumber", "5.0");
  await page.fill("#title", "With libraries");
  const rows = page.locator(".dependency-row");
  for (const [at, { slug }] of libraries.entries()) {
    if (at > 0) await press(page, "Add a row");
    await expect.poll(() => rows.count()).toBe(at + 1);
    const input = rows.nth(at).locator("[name=dependencyProject]");
    // Added rows suggest projects too, with their icons: by key or with the mouse.
    if (script && at < 2) {
      await input.pressSequentially(at === 0 ? "lumen" : "inkwell");
      const option = rows.nth(at).getByRole("option", { name: at === 0 ? /Lumen core/ : /Inkwell/ });
      await option.locator("img").waitFor();
      expect(await rows.nth(at).getByRole("status").textContent()).toBe("Suggestions: 1");
      if (at === 0) {
        await expectAccessible(page);
        await input.press("ArrowDown");
        await input.press("Enter");
      } else await option.click();
      expect([await input.inputValue(), await option.count()]).toEqual([slug, 0]);
    } else await input.fill(slug);
  }
  const version = rows.nth(1).locator("[name=dependencyVersion]");
  await version.focus();
  if (script) await page.waitForSelector("#dependency-versions option[value='2.0']", { state: "attached" });
  await version.fill("2.0");
  await rows.nth(2).locator("[name=dependencyType]").selectOption("optional");
  if (script) {
    // A draft has all rows, also those that the page did not have at first.
    await expect.poll(() => page.evaluate("JSON.stringify(localStorage)")).toContain("optional");
    await page.reload();
    const typed = rows.locator("[name=dependencyProject]");
    expect(
      await typed.evaluateAll((inputs) => inputs.map((input) => (input as never as { value: string }).value)),
    ).toEqual(libraries.map(({ slug }) => slug));
    expect([await version.inputValue(), await rows.nth(2).locator("select").inputValue()]).toEqual(["2.0", "optional"]);
  }
  // The Enter key publishes, although the button for a row comes first.
  await page.locator("#title").press("Enter");
  await page.waitForURL(isAt(`/project/${project.slug}/version/5.0`));
  const { data } = (await site.as.user(user).get(`/api/project/${project.slug}/version/5.0`)).body;
  const types = Object.fromEntries(
    data.dependencies.map((one: { projectId: string; dependencyType: string }) => [one.projectId, one.dependencyType]),
  );
  const [first, second, third] = libraries.map(({ id }) => id);
  expect(types).toEqual({ [first!]: "required", [second!]: "required", [third!]: "optional" });
});

test.each([true, false])(
  "a free URL is taken with one click if the wanted one is taken (script: %s)",
  async (script) => {
    const { user, project } = await published();
    const page = await site.visit("/new", { user, script, viewport: phone });
    for (const [id, text] of Object.entries({ name: "More lamps", slug: project.slug, summary: "They light" }))
      await page.fill(`#${id}`, text);
    await page.check("input[name=type][value=mod]");
    await page.locator("#slug").press("Enter");
    await page.waitForSelector("#slug-wrong");
    if (script) await expectAccessible(page);
    await expectFits(page);
    await press(page, `${project.slug}-2`);
    await page.waitForURL(isAt(`/project/${project.slug}-2/version/new`));
  },
);

async function ownerOf(userName: string) {
  const row = await site.resources.db
    .selectFrom("users")
    .selectAll()
    .where("user_name", "=", userName)
    .executeTakeFirstOrThrow();
  const user = await make.user();
  await site.resources.db.updateTable("sessions").set({ user_id: row.id }).where("user_id", "=", user.id).execute();
  return user;
}

/** A public project of a new author with these versions, the last one is the newest. */
async function published(...numbers: string[]) {
  const user = await make.user();
  const project = await makeProject(site, user, { description: "Short", name: "Lamps" });
  for (const versionNumber of numbers) {
    await makeVersion(site, user, project.id, { versionNumber });
    site.clock.advance(1000);
  }
  return { user, project };
}

describe("moving a project to an organization", () => {
  test.each(widths)("takes three steps and shows the permissions of members (%s)", async (_name, viewport) => {
    const { user, project } = await published("1.0");
    const org = await makeOrg(site, user, { name: "Lantern makers" });
    const member = await make.user();
    await addMember(site, org.teamId, member, { permissions: ["upload_version"] });
    const page = await site.visit(`/project/${project.slug}/settings/members`, { viewport, user });
    await page.getByRole("link", { name: "Move to an organization…" }).click();
    await page.selectOption("#org", { label: "Lantern makers" });
    await press(page, "Preview changes");
    expect(await page.textContent("main table")).toContain(`${member.userName}not a memberPublish and edit versions`);
    await expectAccessible(page);
    await expectFits(page);
    await page.fill("#confirm", project.slug);
    await press(page, "Move project");
    await page.waitForSelector("[role=status]");
    expect(await page.textContent("main")).toContain("This project belongs to Lantern makers.");
  });
});

test("an author states the use of AI without script, and a visitor hides such projects", async () => {
  const { user, project } = await published("1.0");
  const path = `/project/${project.slug}`;
  const author = await site.visit(`${path}/settings/disclosures`, { viewport: phone, script: false, user });
  const kind = author.getByLabel("Art or sound");
  expect(await kind.isVisible()).toBe(false);
  await author.getByLabel("AI was used").check();
  await kind.check();
  await press(author, "Save disclosures");
  await author.waitForSelector("[role=status]");
  const page = await site.visit(path);
  expect(await page.textContent("main")).toContain("Used for: art or sound");
  await page.goto("/mods");
  const listed = page.locator(`#results a[href="${path}"]`);
  expect(await listed.count()).toBeGreaterThan(0);
  await page.getByLabel("Exclude AI-generated art or sound").check();
  await page.waitForURL((url) => url.searchParams.get("d") === "!ai-art");
  await expect.poll(() => listed.count()).toBe(0);
});

describe("every page of the authors", () => {
  const below = [
    "/settings",
    "/settings/description",
    "/settings/tags",
    "/settings/license",
    "/settings/links",
    "/settings/disclosures",
    "/settings/gallery",
    "/settings/members",
    "/settings/move",
    "/settings/publishing",
    "/settings/analytics",
    "/settings/delete",
    "/moderation",
    "/version/new",
    "/version/1.0/edit",
    "/version/1.0/yank",
    "/version/1.0/delete",
  ];

  test.each([
    ["light", desktop],
    ["dark", phone],
    ["light", { width: 320, height: 640 }],
  ] as const)(
    "is accessible and fits in the %s theme at %j",
    async (theme, viewport) => {
      const { user, project } = await published("1.0");
      const page = await site.visit("/new", { viewport, theme, user });
      for (const path of ["/new", "/tools/markdown", ...below.map((one) => `/project/${project.slug}${one}`)]) {
        await page.goto(path);
        await expectAccessible(page);
        await expectFits(page);
        expect(await page.locator("h1").count(), path).toBe(1);
      }
    },
    120_000,
  );

  test("shows long names, other scripts and right-to-left text without breaking", async () => {
    const user = await make.user();
    const project = await makeProject(site, user, {
      name: "مصابيح فاخرة 大きな灯り",
      summary: "W".repeat(300),
      slug: `${uniqueName("very-long-name-without-any-place-to-break")}`.slice(0, 64),
    });
    const page = await site.visit(`/project/${project.slug}/settings`, { viewport: { width: 320, height: 640 }, user });
    for (const path of ["/settings", "/settings/members", "/settings/delete", "/version/new"]) {
      await page.goto(`/project/${project.slug}${path}`);
      await expectFits(page);
    }
  });
});
