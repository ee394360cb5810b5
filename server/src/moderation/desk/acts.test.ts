// Law: every act of a moderator leaves exactly one entry in the audit log, a refused act leaves none, and other users
// cannot act at all (reliability D-15).
import { describe, expect, test } from "vitest";
import { routes } from "#app.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make, resources } = world;
const { db } = resources;
const author = await make.user();
const admin = await make.user({ role: "admin" });
const desk = as.user(admin);

const report = async () => {
  const { id } = await makeProject(world, author);
  const body = { reportType: "spam", itemType: "project", itemId: id, body: "Nothing but advertising" };
  const { reportId, threadId } = (await as.user(await make.user()).post("/api/report", body)).body;
  const { caseId } = (await desk.get(`/api/report/${reportId}`)).body;
  return { reportId, threadId, caseId };
};
const queued = async () => (await makeProject(world, author, { status: "processing" })).id;
const version = async () => (await makeVersion(world, author, (await makeProject(world, author)).id)).id;
const hash = () => Buffer.from(uniqueName("hash").padEnd(64, "x")).toString("hex").slice(0, 128);

/** Prepares the state, and returns the request of the act. */
const acts: Record<string, () => Promise<[method: string, path: string, body?: object]>> = {
  setProjectStatus: async () => ["POST", `/api/moderation/project/${await queued()}`, { status: "approved" }],
  claimProject: async () => ["POST", `/api/moderation/project/${await queued()}/claim`],
  releaseProject: async () => {
    const path = `/api/moderation/project/${await queued()}/claim`;
    await desk.post(path);
    return ["DELETE", path];
  },
  updateReport: async () => ["PATCH", `/api/report/${(await report()).reportId}`, { closed: true }],
  closeReportCase: async () => ["PATCH", `/api/moderation/report/${(await report()).caseId}`, { closed: true }],
  claimReportCase: async () => ["POST", `/api/moderation/report/${(await report()).caseId}/claim`],
  releaseReportCase: async () => {
    const path = `/api/moderation/report/${(await report()).caseId}/claim`;
    await desk.post(path);
    return ["DELETE", path];
  },
  deleteThreadMessage: async () => {
    const { threadId } = await report();
    const { messageId } = (await desk.post(`/api/thread/${threadId}`, { message: "Rude" })).body;
    return ["DELETE", `/api/thread/message/${messageId}`];
  },
  createQuarantine: async () => ["POST", "/api/moderation/quarantine", { sha512: hash(), reason: "x", deny: true }],
  liftQuarantine: async () => {
    const body = { versionId: await version(), reason: "x" };
    const { quarantine } = (await desk.post("/api/moderation/quarantine", body)).body;
    return ["DELETE", `/api/moderation/quarantine/${quarantine.id}`];
  },
  denyHash: async () => ["POST", "/api/moderation/denied-hash", { hash: hash(), reason: "x" }],
  allowHash: async () => {
    const denied = hash();
    await desk.post("/api/moderation/denied-hash", { hash: denied, reason: "x" });
    return ["DELETE", `/api/moderation/denied-hash/${denied}`];
  },
  suspendUser: async () => ["POST", `/api/moderation/user/${(await make.user()).id}/suspension`, { reason: "x" }],
  unsuspendUser: async () => {
    const path = `/api/moderation/user/${(await make.user()).id}/suspension`;
    await desk.post(path, { reason: "x" });
    return ["DELETE", path];
  },
};

const countAudits = async () =>
  (await db.selectFrom("audit_log").select(db.fn.countAll<number>().as("count")).executeTakeFirstOrThrow()).count;

const moderation = routes.map(({ endpoint }) => endpoint).filter(({ path }) => path.startsWith("/api/moderation"));

test("every act of moderators is covered by this law", () => {
  const writes = moderation.filter(({ method }) => method !== "GET").map(({ id }) => id);
  expect(writes.length).toBeGreaterThan(8);
  expect(writes.filter((id) => !(id in acts))).toEqual([]);
});

describe.each(Object.keys(acts))("%s", (id) => {
  test("leaves one entry that names the actor; a repeated or refused act leaves none", async () => {
    const [method, path, json] = await acts[id]!();
    const stranger = await make.user();
    let before = await countAudits();
    expect((await as.user(stranger).call(method, path, { json })).status).toBeGreaterThanOrEqual(403);
    expect(await countAudits()).toBe(before);
    expect(await desk.call(method, path, { json })).toSucceed();
    expect(await countAudits()).toBe(before + 1);
    const last = await db.selectFrom("audit_log").selectAll().orderBy("id", "desc").limit(1).executeTakeFirstOrThrow();
    expect(last.actor_id).toBe(admin.id);
    before = await countAudits();
    const again = await desk.call(method, path, { json });
    // A claim can be extended; every other act happens once.
    if (!id.startsWith("claim")) expect(again.status).toBeGreaterThanOrEqual(400);
    expect(await countAudits()).toBe(before);
  });
});

test("every route of moderators refuses other callers with the same message, regardless of its subject", async () => {
  const user = as.user(await make.user());
  for (const { method, path, id, access } of moderation) {
    if (access.kind === "open") continue;
    const fitting: Record<string, string> = { hash: "a".repeat(128) };
    const filled = path.replace(/:(\w+)/g, (_, name) => fitting[name] ?? "AAAAAAAA");
    const bodies: Record<string, object> = {
      setProjectStatus: { status: "approved" },
      closeReportCase: { closed: true },
      createQuarantine: { sha512: "a".repeat(128), reason: "x" },
      denyHash: { hash: "a".repeat(128), reason: "x" },
      suspendUser: { reason: "x" },
    };
    const reply = await user.call(method, filled, method === "GET" ? {} : { json: bodies[id] ?? {} });
    expect([403, reply.body?.code], id).toEqual([
      reply.status,
      /audit(?:\.csv|\/chain)$/.test(path) ? "adminOnly" : "moderatorOnly",
    ]);
  }
});
