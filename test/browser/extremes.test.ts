// Pages with extreme content: names of one long word, right-to-left text, the longer language, at 320 px (which is 1280
// px at 400 %); and without any content.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { publicChangesConsumer } from "#integrations/public-changes/consumer.js";
import { catchUp } from "#platform/changes/consumer.js";
import { makeOrg, makeProject } from "#test/worlds/content.js";
import { queueProject } from "#test/worlds/desk-world.js";
import { makeVersion } from "#test/worlds/versions.js";
import { expectAccessible, expectFits, openSite, shiftOf } from "./browser.js";

const narrow = { width: 320, height: 640 };
const wide = { width: 1280, height: 900 };
const longWord = "Donaudampfschifffahrtsgesellscha";

const site = await openSite();
const { make, as } = site;
const author = await make.user({ userName: longWord });
const admin = await make.user({ role: "admin" });
const long = await makeProject(site, author, {
  ...{ name: longWord, slug: "d".repeat(64), summary: longWord.repeat(9), description: `# ${longWord.repeat(8)}` },
});
await makeVersion(site, author, long.id, { versionNumber: "1".repeat(64), title: longWord.repeat(2) });
const foreign = await makeProject(site, author, {
  name: "مصابيح الغسق",
  summary: "مصابيح تضيء عند الغسق وتنطفئ عند الفجر",
});
await makeVersion(site, author, foreign.id, { title: "الإصدار الأول" });
const queued = await queueProject(site, author, { name: `${longWord.slice(0, 31)}2`, summary: longWord.repeat(9) });
const org = await makeOrg(site, author, { name: longWord, slug: "o".repeat(64), description: longWord.repeat(7) });
const { collectionId } = (
  await as.user(author).post("/api/collections", {
    ...{ name: longWord, description: longWord.repeat(7), projects: [long.id, foreign.id] },
  })
).body;
const complaint = { reportType: "spam", itemType: "project", itemId: foreign.id, body: longWord.repeat(20) };
await as.user(admin).post("/api/report", complaint);
const [report] = (await as.user(admin).get("/api/report")).body;
await as.user(author).post(`/api/project/${foreign.slug}/follow`);
const hook = { url: `https://${"h".repeat(60)}.example.org/${longWord}`, events: ["version.published"] };
await as.user(author).post(`/api/project/${long.slug}/webhooks`, hook);

async function expectInOrder(page: Page, path: string): Promise<void> {
  await page.setViewportSize(wide);
  const reply = await page.goto(path);
  expect(reply?.ok(), path).toBe(true);
  expect(await shiftOf(page), path).toBeLessThan(0.02);
  await page.setViewportSize(narrow);
  await expectFits(page);
  await expectAccessible(page);
}

const settings = `/project/${long.slug}/settings`;

describe("long words and text from right to left", () => {
  test.each([
    [
      "the author",
      author,
      ["/dashboard", "/dashboard/projects", "/dashboard/organizations", "/dashboard/collections", "/dashboard/library"],
    ],
    ["the author", author, ["/dashboard/notifications", "/dashboard/analytics", `/project/${long.slug}`]],
    ["the author", author, [`${settings}/members`, `${settings}/publishing`, `${settings}/move`, `${settings}/delete`]],
    ["the author", author, [`/project/${long.slug}/version/${"1".repeat(64)}/edit`, `/project/${long.slug}/stats`]],
    ["the author", author, [`/organization/${org.slug}/settings/members`, `/collection/${collectionId}/edit`]],
    ["an administrator", admin, ["/moderation", "/moderation/queue", `/moderation/queue/${queued.id}`]],
    ["an administrator", admin, ["/moderation/reports", `/moderation/user/${longWord}`, "/moderation/log"]],
    ["an administrator", admin, ["/admin", "/admin/users", "/admin/jobs", "/admin/storage", "/admin/audit"]],
    ["an administrator", admin, ["/dashboard/reports", `/dashboard/report/${report.id}`]],
  ])("fit into the pages of %s", async (_name, user, paths) => {
    const page = await site.visit("/about", { user, viewport: wide, locale: "de" });
    for (const path of paths) await expectInOrder(page, path);
    await page.context().close();
  });

  test.each(["list", "compact", "gallery"])("fit into the cards of lists (%s)", async (view) => {
    const page = await site.visit("/about", { viewport: wide, locale: "de" });
    const chosen = { views: `.${view}~mod.${view}`, setup: "0.4.8|quilt" };
    const { url } = site.config.http;
    await page.context().addCookies(Object.entries(chosen).map(([name, value]) => ({ name, value, url })));
    for (const path of ["/", "/mods", `/user/${longWord}`, `/collection/${collectionId}`])
      await expectInOrder(page, path);
    await page.context().close();
  });
});

describe("a site without content", async () => {
  const empty = await openSite();
  const keeper = await empty.make.user({ role: "admin" });

  test.each([
    ["visitors", ["/", "/mods", "/search/users"]],
    ["members", ["/dashboard", "/dashboard/projects", "/dashboard/library", "/dashboard/analytics"]],
    ["moderators", ["/moderation", "/moderation/queue", "/moderation/reports", "/moderation/files"]],
    ["administrators", ["/admin", "/admin/jobs", "/admin/storage"]],
  ])("is accessible and fits for %s", async (_name, paths) => {
    const page = await empty.visit("/about", { user: keeper, viewport: wide });
    for (const path of paths) await expectInOrder(page, path);
    await page.context().close();
  });
});

test("the page of deleted content fits and shows the signed-in visitor", async () => {
  const gone = await makeProject(site, author, { name: "Gone tomorrow" });
  // Only projects that the public log has named are remembered after their deletion.
  await catchUp(site.resources, publicChangesConsumer);
  await as.user(author).delete(`/api/project/${gone.slug}`);
  await catchUp(site.resources, publicChangesConsumer);
  const page = await site.visit("/about", { user: author, viewport: narrow, locale: "de" });
  expect((await page.goto(`/project/${gone.slug}`))?.status()).toBe(410);
  await expectFits(page);
  await expectAccessible(page);
  // A signed-in visitor is not asked to sign in.
  expect(await page.locator('header a[href^="/auth"]').count()).toBe(0);
});
