// Reading the audit log: permissions, filters and pages; and verifying that it is unchanged.
import { describe, expect, test } from "vitest";
import { write } from "#platform/changes/write.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";

const world = await testApp();
const { as, make, clock, resources } = world;
const { db } = resources;
const admin = await make.user({ role: "admin" });
const moderator = await make.user({ role: "moderator" });
const path = "/api/moderation/audit";

interface Entry {
  id: number;
  action: string;
  actor: { id: string; userName: string | null } | null;
  object: { kind: string; id: string };
  detail: Record<string, unknown>;
  dateCreated: string;
}
const read = async (query = "", user = admin): Promise<{ entries: Entry[]; next: number | null }> =>
  (await as.user(user).get(`${path}?${query}`)).body;

describe("getAuditLog", () => {
  test("finds acts by actor, action, object and time", async () => {
    const owner = await make.user();
    const { id, slug } = await makeProject(world, owner, { status: "processing" });
    const before = new Date(clock.now()).toISOString();
    clock.advance(5000);
    await as.user(moderator).post(`/api/moderation/project/${slug}`, { status: "rejected", reason: "licence" });
    clock.advance(5000);
    const after = new Date(clock.now()).toISOString();
    for (const query of [
      `actor=${moderator.userName.toUpperCase()}&objectId=${id}`,
      `actor=${moderator.id}&action=project.status.set&objectKind=project&objectId=${id}`,
      `action=project&actor=${moderator.id}&objectId=${id}`,
      `objectId=${id}&since=${before}&until=${after}`,
    ]) {
      const { entries, next } = await read(query);
      expect(entries, query).toHaveLength(1);
      expect(next).toBeNull();
      expect(entries[0]).toMatchObject({
        action: "project.status.set",
        actor: { id: moderator.id, userName: moderator.userName },
        object: { kind: "project", id },
        detail: { from: "processing", to: "rejected", reason: "licence" },
        credential: expect.stringMatching(/^session:/),
        address: expect.any(String),
      });
    }
    for (const query of [`objectId=${id}&since=${after}`, `objectId=${id}&action=project.s.x`, "actor=nobody-at-all"])
      expect((await read(query)).entries, query).toEqual([]);
  });

  test("comes in pages, newest first, each entry once, also while more is written", async () => {
    const object = uniqueName("object");
    const act = (n: number) =>
      write(resources, {}, async (tx) => tx.audit("test.act", { kind: "test", id: object }, { n }));
    for (let n = 0; n < 25; n++) await act(n);
    const seen: number[] = [];
    let before = "";
    do {
      const { entries, next } = await read(`objectId=${object}&limit=10${before}`);
      seen.push(...entries.map(({ detail }) => detail.n as number));
      await act(100);
      before = next === null ? "" : `&before=${next}`;
    } while (before !== "");
    expect(seen).toEqual(Array.from({ length: 25 }, (_, n) => 24 - n));
  });

  test("shows administrators everything, moderators the acts of moderators, and others nothing", async () => {
    const user = await make.user();
    await makeProject(world, user);
    expect((await read(`actor=${user.id}`)).entries.map(({ action }) => action)).toContain("project.create");
    expect((await read(`actor=${user.id}`, moderator)).entries).toEqual([]);
    const shown = (await read("limit=100", moderator)).entries;
    expect(shown.length).toBeGreaterThan(0);
    for (const entry of shown) {
      expect(entry.action).toMatch(/^(project\.status|claim|report|thread|quarantine|content|user\.(un)?suspend)/);
      expect(entry).not.toHaveProperty("address");
      expect(entry).not.toHaveProperty("credential");
    }
    expect((await read("action=user.create", moderator)).entries).toEqual([]);
    expect(await as.user(user).get(path)).toFail(403, "moderatorOnly");
  });

  test.each([
    "limit=0",
    "limit=101",
    "before=0",
    "before=x",
    "action=%25",
    "action=A",
    "since=yesterday",
    "until=2026-13-40",
    "since=2026-02-30T99:00:00Z",
  ])("refuses %s", async (query) => {
    expect(await as.user(admin).get(`${path}?${query}`)).toFail(400, "invalidRequest");
  });
});

describe("exportAuditLog", () => {
  test("is the same as CSV, in which no text becomes a formula or breaks out of its cell", async () => {
    const object = uniqueName("object");
    const reason = '=cmd()|"quoted", and\r\nmore';
    await write(resources, { userId: "+gone" }, async (tx) =>
      tx.audit("test.act", { kind: "test", id: object }, { reason }),
    );
    const reply = await as.user(admin).get(`${path}.csv?objectId=${object}`);
    expect(reply.status).toBe(200);
    expect(reply.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(reply.headers.get("content-disposition")).toContain("attachment");
    const [head, line, ...rest] = reply.text.split("\r\n");
    expect(head).toBe("id,date,actor,actorId,action,objectKind,objectId,detail,credential,address");
    expect(rest).toEqual([""]);
    expect(line).toContain(`,,'+gone,test.act,test,${object},`);
    expect(line).toContain(`"${JSON.stringify({ reason }).replaceAll('"', '""')}"`);
  });

  test("holds more than a page, and is for administrators", async () => {
    const object = uniqueName("object");
    await write(resources, {}, async (tx) => {
      for (let n = 0; n < 1203; n++) tx.audit("test.act", { kind: "test", id: object }, { n });
    });
    const lines = (await as.user(admin).get(`${path}.csv?objectId=${object}`)).text.trim().split("\r\n");
    expect(lines).toHaveLength(1204);
    for (const user of [moderator, await make.user()])
      expect(await as.user(user).get(`${path}.csv`)).toFail(403, "adminOnly");
    expect(await as.user(admin).get(`${path}.csv?since=never`)).toFail(400, "invalidRequest");
  });
});

describe("checkAuditLog", () => {
  const check = async (after = 0) => (await as.user(admin).get(`${path}/chain?after=${after}`)).body;

  test("checks the chain in parts, and names the entry where it breaks", async () => {
    const whole = await check();
    expect(whole).toMatchObject({ intact: true, brokenAt: null, isEnd: true });
    expect(whole.checked).toBeGreaterThan(10);
    expect(await check(whole.last)).toMatchObject({ intact: true, checked: 0, last: whole.last, isEnd: true });
    const victim = whole.last - 5;
    await db.updateTable("audit_log").set({ detail: "{}" }).where("id", "=", victim).execute();
    expect(await check()).toMatchObject({ intact: false, brokenAt: victim, isEnd: false });
    // After the changed entry the chain is intact again.
    expect(await check(victim)).toMatchObject({ intact: true });
    for (const user of [moderator, await make.user()])
      expect(await as.user(user).get(`${path}/chain`)).toFail(403, "adminOnly");
    expect(await as.user(admin).get(`${path}/chain?after=-1`)).toFail(400, "invalidRequest");
  });
});
