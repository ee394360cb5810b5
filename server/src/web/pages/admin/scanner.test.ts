// The page of the malware scanner: settings, test, figures, and the scan of everything.
import { afterAll, expect, test } from "vitest";
import { type Fields, submit, typed, wrongWith } from "#test/callers/page-forms.js";
import { publishTo } from "#test/callers/uploads.js";
import { testApp } from "#test/server/harness.js";
import { startClamd } from "#test/setup/clamd.js";
import { makeProject } from "#test/worlds/content.js";
import { look } from "#test/worlds/desk-world.js";

const clamd = await startClamd();
afterAll(() => clamd.stop());
const world = await testApp();
const { as, make, clock, config, resources, app } = world;
const admin = await make.user({ role: "admin" });
const office = as.user(admin);
const path = "/admin/settings/scanner";

async function save(fields: Fields) {
  const stamp = typed(await look(office, path), "stamp") ?? "";
  return submit(office, path, { stamp, ...fields });
}

test("getScannerPage, submitScannerSettings, submitScannerTest, submitScanRun and submitScanStop are only for administrators", async () => {
  const moderator = as.user(await make.user({ role: "moderator" }));
  expect((await look(moderator, path)).status).toBe(404);
  for (const action of [path, `${path}/test`, `${path}/all`, `${path}/stop`]) {
    expect((await submit(moderator, action)).status).toBe(404);
    expect((await submit(as.anyone, action)).status).toBe(401);
  }
});

test("a scanner is set up, tested and turned off, at once", async () => {
  expect((await look(office, path)).text).toContain("No malware scanner is set up");
  const wrong = await save({ MODSHELF_SCANNER: "http://x" });
  expect([wrong.status, /host:port/.test(wrongWith(wrong, "MODSHELF_SCANNER") ?? "")]).toEqual([400, true]);
  expect((await save({ MODSHELF_SCANNER: clamd.place })).headers.get("location")).toBe(`${path}?did=saved`);
  expect(resources.scanner.enabled).toBe(true);
  expect((await look(office, path)).text).toContain(`The scanner answers: ${clamd.version}`);
  const tested = await submit(office, `${path}/test`);
  expect(tested.text).toContain("The scanner works");
  clamd.mood = "garbage";
  const strange = await submit(office, `${path}/test`);
  expect(strange.text).toContain("it is not clamd");
  expect(strange.text).not.toContain("HTTP/1.1");
  expect((await look(office, path)).text).toContain("The scanner does not answer");
  clamd.mood = "well";
});

test("files that wait are listed, and changed settings apply to them", async () => {
  const project = await makeProject(world, admin);
  await save({ MODSHELF_SCANNER: "127.0.0.1:1" });
  expect((await publishTo(office, project.slug, { versionNumber: "9.1" })).status).toBe(200);
  const { text } = await look(office, path);
  expect(text).toContain("Waiting for the scan");
  expect(text).toContain("mod.jar");
  await save({ MODSHELF_SCANNER: clamd.place });
  await app.jobs.settle();
  expect((await look(office, path)).text).not.toContain("mod.jar");
  expect((await as.anyone.get(`/api/project/${project.slug}/version/9.1`)).status).toBe(200);
});

test("everything is scanned again on request, once at a time", async () => {
  const started = await submit(office, `${path}/all`);
  expect(started.headers.get("location")).toBe(`${path}?did=started`);
  await app.jobs.settle();
  expect((await look(office, path)).text).toContain("Files scanned: 1; with a finding: 0");
  expect((await submit(office, `${path}/stop`)).status).toBe(409);
});

test("settings and test need a recent sign-in", async () => {
  clock.advance(11 * 60 * 1000);
  const { text } = await look(office, path);
  expect(text).toContain("Sign in again");
  expect(text).not.toContain('name="MODSHELF_SCANNER"');
  for (const action of [path, `${path}/test`])
    expect((await submit(office, action, { MODSHELF_SCANNER: "attacker.example:1" })).status).toBe(403);
  expect(config.scanner.place).toEqual({ host: "127.0.0.1", port: clamd.port });
  await make.confirmed(admin);
  await save({ MODSHELF_SCANNER: "" });
  expect(config.scanner.place).toBeUndefined();
});

test("the environment wins", async () => {
  const fixed = await testApp({ settings: { MODSHELF_SCANNER: clamd.place } });
  const keeper = fixed.as.user(await fixed.make.user({ role: "admin" }));
  expect((await look(keeper, path)).text).toContain("Set by MODSHELF_SCANNER in the environment");
  await fixed.stop();
});
