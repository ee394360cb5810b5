// Publishing a file that a version of the project has already: the API accepts it, the form asks first.
import { expect, test } from "vitest";
import { location, submitFiles } from "#test/callers/page-forms.js";
import { jar } from "#test/callers/uploads.js";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";

const world = await testApp();
const { as, make } = world;

const bytes = new Uint8Array(jar());
const fields = { releaseChannel: "release", gameVersions: ["0.4.8"], loaders: ["quilt"] };

test("submitNewVersion publishes the same bytes under a second number only on purpose", async () => {
  const user = await make.user();
  const project = await makeProject(world, user);
  const path = `/project/${project.slug}/version/new`;
  const send = (versionNumber: string, more: Record<string, string> = {}) =>
    submitFiles(
      as.user(user),
      path,
      { ...fields, versionNumber, ...more },
      { primaryFile: [new File([bytes], "a.jar")] },
    );
  const numbers = async () =>
    (await as.user(user).get(`/api/project/${project.id}/version`)).body.data.map(
      (version: { versionNumber: string }) => version.versionNumber,
    );
  expect((await send("1.0")).status).toBe(303);
  const asked = await send("2.0");
  expect(asked.status).toBe(400);
  expect(asked.text).toContain("This file is already published as 1.0.");
  expect(asked.text).toContain(`href="/project/${project.slug}/version/1.0"`);
  // The file was kept, so that it need not be chosen again.
  expect(asked.text).toContain('name="primaryUpload"');
  expect(await numbers()).toEqual(["1.0"]);
  // The same number is the same version.
  expect(location(await send("1.0"))).toBe(`/project/${project.slug}/version/1.0`);
  expect((await send("2.0", { again: "on" })).status).toBe(303);
  expect(await numbers()).toEqual(["2.0", "1.0"]);
});
