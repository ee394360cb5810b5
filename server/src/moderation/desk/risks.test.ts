// Marks for a closer look, in the queue and as its filters.
import { expect, test } from "vitest";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { look, queueProject } from "#test/worlds/desk-world.js";
import { makeVersion } from "#test/worlds/versions.js";
import { listMarks } from "./risks.js";

const world = await testApp();
const { as, make, resources } = world;
const author = await make.user();
const desk = as.user(await make.user({ role: "moderator" }));

const shown = async (query: string, ids: readonly string[]) => {
  const { text } = await look(desk, `/moderation/queue?${query}`);
  return ids.map((id) => text.includes(`/moderation/queue/${id}`));
};

test("getQueuePage marks programs, known contents of other projects and open reports, and can filter by these marks", async () => {
  const plain = await makeProject(world, author, { name: "Only a picture", status: "processing" });
  await makeVersion(world, author, plain.id, { fileName: "pack.ZIP" });
  const code = await queueProject(world, author, { name: "Has code" });
  const program = await makeProject(world, author, { name: "Has a program", status: "processing" });
  await makeVersion(world, author, program.id, { fileName: "setup.EXE" });
  const copied = await makeProject(world, author, { name: "Copied", status: "processing" });
  const { bytes } = await makeVersion(world, author, copied.id, { fileName: "a.zip" });
  const original = await makeProject(world, author);
  await makeVersion(world, author, original.id, { fileName: "b.zip", bytes });
  const reported = await makeProject(world, author, { name: "Reported", status: "processing" });
  const report = { reportType: "spam", itemType: "project", itemId: reported.id, body: "Only advertising" };
  expect((await desk.post("/api/report", report)).status).toBe(200);

  const ids = [plain.id, code.id, program.id, copied.id, reported.id];
  const marks = await listMarks(resources.db, ids);
  expect(ids.map((id) => marks.get(id))).toEqual([[], ["code"], ["code", "program"], ["elsewhere"], ["reported"]]);
  expect(await shown("", ids)).toEqual([true, true, true, true, true]);
  expect(await shown("look=code", ids)).toEqual([false, true, true, false, false]);
  expect(await shown("look=risk", ids)).toEqual([false, false, true, true, true]);
  expect(await shown("look=nonsense", ids)).toEqual([true, true, true, true, true]);
});
