// Pages say that something was deleted or withheld only if it was public before; everything else is a plain 404.
import { expect, test } from "vitest";
import { publicChangesConsumer } from "#integrations/public-changes/consumer.js";
import { catchUp } from "#platform/changes/consumer.js";
import { siteUrl, testApp } from "#test/server/harness.js";
import { makeOrg, makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make, resources } = world;
const owner = await make.user();
const moderator = await make.user({ role: "moderator" });
const guest = as.anyone.with({ accept: "text/html" });
const beHeard = () => catchUp(resources, publicChangesConsumer);
const statusOf = async (path: string) => (await guest.get(path)).status;

test("getProjectPage says that a project was deleted if it was public, and only then", async () => {
  const known = await makeProject(world, owner);
  const secret = await makeProject(world, owner, { visibility: "private" });
  for (const { id } of [known, secret]) await makeVersion(world, owner, id);
  await beHeard();
  for (const { slug } of [known, secret]) expect(await as.user(owner).delete(`/api/project/${slug}`)).toSucceed();
  await beHeard();
  expect(await statusOf(`/project/${known.slug.toUpperCase()}`)).toBe(410);
  expect(await statusOf(`/project/${known.slug}/versions`)).toBe(410);
  expect(await statusOf(`/project/${secret.slug}`)).toBe(404);
  expect(await statusOf("/project/never-there")).toBe(404);
  expect(await as.anyone.get(`/api/project/${known.slug}`)).toFail(404, "projectNotFound");
});

test("getVersionPage says that a version was deleted if its project is public, and only then", async () => {
  const project = await makeProject(world, owner);
  const other = await makeProject(world, owner);
  const version = await makeVersion(world, owner, project.id, { versionNumber: "7.0-Gone" });
  await beHeard();
  const api = `/api/project/${project.slug}/version/${version.id}`;
  expect(await as.user(owner).delete(api)).toSucceed();
  await beHeard();
  const page = await guest.get(`/project/${project.slug}/version/7.0-gone`);
  expect(page.status).toBe(410);
  expect(page.text).toContain("This version was deleted");
  expect(await statusOf(`/project/${other.slug}/version/7.0-gone`)).toBe(404);
  expect(await statusOf(`/project/${project.slug}/version/7.1`)).toBe(404);
  expect(await as.anyone.get(api)).toFail(404, "versionNotFound");
});

test("getOrganizationPage and getOrganizationTypePage say that an organization was deleted", async () => {
  const org = await makeOrg(world, owner);
  await beHeard();
  expect(await as.user(owner).delete(`/api/organization/${org.slug}`)).toSucceed();
  await beHeard();
  for (const below of ["", "/mods"]) expect(await statusOf(`/organization/${org.slug}${below}`)).toBe(410);
  expect(await statusOf("/organization/never-there")).toBe(404);
  expect(await as.anyone.get(`/api/organization/${org.slug}`)).toFail(404, "organizationNotFound");
});

const decide = async (id: string, status: string, reason: string) =>
  expect(await as.user(moderator).post(`/api/moderation/project/${id}`, { status, reason })).toSucceed();

test("only the page of a public project that is withheld for a legal reason says so", async () => {
  const { id, slug } = await makeProject(world, owner);
  await decide(id, "withheld", "legal");
  const page = await guest.get(`/project/${slug}`);
  expect(page.status).toBe(451);
  expect(page.headers.get("link")).toBe(`<${siteUrl}>; rel="blocked-by"`);
  expect(page.text).toContain("Unavailable for legal reasons");
  expect(page.text).not.toContain("Sample project");
  expect(await as.user(await make.user()).get(`/project/${slug}/versions`)).toFail(451, "projectBarred");
  expect((await as.user(owner).get(`/project/${slug}`)).status, "its team sees it").toBe(200);
  const [hidden, absent] = [await as.anyone.get(`/api/project/${slug}`), await as.anyone.get("/api/project/no-such")];
  expect(hidden).toFail(404, "projectNotFound");
  expect(hidden.body.message).toBe(absent.body.message);
  expect(await as.user(owner).patch(`/api/project/${slug}`, { visibility: "private" })).toSucceed();
  expect(await statusOf(`/project/${slug}`), "its owner hides it altogether").toBe(404);
  expect(await as.user(owner).patch(`/api/project/${slug}`, { visibility: "listed" })).toSucceed();
  await decide(id, "processing", "second_look");
  expect(await statusOf(`/project/${slug}`), "the last word counts").toBe(404);
  await decide(id, "withheld", "legal");
  expect(await statusOf(`/project/${slug}`), "it was public once").toBe(451);
  await decide(id, "approved", "fits");
  expect(await statusOf(`/project/${slug}`)).toBe(200);
});

test("a project that was never public, or is withheld for another reason, is answered like a missing one", async () => {
  const waiting = await makeProject(world, owner, { status: "processing" });
  const secret = await makeProject(world, owner, { visibility: "private" });
  const harmful = await makeProject(world, owner);
  await decide(waiting.id, "withheld", "legal");
  await decide(secret.id, "withheld", "legal");
  await decide(harmful.id, "withheld", "malicious");
  for (const { slug } of [waiting, secret, harmful]) expect(await statusOf(`/project/${slug}`)).toBe(404);
  expect(
    await as.user(moderator).post(`/api/moderation/project/${harmful.id}`, { status: "rejected", reason: "legal" }),
  ).toFail(400);
});
