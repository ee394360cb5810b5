import { expect, test } from "vitest";
import { createApp } from "#app.js";
import { testApp } from "#test/server/harness.js";
import { readDemoContent, slugOf } from "./content.js";
import { fillWithDemo } from "./fill.js";
import { MovableClock } from "./past.js";

// A part of the content, with a picture each: drawing and re-encoding all of them takes too long for a test.
const wanted = [
  "Lumen Core",
  "Dusk Lanterns",
  "Legible",
  "Old Compass",
  "Mossgarden",
  "Signal Fires",
  "Secret Cellar",
  "واحة",
];
const whole = readDemoContent();
const projects = whole.projects
  .filter(({ name }) => wanted.includes(name))
  .map((project) => ({ ...project, pictures: Math.min(project.pictures ?? 0, 1), downloads: 25 }));

test("the demo content goes in through the API and is there, on every kind of read", async () => {
  const { as, resources: given } = await testApp();
  const resources = { ...given, clock: new MovableClock(given.clock.now()) };
  const app = await createApp(resources);
  const origin = await app.http.listen({ host: "127.0.0.1", port: 0 });
  expect(await fillWithDemo(resources, origin, { ...whole, projects })).toBe(wanted.length);
  await app.http.close();
  const { body } = await as.anyone.get("/api/project/dusk-lanterns?includeVersions=true");
  expect(body.project).toMatchObject({ name: "Dusk Lanterns", organisation: { slug: "lantern-works" } });
  expect(body.project.gallery).toHaveLength(1);
  expect(body.project.versions[0]).toMatchObject({
    versionNumber: "1.1.0",
    releaseChannel: "release",
    dependencies: [{ dependencyType: "required" }],
  });
  expect((await as.anyone.get(new URL(body.project.icon).pathname)).status).toBe(200);
  expect((await as.anyone.get("/api/project/old-compass")).body.project.visibility).toBe("archived");
  for (const hidden of ["mossgarden", "signal-fires", "secret-cellar"])
    expect(await as.anyone.get(`/api/project/${hidden}`)).toFail(404);
  expect((await as.anyone.get("/api/organization/lantern-works")).body.members).toHaveLength(3);
  // The dates are spread out, and there is activity.
  const dates = body.project.versions.map(({ datePublished }: { datePublished: string }) => Date.parse(datePublished));
  expect(dates).toEqual(dates.toSorted((a: number, b: number) => b - a));
  expect(Math.min(...dates)).toBeLessThan(given.clock.now() - 30 * 24 * 3_600_000);
  expect(Math.max(...dates)).toBeLessThanOrEqual(given.clock.now());
  expect([body.project.downloads, body.project.followers > 0]).toEqual([25, true]);
  const collections = (await as.anyone.get("/api/user/solveig/collections")).body;
  expect(collections).toMatchObject([{ name: "A quiet first evening" }]);
  const reported = await given.db.selectFrom("reports").select("body").execute();
  expect(reported.length).toBe(whole.reports?.filter(({ project }) => wanted.map(slugOf).includes(project)).length);
});

test("every project of the demo names authors, organizations and projects that are there", () => {
  const slugs = whole.projects.map(({ name }) => slugOf(name));
  expect(new Set(slugs).size).toBe(slugs.length);
  for (const [index, project] of whole.projects.entries()) {
    expect(whole.authors).toContain(project.author);
    if (project.org) expect(whole.organizations.map(({ slug }) => slug)).toContain(project.org);
    // The dependencies of a version must be published before it.
    for (const slug of [project.needs, project.likes, project.clashes, project.includes].flatMap(
      (slugs) => slugs ?? [],
    ))
      expect(slugs.slice(0, index), project.name).toContain(slug);
  }
});
