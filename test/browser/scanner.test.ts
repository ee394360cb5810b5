// The malware scanner in a real browser: an administrator sets it up and tests it, an author sees that a version waits, and
// everything is scanned again.
import { expect, test } from "vitest";
import { publishTo } from "#test/callers/uploads.js";
import { startClamd } from "#test/setup/clamd.js";
import { makeProject } from "#test/worlds/content.js";
import { expectAccessible, expectFits, openSite, phone } from "./browser.js";

const path = "/admin/settings/scanner";

test("an administrator connects a scanner, without script and on a narrow phone too, and sees what waits", async () => {
  const clamd = await startClamd();
  const site = await openSite();
  const admin = await site.make.user({ role: "admin" });
  const project = await makeProject(site, admin);
  const page = await site.visit(path, { user: admin });
  expect(await page.textContent("main")).toContain("No malware scanner is set up");
  await page.fill("[name=MODSHELF_SCANNER]", "127.0.0.1:1");
  await page.click(`form[action='${path}'] button`);
  await page.waitForURL("**?did=saved");
  expect(await page.textContent("main")).toContain("The scanner does not answer");

  const author = site.as.user(admin);
  const reply = await publishTo(author, project.slug, { versionNumber: "1.5" });
  expect(reply.body.success).toBe(true);
  await page.goto(`/project/${project.slug}/version/1.5`);
  expect(await page.textContent("main")).toContain("Version 1.5 is waiting for the malware scan");
  await expectAccessible(page);
  await page.goto(path);
  expect(await page.textContent("main table")).toContain("mod.jar");
  await expectAccessible(page);
  await expectFits(page);

  const small = await site.visit(path, { user: admin, viewport: { ...phone, width: 320 }, script: false });
  await expectFits(small);
  await small.fill("[name=MODSHELF_SCANNER]", clamd.place);
  await small.click(`form[action='${path}'] button`);
  await small.waitForURL("**?did=saved");
  await small.click(`form[action='${path}/test'] button`);
  expect(await small.textContent("main [role=status]")).toContain("The scanner works");
  await expectFits(small);
  await site.app.jobs.settle();
  await page.goto(`/project/${project.slug}/version/1.5`);
  expect(await page.textContent("h2")).not.toContain("waiting");
  await small.click(`form[action='${path}/all'] button`);
  await small.waitForURL("**?did=started");
  await site.app.jobs.settle();
  await small.goto(path);
  expect(await small.textContent("main")).toContain("Files scanned: 1; with a finding: 0");
  await clamd.stop();
}, 120_000);
