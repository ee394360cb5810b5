// Threads: participants, visible messages, and hostile input.
import { describe, expect, test } from "vitest";
import { setRole } from "#accounts/users/write.js";
import { write } from "#platform/changes/write.js";
import type { TestUser } from "#test/callers/actors.js";
import { testApp } from "#test/server/harness.js";
import { addMember, makeOrg, makeProject } from "#test/worlds/content.js";
import { moderatorName } from "./policy.js";

const world = await testApp();
const { as, make, clock, resources } = world;
const { db } = resources;
const [owner, stranger, invitee, member, orgMember] = await Promise.all(Array.from({ length: 5 }, () => make.user()));
const moderator = await make.user({ role: "moderator" });
const admin = await make.user({ role: "admin" });
const step = () => clock.advance(1000);

async function makeThread() {
  const org = await makeOrg(world, owner!);
  await addMember(world, org.teamId, orgMember!);
  const project = await makeProject(world, owner!, { orgId: org.id, status: "processing" });
  await addMember(world, project.teamId, member!);
  await addMember(world, project.teamId, invitee!, { accepted: false });
  const row = await db.selectFrom("threads").select("id").where("entity_id", "=", project.id).executeTakeFirstOrThrow();
  return { project, org, id: row.id, path: `/api/thread/${row.id}` };
}

async function makeReportThread(reporter: TestUser) {
  const project = await makeProject(world, owner!);
  const body = { reportType: "spam", itemType: "project", itemId: project.id, body: "This is nothing but advertising" };
  const { threadId, reportId } = (await as.user(reporter).post("/api/report", body)).body;
  return { reportId: reportId as string, path: `/api/thread/${threadId}` };
}

const say = (user: TestUser, path: string, message: string, more: object = {}) =>
  as.user(user).post(path, { message, replyingTo: null, isPrivate: false, ...more });
const read = async (user: TestUser, path: string) => (await as.user(user).get(path)).body;
const texts = async (user: TestUser, path: string) =>
  (await read(user, path)).messages.map(({ body }: { body: { text: string } }) => body?.text);
const noticesOf = (user: TestUser) =>
  db.selectFrom("notifications").selectAll().where("user_id", "=", user.id).execute();

describe("getThread", () => {
  test("for a project is visible to accepted members of it and of its organization, and to moderators", async () => {
    const { path, project } = await makeThread();
    for (const user of [owner!, member!, orgMember!, moderator, admin]) {
      const thread = await read(user, path);
      expect(thread).toMatchObject({ type: "project", relatedEntity: project.id, messages: [], hasMore: false });
      expect(thread.members[0]).toEqual({ id: "moderator", userName: "moderator", avatar: null, role: "moderator" });
      const names = thread.members.slice(1).map(({ userName }: { userName: string }) => userName);
      expect(names.sort()).toEqual([owner!.userName, member!.userName, orgMember!.userName].sort());
    }
    for (const user of [stranger!, invitee!]) expect(await as.user(user).get(path)).toFail(404, "threadNotFound");
  });

  test("for a report is visible to the reporter and to moderators; others get the same answer as for a missing one", async () => {
    const { path } = await makeReportThread(stranger!);
    expect(await as.user(stranger!).get(path)).toSucceed();
    expect(await as.user(moderator).get(path)).toSucceed();
    for (const user of [owner!, member!]) {
      const [hidden, absent] = [await as.user(user).get(path), await as.user(user).get("/api/thread/AAAAAAAA")];
      expect(hidden).toFail(404, "threadNotFound");
      const essence = (text: string) => text.replace(/"requestId":"\w+"/, "");
      expect(essence(hidden.text)).toBe(essence(absent.text));
    }
  });

  test("is no longer visible after the membership ends", async () => {
    const { path, project } = await makeThread();
    const leaving = await make.user();
    await addMember(world, project.teamId, leaving);
    expect(await as.user(leaving).get(path)).toSucceed();
    await db.deleteFrom("team_members").where("user_id", "=", leaving.id).execute();
    expect(await as.user(leaving).get(path)).toFail(404, "threadNotFound");
    expect(await say(leaving, path, "I am still here")).toFail(404, "threadNotFound");
  });

  test("is paged, oldest first, each message once", async () => {
    const { path } = await makeThread();
    for (let n = 0; n < 7; n++) {
      await say(n % 2 ? member! : owner!, path, `Message ${n}`);
      step();
    }
    const newest = await read(owner!, `${path}?limit=3`);
    expect(newest.messages.map(({ body }: { body: { text: string } }) => body.text)).toEqual([
      "Message 4",
      "Message 5",
      "Message 6",
    ]);
    expect(newest.hasMore).toBe(true);
    const older = await read(owner!, `${path}?limit=10&before=${newest.messages[0].id}`);
    expect(older.messages).toHaveLength(4);
    expect(older.hasMore).toBe(false);
    for (const query of ["limit=0", "limit=101", "limit=x", "before=AAAAAAAA"])
      expect(await as.user(owner!).get(`${path}?${query}`)).toFail(400, "invalidRequest");
  });
});

describe("createThreadMessage", () => {
  test("hides the names of moderators from other users, and shows notes only to moderators", async () => {
    const { path } = await makeThread();
    expect(await say(owner!, path, "Here is the licence")).toSucceed();
    step();
    const answer = await say(moderator, path, "Thank you");
    expect(answer.body).toMatchObject({ success: true, messageId: expect.any(String) });
    step();
    expect(await say(moderator, path, "This has happened before", { isPrivate: true })).toSucceed();
    for (const user of [owner!, orgMember!]) {
      const { messages, members } = await read(user, path);
      expect(messages.map(({ authorId, authorHidden }: never) => [authorId, authorHidden])).toEqual([
        [owner!.id, false],
        [moderatorName, true],
      ]);
      expect(JSON.stringify({ messages, members })).not.toContain(moderator.id);
      expect(JSON.stringify(messages)).not.toContain("before");
    }
    const shown = await read(admin, path);
    expect(shown.messages.map(({ authorId }: { authorId: string }) => authorId)).toEqual([
      owner!.id,
      moderator.id,
      moderator.id,
    ]);
    expect(shown.messages[2].body).toEqual({ text: "This has happened before", replying_to: null, isPrivate: true });
  });

  test("hides the name of a former moderator too", async () => {
    const leaving = await make.user({ role: "moderator" });
    const { path } = await makeThread();
    await say(leaving, path, "No");
    await write(resources, {}, (tx) => setRole(tx, leaving.id, "user"));
    const { messages, members } = await read(owner!, path);
    expect(messages[0]).toMatchObject({ authorId: moderatorName, authorHidden: true });
    expect(JSON.stringify(members)).not.toContain(leaving.id);
    expect(await as.user(leaving).get(path)).toFail(404, "threadNotFound");
  });

  test("shows the name of a moderator in the thread of their own project", async () => {
    const project = await makeProject(world, moderator, { status: "processing" });
    const { id } = await db
      .selectFrom("threads")
      .select("id")
      .where("entity_id", "=", project.id)
      .executeTakeFirstOrThrow();
    await say(moderator, `/api/thread/${id}`, "Please look at it");
    const { messages } = await read(admin, `/api/thread/${id}`);
    expect(messages[0]).toMatchObject({ authorId: moderator.id, authorHidden: false });
  });

  test("private notes are for moderators", async () => {
    const { path } = await makeThread();
    expect(await say(owner!, path, "Psst", { isPrivate: true })).toFail(403, "moderatorOnly");
    expect(await texts(moderator, path)).toEqual([]);
  });

  test.each([
    {},
    { message: "" },
    { message: " \n\t" },
    { message: "x".repeat(2049) },
    { message: 5 },
    { message: null },
    { message: "x", isPrivate: "yes" },
    { message: "x", replyingTo: 5 },
    { message: "x", replyingTo: "AAAAAAAA" },
  ])("refuses %o", async (body) => {
    const { path } = await makeThread();
    expect(await as.user(owner!).post(path, body)).toFail(400, "invalidRequest");
    expect(await texts(owner!, path)).toEqual([]);
  });

  test("keeps the text as it was written", async () => {
    const { path } = await makeThread();
    const odd = ["<script>alert(1)</script>", "名前 🎉", "'); drop table threads; --", "x".repeat(2048), "\u202e"];
    for (const message of odd) {
      expect(await as.user(owner!).post(path, { message })).toSucceed();
      step();
    }
    expect(await texts(owner!, path)).toEqual(odd);
  });

  test("accepts replies to messages of the same thread that the author can see", async () => {
    const [one, other] = [await makeThread(), await makeThread()];
    const first = (await say(owner!, one.path, "A question")).body.messageId;
    const elsewhere = (await say(owner!, other.path, "Elsewhere")).body.messageId;
    const note = (await say(moderator, one.path, "A note", { isPrivate: true })).body.messageId;
    expect(await say(member!, one.path, "An answer", { replyingTo: first })).toSucceed();
    for (const replyingTo of [elsewhere, note])
      expect(await say(member!, one.path, "An answer", { replyingTo })).toFail(400, "invalidRequest");
    expect(await say(moderator, one.path, "More", { replyingTo: note, isPrivate: true })).toSucceed();
  });

  test("notifies the owners once about several messages of a moderator, and never about notes", async () => {
    const [boss, head] = [await make.user(), await make.user()];
    const org = await makeOrg(world, head);
    const project = await makeProject(world, head, { orgId: org.id, status: "processing" });
    await addMember(world, project.teamId, boss);
    const { id } = await db
      .selectFrom("threads")
      .select("id")
      .where("entity_id", "=", project.id)
      .executeTakeFirstOrThrow();
    const path = `/api/thread/${id}`;
    await say(moderator, path, "A note", { isPrivate: true });
    await say(boss, path, "Hello?");
    expect(await noticesOf(head)).toEqual([]);
    await say(moderator, path, "One");
    await db.updateTable("notifications").set({ date_read: 5 }).where("user_id", "=", head.id).execute();
    const { messageId } = (await say(moderator, path, "Two")).body;
    const notices = await noticesOf(head);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatchObject({ type: "thread_message", date_read: null });
    expect(JSON.parse(notices[0]!.body)).toEqual({ threadId: id, projectId: project.id, messageId });
    expect(await noticesOf(boss)).toEqual([]);
  });

  test("notifies the reporter of an answer", async () => {
    const reporter = await make.user();
    const { path, reportId } = await makeReportThread(reporter);
    await say(moderator, path, "Where exactly?");
    const notices = await noticesOf(reporter);
    expect(notices.map(({ type, body }) => [type, JSON.parse(body).reportId])).toEqual([["thread_message", reportId]]);
  });

  test("a closed report accepts only notes of moderators", async () => {
    const reporter = await make.user();
    const { path, reportId } = await makeReportThread(reporter);
    expect(await as.user(moderator).patch(`/api/report/${reportId}`, { closed: true })).toSucceed();
    expect(await say(reporter, path, "But")).toFail(409, "wrongState");
    expect(await say(moderator, path, "No")).toFail(409, "wrongState");
    expect(await say(moderator, path, "Keep an eye on this", { isPrivate: true })).toSucceed();
  });

  test("limits messages without an answer, even if many are sent at the same time", async () => {
    const reporter = await make.user();
    const { path } = await makeReportThread(reporter);
    const replies = await Promise.all(Array.from({ length: 40 }, (_, n) => say(reporter, path, `Message ${n}`)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(30);
    for (const reply of replies) if (reply.status !== 200) expect(reply).toFail(409, "wrongState");
    // A note that the user cannot see does not count as an answer.
    await say(moderator, path, "Too many messages", { isPrivate: true });
    expect(await say(reporter, path, "Hello?")).toFail(409, "wrongState");
    step();
    await say(moderator, path, "We are at it");
    step();
    expect(await say(reporter, path, "Thank you")).toSucceed();
  });
});

describe("deleteThreadMessage", () => {
  const remove = (user: TestUser, id: string) => as.user(user).delete(`/api/thread/message/${id}`);

  test("removes the text and keeps the message", async () => {
    const { path } = await makeThread();
    const { messageId } = (await say(moderator, path, "Too rude")).body;
    expect(await remove(moderator, messageId)).toSucceed();
    const { messages } = await read(owner!, path);
    expect(messages).toMatchObject([
      { id: messageId, type: "deleted", body: { text: "", replying_to: null, isPrivate: false } },
    ]);
    expect(await remove(moderator, messageId)).toFail(409, "wrongState");
  });

  test("moderators delete their own messages and those of users; administrators also those of moderators", async () => {
    const { path } = await makeThread();
    const other = await make.user({ role: "moderator" });
    const [rude, fine, note] = [
      (await say(owner!, path, "Rude")).body.messageId,
      (await say(moderator, path, "Fine")).body.messageId,
      (await say(moderator, path, "Note", { isPrivate: true })).body.messageId,
    ];
    expect(await remove(owner!, rude)).toFail(403, "moderatorOnly");
    expect(await remove(owner!, note)).toFail(404, "messageNotFound");
    expect(await remove(stranger!, rude)).toFail(404, "messageNotFound");
    expect(await remove(other, fine)).toFail(403, "othersMessage");
    expect(await remove(other, rude)).toSucceed();
    expect(await remove(admin, fine)).toSucceed();
    expect(await remove(moderator, "AAAAAAAA")).toFail(404, "messageNotFound");
  });

  test("refuses messages about status changes and closures", async () => {
    const { path, project } = await makeThread();
    await as.user(moderator).post(`/api/moderation/project/${project.id}`, { status: "rejected", message: "No" });
    const { messages } = await read(moderator, path);
    expect(messages.map(({ type }: { type: string }) => type)).toEqual(["status_change", "text"]);
    expect(await remove(moderator, messages[0].id)).toFail(409, "wrongState");
    const shown = await read(owner!, path);
    expect(shown.messages[0]).toMatchObject({ authorId: moderatorName, authorHidden: true });
    expect(shown.messages[0].body).toEqual({ prev_status: "processing", new_status: "rejected" });
  });
});
