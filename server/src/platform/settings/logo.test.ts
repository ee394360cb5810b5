// The site's logo: shown on every page at once, stored while it is used, and deleted when it is removed.
import { expect, test } from "vitest";
import { collectBlobs } from "#operations/background/housekeeping.js";
import { graceMs } from "#platform/blobs/rows.js";
import { submit, submitFiles, wrongWith } from "#test/callers/page-forms.js";
import { drawPicture } from "#test/files/pictures.js";
import { testApp } from "#test/server/harness.js";
import { look } from "#test/worlds/desk-world.js";

const world = await testApp();
const { as, make, resources, clock } = world;
const admin = await make.user({ role: "admin" });
const office = as.user(admin);
const moderator = as.user(await make.user({ role: "moderator" }));
const path = "/admin/settings/branding/logo";
const logoOn = (html: string): string | undefined => /<img src="(\/logo\/[\w.]+)"/.exec(html)?.[1];

test("submitLogo and submitLogoRemoval are only for administrators", async () => {
  for (const form of [path, `${path}/remove`]) {
    expect((await submit(moderator, form)).status).toBe(404);
    expect((await submit(as.anyone, form)).status).toBe(401);
  }
});

test("submitLogo puts a picture on every page, which getLogo serves to everyone as immutable", async () => {
  expect(logoOn((await look(as.anyone, "/")).text)).toBeUndefined();
  const file = new File([await drawPicture({ width: 300, height: 100 })], "logo.png");
  expect((await submitFiles(office, path, {}, { logo: [file] })).status).toBe(303);
  const { text } = await look(as.anyone, "/");
  expect(text).toMatch(/<img src="\/logo\/[\w.]+" alt(?:="")? width="84" height="28"/);
  await collectBlobs(resources);
  clock.advance(graceMs + 1000);
  await make.confirmed(admin);
  await collectBlobs(resources);
  const sent = await as.anyone.get(logoOn(text)!);
  expect(sent.status).toBe(200);
  expect(sent.headers.get("content-type")).toBe("image/webp");
  expect(sent.headers.get("cache-control")).toContain("immutable");
  expect((await as.anyone.get("/logo/other.webp")).status).toBe(404);
});

test("submitLogo shows the error at the field, and keeps the old one", async () => {
  const none = await submitFiles(office, path, {}, { logo: undefined });
  expect(none.status).toBe(400);
  expect(wrongWith(none, "logo")).toMatch(/\w/);
  const broken = await submitFiles(office, path, {}, { logo: [new File(["<svg/>"], "logo.svg")] });
  expect(broken.status).toBe(400);
  expect(wrongWith(broken, "logo")).toMatch(/\w/);
  expect(logoOn((await look(as.anyone, "/")).text)).toBeDefined();
});

test("submitLogoRemoval restores the default logo", async () => {
  expect((await submit(office, `${path}/remove`)).status).toBe(303);
  expect(logoOn((await look(as.anyone, "/")).text)).toBeUndefined();
  expect((await submit(office, `${path}/remove`)).status).toBe(409);
});
