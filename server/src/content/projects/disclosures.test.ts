// updateProjectDisclosures: statements about AI, telemetry and paid features.
import { describe, expect, test } from "vitest";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";

const world = await testApp();
const { as, make, resources } = world;
const author = await make.user();
const actor = as.user(author);

const makeOwn = () => makeProject(world, author);
const read = async (ref: string) => (await actor.get(`/api/project/${ref}`)).body.project;
/** Sends a change to a new project. */
const sendTo = async (rest: string, body: object) => {
  const project = await makeOwn();
  return { project, reply: await actor.patch(`/api/project/${project.id}${rest}`, body) };
};

describe("updateProjectDisclosures", () => {
  const details = "Sends the game version to stats.example.org";
  const nothing = { ai: null, telemetry: null, paidFeatures: null };

  test("knows the difference between nothing stated and none, and keeps absent statements", async () => {
    const { project, reply } = await sendTo("/disclosures", { ai: ["text", "code", "text"] });
    expect(reply.body.disclosures).toEqual({ ...nothing, ai: ["code", "text"] });
    const path = `/api/project/${project.id}/disclosures`;
    await actor.patch(path, { telemetry: { present: true, details, url: "https://example.org/privacy" } });
    await actor.patch(path, { paidFeatures: { present: false, details: "ignored", url: "ignored" } });
    const all = {
      ai: ["code", "text"],
      telemetry: { present: true, details, url: "https://example.org/privacy" },
      paidFeatures: { present: false, details: "", url: null },
    };
    expect((await read(project.id)).disclosures).toEqual(all);
    await actor.patch(path, { ai: [], telemetry: null });
    expect((await read(project.id)).disclosures).toEqual({ ...all, ai: [], telemetry: null });
  });

  test("is in the audit log once for each change", async () => {
    const { id } = await makeOwn();
    for (const ai of [["art"], ["art"], null]) await actor.patch(`/api/project/${id}/disclosures`, { ai });
    const rows = await resources.db.selectFrom("audit_log").selectAll().where("object_id", "=", id).execute();
    const changes = rows.filter(({ action }) => action === "project.disclosures.set");
    expect(changes.map(({ detail }) => JSON.parse(detail))).toEqual([
      { from: nothing, to: { ...nothing, ai: ["art"] } },
      { from: { ...nothing, ai: ["art"] }, to: nothing },
    ]);
  });

  test.each<unknown>([
    { ai: ["music"] },
    { ai: "code" },
    { ai: ["code", "art", "text", "code"] },
    { telemetry: true },
    { telemetry: { details } },
    { telemetry: { present: true } },
    { telemetry: { present: true, details: "" } },
    { telemetry: { present: true, details: "x".repeat(257) } },
    { telemetry: { present: true, details: "a\u202eb" } },
    { paidFeatures: { present: true, details, url: "javascript:alert(1)" } },
  ])("refuses %j", async (edit) => {
    const { project, reply } = await sendTo("/disclosures", edit as Record<string, unknown>);
    expect(reply).toFail(400, "invalidRequest");
    expect((await read(project.id)).disclosures).toEqual(nothing);
  });
});
