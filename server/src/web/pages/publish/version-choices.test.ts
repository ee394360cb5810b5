// The choices of the version form that stand for several values, and the license that a file names.
import { describe, expect, test } from "vitest";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { readPage, submit, submitFiles, wrongWith } from "#test/callers/page-forms.js";
import { jar } from "#test/callers/uploads.js";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";

const world = await testApp();
const { as, make, resources } = world;

const manifest = JSON.stringify({
  schema_version: 1,
  quilt_loader: { id: "lamps", version: "1.0", metadata: { name: "Lamps", license: ["LGPLv3"] } },
});
const lamps = () => new File([new Uint8Array(jar({ name: "quilt.mod.json", content: manifest }))], "lamps.jar");

const fields = {
  versionNumber: "1.0",
  title: "First",
  releaseChannel: "release",
  gameVersions: ["0.4.8"],
  loaders: ["quilt"],
};

async function draft() {
  const user = await make.user();
  const project = await makeProject(world, user, { status: "draft", license: "" });
  return { project, path: `/project/${project.slug}`, actor: as.user(user) };
}

describe("submitNewVersion and submitEditVersion", () => {
  test("take a whole family of game versions with one tick, and name a family that does not exist", async () => {
    const { actor, path, project } = await draft();
    const files = { primaryFile: [lamps()], additionalFiles: undefined };
    const form = await readPage(actor, `${path}/version/new`);
    expect(form.text).toMatch(/name="gameVersionFamilies" value="0\.5"/);
    const family = { ...fields, gameVersions: ["0.4.8", "0.5.1"], gameVersionFamilies: ["0.5", "0.5"] };
    const unknown = { ...family, gameVersionFamilies: ["0.5", "99.9"] };
    const wrong = await submitFiles(actor, `${path}/version/new`, unknown, files);
    expect([wrong.status, Boolean(wrongWith(wrong, "gameVersions"))]).toEqual([400, true]);
    // The versions are ticked, not the family, so that the author can untick some of them.
    expect(wrong.text).toMatch(/name="gameVersions" value="0\.5\.0" checked/);
    expect(wrong.text).not.toMatch(/name="gameVersionFamilies" value="[^"]*" checked/);
    expect((await submitFiles(actor, `${path}/version/new`, family, files)).status).toBe(303);
    const all = (await getTaxonomy(resources)).gameVersions.map(({ value }) => value);
    const { data } = (await actor.get(`/api/project/${project.slug}/version/1.0`)).body;
    expect(data.gameVersions).toEqual(all.filter((value) => value.startsWith("0.5.") || value === "0.4.8"));
    const edit = { ...fields, gameVersions: [], gameVersionFamilies: "0.4" };
    await submitFiles(actor, `${path}/version/1.0/edit`, edit, { additionalFiles: undefined });
    const { data: edited } = (await actor.get(`/api/project/${project.slug}/version/1.0`)).body;
    expect(edited.gameVersions).toEqual(all.filter((value) => value.startsWith("0.4.")));
  });

  test("take a range of game versions, at once or to look at first", async () => {
    const { actor, path, project } = await draft();
    const files = { primaryFile: [lamps()], additionalFiles: undefined };
    const range = { ...fields, gameVersions: ["0.5.1"], gameVersionFrom: "0.4.1", gameVersionTo: "0.4.3" };
    const shown = await submitFiles(actor, `${path}/version/new`, { ...range, addRange: "1" }, files);
    const ticked = [...shown.text.matchAll(/name="gameVersions" value="([^"]*)" checked/g)].map(([, value]) => value);
    expect([shown.status, ticked]).toEqual([200, ["0.5.1", "0.4.3", "0.4.2", "0.4.1"]]);
    // The range is not chosen any more: without script, it would tick a version again that the author unticked.
    expect(shown.text).not.toMatch(/<option value="0\.4\.1" selected/);
    expect((await submitFiles(actor, `${path}/version/new`, range, files)).status).toBe(303);
    const { data } = (await actor.get(`/api/project/${project.slug}/version/1.0`)).body;
    expect(data.gameVersions).toEqual(ticked);
    const unknown = { ...fields, gameVersionFrom: "99.9" };
    const wrong = await submitFiles(actor, `${path}/version/1.0/edit`, unknown, { additionalFiles: undefined });
    expect([wrong.status, Boolean(wrongWith(wrong, "gameVersions"))]).toEqual([400, true]);
  });

  test("remember the license that the file names, and offer it where a license is chosen", async () => {
    const { actor, path, project } = await draft();
    const offer = "Use GNU Lesser General Public License v3.0 only";
    expect((await readPage(actor, `${path}/settings/license`)).text).not.toContain("Your file says");
    await submitFiles(actor, `${path}/version/new`, fields, { primaryFile: [lamps()] });
    const checklist = (await readPage(actor, path)).text;
    expect(checklist).toContain("Your file says: LGPLv3");
    expect(checklist).toContain('<option value="LGPL-3.0-only" selected');
    const { text } = await readPage(actor, `${path}/settings/license`);
    expect([text.includes("Your file says: LGPLv3"), text.includes(offer)]).toEqual([true, true]);
    await submit(actor, `${path}/settings/license`, { id: "LGPL-3.0-only" });
    expect((await readPage(actor, `${path}/settings/license`)).text).not.toContain("Your file says");
    expect((await actor.get(`/api/project/${project.slug}`)).body.project.licenseId).toBe("LGPL-3.0-only");
  });
});
