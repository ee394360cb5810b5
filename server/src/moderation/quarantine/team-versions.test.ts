// A quarantined version as its team sees it on the pages of the project, and that no one else does.
import { expect, test } from "vitest";
import { readPage } from "#test/callers/page-forms.js";
import { jar } from "#test/callers/uploads.js";
import { testApp } from "#test/server/harness.js";
import { addMember, makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make } = world;
const desk = as.user(await make.user({ role: "moderator" }));

const reason = "Reads saved passwords";
const noVersion = "No version has been published yet";

test.each(["versionId", "sha512"] as const)(
  "getVersionPage and getVersionsPage show a version held by %s to the team, with the reason",
  async (by) => {
    const author = await make.user();
    const project = await makeProject(world, author);
    const { id, sha512 } = await makeVersion(world, author, project.id, { versionNumber: "1.0", bytes: jar() });
    const member = await make.user();
    await addMember(world, project.teamId, member, { permissions: [] });
    const held = await desk.post("/api/moderation/quarantine", { reason, [by]: by === "sha512" ? sha512 : id });
    expect(held.status).toBe(200);
    const [list, page] = [`/project/${project.slug}/versions`, `/project/${project.slug}/version/1.0`];
    for (const user of [author, member])
      for (const path of [list, page, `/project/${project.slug}/version/${id}`]) {
        const { status, text } = await readPage(as.user(user), path);
        expect([status, text.includes("Version 1.0 is in quarantine"), text.includes(reason)]).toEqual([
          200,
          true,
          true,
        ]);
        expect(text).toContain(`/project/${project.slug}/moderation#thread`);
        expect(text).not.toContain(noVersion);
      }
    for (const actor of [as.anyone, as.user(await make.user())]) {
      expect((await readPage(actor, page)).status).toBe(404);
      const { text } = await readPage(actor, list);
      expect([text.includes(noVersion), text.includes("quarantine")]).toEqual([true, false]);
    }
    expect((await as.user(author).get(`/api/project/${project.slug}/version/1.0`)).status).toBe(404);
    await desk.delete(`/api/moderation/quarantine/${held.body.quarantine.id}`);
    expect((await readPage(as.user(author), page)).text).not.toContain("in quarantine");
  },
);
