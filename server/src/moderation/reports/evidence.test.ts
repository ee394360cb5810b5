// Pictures of a report: only its reporter and moderators can see them; they are stored as long as the report.
import { describe, expect, test } from "vitest";
import { collectBlobs } from "#operations/background/housekeeping.js";
import { graceMs } from "#platform/blobs/rows.js";
import { location, submitFiles, wrongWith } from "#test/callers/page-forms.js";
import { drawPicture } from "#test/files/pictures.js";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { look } from "#test/worlds/desk-world.js";

const world = await testApp();
const { as, make, resources, clock } = world;
const { db } = resources;
const owner = await make.user();
const reporter = await make.user();
const moderator = await make.user({ role: "moderator" });
const picture = async (name = "proof.png") => new File([await drawPicture({})], name);

const report = async (files: readonly File[], fields = {}) => {
  const project = await makeProject(world, owner);
  const given = {
    itemType: "project",
    itemId: project.id,
    reportType: "spam",
    body: "Only advertising here",
    ...fields,
  };
  return { project, reply: await submitFiles(as.user(reporter), "/report", given, { pictures: files }) };
};

describe("submitReport", () => {
  test("takes pictures, which getReportPicture gives to the reporter and to moderators alone", async () => {
    const { reply, project } = await report([await picture(), await picture("second.png")]);
    expect(reply.status).toBe(303);
    const own = await look(as.user(reporter), location(reply)!);
    const [path] = /\/dashboard\/report\/[\w-]+\/picture\/[\w-]+/.exec(own.text)!;
    const sent = await as.user(reporter).get(path!);
    expect(sent.status).toBe(200);
    expect(sent.headers.get("content-type")).toBe("image/webp");
    expect(sent.headers.get("cache-control")).toBe("private, no-store");
    expect((await as.user(moderator).get(path!)).status).toBe(200);
    expect((await as.user(owner).get(path!)).status).toBe(404);
    expect((await as.anyone.get(path!)).status).toBe(401);
    expect((await as.user(moderator).get(path!.replace(/\w+$/, "nothing"))).status).toBe(404);
    const { id } = await db
      .selectFrom("report_cases")
      .select("id")
      .where("item_id", "=", project.id)
      .executeTakeFirstOrThrow();
    expect((await look(as.user(moderator), `/moderation/report/${id}`)).text).toContain(path!);
  });

  test("keeps the pictures for as long as the report is there", async () => {
    const { reply } = await report([await picture()]);
    const [path] = /\/dashboard\/report\/[\w-]+\/picture\/[\w-]+/.exec(
      (await look(as.user(reporter), location(reply)!)).text,
    )!;
    await collectBlobs(resources);
    clock.advance(graceMs + 1000);
    await make.confirmed(moderator);
    await collectBlobs(resources);
    expect((await as.user(moderator).get(path!)).status).toBe(200);
  });

  test("works without pictures, and shows at the field why one is refused", async () => {
    expect((await report([])).reply.status).toBe(303);
    const { reply } = await report([new File(["not a picture"], "proof.png")], { body: "typed <words> stay" });
    expect(reply.status).toBe(400);
    expect(wrongWith(reply, "pictures")).toMatch(/\w/);
    expect(reply.text).toContain("typed &lt;words> stay");
  });
});
