// Forms that are sent in the background: the rest of the page stays, the focus stays, a note confirms the action; after
// a failure, or without script, they are ordinary forms.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { makeProject } from "#test/worlds/content.js";
import { queueProject } from "#test/worlds/desk-world.js";
import { desktop, expectAccessible, expectFits, openSite, phone } from "./browser.js";

const site = await openSite();
const { make, as } = site;
const author = await make.user();
const project = await makeProject(site, author, { name: "Lamps", summary: "Light" });
const other = await makeProject(site, author, { name: "Lanterns", summary: "More light" });

/** Lost as soon as another page is loaded. */
const mark = (page: Page) => page.evaluate("window.sameAsBefore = true");
const isSamePage = (page: Page) => page.evaluate("window.sameAsBefore === true");
const focused = (page: Page) => page.evaluate<string>("document.activeElement.textContent.trim()");
const toast = (page: Page) => page.getByRole("status").filter({ hasText: /./ });

describe("following", () => {
  test.each([desktop, phone])("changes the page in place ($width px)", async (viewport) => {
    const page = await site.visit(`/project/${project.slug}`, { user: await make.user(), viewport });
    await mark(page);
    const before = await page.locator(".project-figures").textContent();
    await page.getByRole("button", { name: "Follow", exact: true }).click();
    await page.getByRole("button", { name: "Unfollow" }).waitFor();
    await expect.poll(() => toast(page).textContent()).toBe("You are now following Lamps.");
    expect(await focused(page)).toBe("Unfollow");
    expect(await page.locator(".project-figures").textContent()).not.toBe(before);
    await page.locator(".follow-line").getByText("You follow this project").waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Follow", exact: true }).waitFor();
    await expect.poll(() => toast(page).textContent()).toBe("You no longer follow Lamps.");
    expect(await page.locator(".project-figures").textContent()).toBe(before);
    expect(await isSamePage(page)).toBe(true);
  });

  test("works without script, and returns to the same place", async () => {
    const page = await site.visit(`/project/${project.slug}/versions`, { user: await make.user(), script: false });
    await page.getByRole("button", { name: "Follow", exact: true }).click();
    await page.getByRole("button", { name: "Unfollow" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/project/${project.slug}/versions`);
  });

  test("shows the new state at once, and goes back with a message if the server is away or refuses", async () => {
    const page = await site.visit(`/project/${project.slug}`, { user: await make.user() });
    await mark(page);
    const answered = Promise.withResolvers<void>();
    await page.route("**/follow", async (route) => {
      await answered.promise;
      await route.abort();
    });
    await page.getByRole("button", { name: "Follow", exact: true }).click();
    await page.getByRole("button", { name: "Unfollow" }).waitFor();
    answered.resolve();
    await page.getByRole("button", { name: "Follow", exact: true }).waitFor();
    expect(await toast(page).textContent()).toMatch(/^That did not work/);
    expect(await focused(page)).toBe("Follow");
    await page.unroute("**/follow");
    await page.route("**/follow", (route) => route.fulfill({ status: 409, body: "<main><h1>No</h1><p>Too many.</p>" }));
    await page.keyboard.press("Enter");
    await expect.poll(() => toast(page).textContent()).toBe("Too many.");
    expect(await focused(page)).toBe("Follow");
    expect(await isSamePage(page)).toBe(true);
    await page.unroute("**/follow");
    await page.keyboard.press("Enter");
    await page.locator(".follow-line").getByText("You follow this project").waitFor();
  });

  test("asks to sign in if the session has ended", async () => {
    const page = await site.visit(`/project/${project.slug}`, { user: await make.user() });
    await page.context().clearCookies();
    await page.getByRole("button", { name: "Follow", exact: true }).click();
    const link = page.locator('main a[href^="/auth/sign-in"]').first();
    await link.waitFor();
    expect(await link.isVisible()).toBe(true);
  });

  test("is sent once, however often the button is pressed", async () => {
    const page = await site.visit(`/project/${project.slug}`, { user: await make.user() });
    let sent = 0;
    page.on("request", (request) => {
      if (request.method() === "POST") sent++;
    });
    await page.evaluate(`{
      const form = document.querySelector("form[data-swap=follow]");
      for (let times = 0; times < 3; times++) form.requestSubmit();
    }`);
    await page.getByRole("button", { name: "Unfollow" }).waitFor();
    expect(sent).toBe(1);
  });
});

test("an author is followed in place, and unfollowed in the library", async () => {
  const user = await make.user();
  const page = await site.visit(`/user/${author.userName}`, { user, viewport: phone });
  await mark(page);
  await page.getByRole("button", { name: "Follow", exact: true }).click();
  await page.locator(".profile-figures").getByText("1 follower").waitFor();
  expect(await toast(page).textContent()).toMatch(/^You are now following/);
  expect(await focused(page)).toBe("Unfollow");
  expect(await isSamePage(page)).toBe(true);
  await expectFits(page);
  await page.goto("/dashboard/library/people");
  await expectAccessible(page);
  await page.getByRole("button", { name: `Unfollow: ${author.userName}` }).click();
  await page.locator(".empty-state").waitFor();
});

describe("saving", () => {
  test.each([desktop, phone])("saves and removes in place, with a choice beside it ($width px)", async (viewport) => {
    const user = await make.user();
    const page = await site.visit(`/project/${project.slug}`, { user, viewport });
    await mark(page);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect.poll(() => toast(page).textContent()).toBe("Added to Saved.");
    expect(await focused(page)).toBe("Saved");
    await page.getByLabel("Choose a collection").click();
    await page.getByRole("textbox", { name: "New collection" }).fill("For the weekend");
    await page.keyboard.press("Enter");
    const weekend = page.getByRole("button", { name: "Remove from For the weekend" });
    await weekend.waitFor();
    expect(await weekend.isVisible()).toBe(true);
    await expectAccessible(page);
    await expectFits(page);
    await page.getByRole("button", { name: "Remove from Saved" }).click();
    await page.getByRole("button", { name: "Add to Saved" }).waitFor();
    expect(await isSamePage(page)).toBe(true);
    const collections = (await as.user(user).get("/api/collections")).body;
    expect(
      collections.map(({ name, projects }: { name: string; projects: string[] }) => [name, projects]).sort(),
    ).toEqual([
      ["For the weekend", [project.id]],
      ["Saved", []],
    ]);
  });

  test("works without script, and leads guests to their collections", async () => {
    const page = await site.visit(`/project/${project.slug}/versions`, { user: await make.user(), script: false });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("button", { name: "Saved", exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/project/${project.slug}/versions`);
    const guest = await site.visit(`/project/${project.slug}`, { script: false });
    await guest.getByRole("link", { name: "Save", exact: true }).click();
    await guest.waitForURL(`**/auth/sign-in?next=${encodeURIComponent(`/project/${project.slug}/save`)}`);
  });
});

test("notifications are marked as read one after the other by keyboard", async () => {
  const reader = await make.user();
  for (const each of [project, other]) {
    await as.user(author).post(`/api/team/${each.teamId}/invite`, { userName: reader.userName });
  }
  const page = await site.visit("/dashboard/notifications", { user: reader });
  await mark(page);
  await page
    .getByRole("button", { name: /^Mark as read/ })
    .first()
    .focus();
  expect(await page.locator(".bell .badge").textContent()).toBe("2");
  await page.keyboard.press("Enter");
  await toast(page).waitFor();
  expect(await page.locator(".rows > li").count()).toBe(1);
  expect(await page.locator(".bell .badge").textContent()).toBe("1");
  expect(await focused(page)).toBe("Mark as read");
  await page.keyboard.press("Enter");
  await page.locator(".empty-state").waitFor();
  expect(await page.locator(".bell .badge").count()).toBe(0);
  expect(await isSamePage(page)).toBe(true);
});

test("projects are added to a collection one after another; text typed elsewhere stays, mistakes are shown", async () => {
  const { collectionId } = (await as.user(author).post("/api/collections", { name: "Shelf", projects: [] })).body;
  const page = await site.visit(`/collection/${collectionId}/edit`, { user: author });
  await mark(page);
  await page.fill("#name", "A new name");
  await page.fill("#project", project.slug);
  await page.keyboard.press("Enter");
  await page.locator(".project-roll").getByText("Lamps").waitFor();
  expect(await page.evaluate("document.activeElement.id")).toBe("project");
  await page.keyboard.type(other.slug);
  await page.keyboard.press("Enter");
  await page.locator(".project-roll").getByText("Lanterns").waitFor();
  await page.getByRole("button", { name: "Remove: Lamps" }).click();
  await expect.poll(() => page.locator(".project-roll > li").count()).toBe(1);
  expect(await toast(page).textContent()).toBe("Lamps was removed.");
  expect(await page.inputValue("#name")).toBe("A new name");
  expect(await isSamePage(page)).toBe(true);
  await page.fill("#project", "there-is-none");
  await page.keyboard.press("Enter");
  await page.locator("#project-wrong").waitFor();
  expect(await page.inputValue("#project")).toBe("there-is-none");
});

test("a project is claimed on the desk, and can be decided by keyboard immediately", async () => {
  const moderator = await make.user({ role: "moderator" });
  const queued = await queueProject(site, author, { name: "Waiting" });
  const page = await site.visit(`/moderation/queue/${queued.id}`, { user: moderator });
  await mark(page);
  await page.getByRole("button", { name: "Claim" }).click();
  const check = page.locator("[data-sentence]").first();
  await check.waitFor();
  expect(await toast(page).textContent()).toBe("You have claimed this project.");
  await page.evaluate("document.activeElement.blur()");
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  expect(await check.isChecked()).toBe(true);
  expect(await page.inputValue("[name=message]")).toBe(await check.getAttribute("data-sentence"));
  expect(await isSamePage(page)).toBe(true);
});

describe.runIf(process.env.PAGES === "full")("saving on a card", () => {
  test.each([desktop, { width: 320, height: 640 }])("changes the card in place ($width px)", async (viewport) => {
    const page = await site.visit("/", { user: await make.user(), viewport });
    await mark(page);
    await page.getByRole("button", { name: "Lamps: Add to Saved" }).first().click();
    await page.getByRole("button", { name: "Lamps: Remove from Saved" }).first().waitFor();
    await expect.poll(() => toast(page).textContent()).toMatch(/Saved/);
    // A project may have several cards on the start page.
    expect(await page.getByRole("button", { name: "Lamps: Add to Saved" }).count()).toBe(0);
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("Lamps: Remove from Saved");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Lamps: Add to Saved" }).first().waitFor();
    expect(await isSamePage(page)).toBe(true);
    await expectFits(page);
    await expectAccessible(page);
  });

  test("works without script, and returns to the list", async () => {
    const page = await site.visit("/mods?sort=updated", { user: await make.user(), script: false });
    await page.getByRole("button", { name: "Lanterns: Add to Saved" }).click();
    await page.getByRole("button", { name: "Lanterns: Remove from Saved" }).waitFor();
    expect(page.url()).toMatch(/\/mods\?sort=updated$/);
  });
});
