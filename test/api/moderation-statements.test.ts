// Constant cost for moderators: a list of 25 needs as many statements as a list of 2, and so does a position in a queue
// of 25.
import { describe, expect, test } from "vitest";
import { catalogOf } from "#content/catalog/catalog.js";
import { testApp } from "#test/server/harness.js";
import { countStatements, leastCounts } from "#test/server/statement-count.js";
import { makeOrg, makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

/** A site with this many rows of each kind that moderators see. */
async function furnish(size: number) {
  const world = await testApp();
  const { as, make } = world;
  const [owner, reporter, moderator] = [await make.user(), await make.user(), await make.user({ role: "admin" })];
  const desk = as.user(moderator);
  const org = await makeOrg(world, owner);
  let queued = "";
  let threadId = "";
  const bytes = Buffer.from("the same in all of them");
  for (let n = 0; n < size; n++) {
    const project = await makeProject(world, owner, { status: "processing", ...(n % 2 && { orgId: org.id }) });
    queued = project.id;
    await desk.post(`/api/moderation/project/${project.id}/claim`);
    const open = await makeProject(world, owner);
    const version = await makeVersion(world, owner, open.id, { bytes });
    const report = { reportType: "spam", itemType: "version", itemId: version.id, body: "Nothing but advertising" };
    threadId = (await as.user(reporter).post("/api/report", report)).body.threadId;
    await as.user(await make.user()).post("/api/report", report);
    await desk.post("/api/moderation/quarantine", { versionId: version.id, reason: "x" });
    await desk.post("/api/moderation/denied-hash", { hash: n.toString(16).padStart(40, "0"), reason: "x" });
  }
  for (let n = 0; n < size; n++) await desk.post(`/api/thread/${threadId}`, { message: `Message ${n}` });
  const hash = (await desk.get("/api/moderation/quarantines")).body[0].versionId;
  const { version } = (await desk.get(`/api/moderation/version/${hash}`)).body;
  const byHash = { sha512: version.primaryFile.sha512_hash, reason: "x" };
  const quarantine = (await desk.post("/api/moderation/quarantine", byHash)).body.quarantine.id;
  const [{ id: caseId }] = (await desk.get("/api/moderation/reports")).body;
  return { world, desk, reporter: as.user(reporter), queued, threadId, quarantine, caseId, byHash, owner };
}

const few = await furnish(2);
const many = await furnish(25);
type Site = typeof few;

const reads: Record<string, (site: Site) => Promise<unknown>> = {
  getModerationSummary: ({ desk }) => desk.get("/api/moderation"),
  getModerationQueue: ({ desk }) => desk.get("/api/moderation/projects"),
  getProjectReview: ({ desk, queued }) => desk.get(`/api/project/${queued}/review`),
  getReports: ({ reporter }) => reporter.get("/api/report"),
  getAllReports: ({ desk }) => desk.get("/api/report/getAll"),
  getReportCases: ({ desk }) => desk.get("/api/moderation/reports"),
  getReportCase: ({ desk, caseId }) => desk.get(`/api/moderation/report/${caseId}`),
  getThread: ({ reporter, threadId }) => reporter.get(`/api/thread/${threadId}`),
  getQuarantines: ({ desk }) => desk.get("/api/moderation/quarantines"),
  getQuarantine: ({ desk, quarantine }) => desk.get(`/api/moderation/quarantine/${quarantine}`),
  getDeniedHashes: ({ desk }) => desk.get("/api/moderation/denied-hashes"),
  inspectContent: ({ desk, byHash }) => desk.get(`/api/moderation/file/${byHash.sha512}`),
  getModeratedUser: ({ desk, owner }) => desk.get(`/api/moderation/user/${owner.id}`),
  getAuditLog: ({ desk }) => desk.get("/api/moderation/audit?limit=100"),
};

describe.each(Object.keys(reads))("%s", (name) => {
  test("needs as many statements for 25 objects as for 2", async () => {
    const cost = (site: Site) => {
      catalogOf(site.world.resources).forget();
      return countStatements(site.world.resources.db, () => reads[name]!(site));
    };
    await cost(few);
    const { first, second } = await leastCounts(
      () => cost(few),
      () => cost(many),
    );
    expect(second).toBe(first);
  });
});
