// Reading, marking and deleting notifications: the user's own and, for moderators, those of others.
import { describe, expect, test } from "vitest";
import type { Actor, TestUser } from "#test/callers/actors.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { makeOrg, makeProject, setProject } from "#test/worlds/content.js";

const world = await testApp();
const { as, make, resources, clock } = world;
const { db } = resources;
const owner = await make.user();
const moderator = await make.user({ role: "moderator" });
const project = await makeProject(world, owner, { name: "Fancy lamps" });

let made = 0;
async function plant(user: TestUser, more: { type?: string; body?: object; date_read?: number } = {}): Promise<string> {
  const { type = "status_change", body = { projectId: project.id, new_status: "approved", prev_status: "draft" } } =
    more;
  const id = `Planted${made++}`;
  const row = { id, user_id: user.id, type, group_key: null, body: JSON.stringify(body) };
  await db
    .insertInto("notifications")
    .values({ ...row, date_created: clock.now() - 1_000_000 + made, date_read: more.date_read ?? null })
    .execute();
  return id;
}

const idsOf = async (actor: Actor, query = ""): Promise<string[]> =>
  (await actor.get(`/api/notifications${query}`)).body.map(({ id }: { id: string }) => id);
const unread = async (actor: Actor): Promise<number> =>
  (await actor.get("/api/notifications/unread-count")).body.unread;
const essence = ({ status, text }: { status: number; text: string }) => [status, text.replace(/"requestId":"\w+"/, "")];

describe("getNotifications and getNotification", () => {
  test("show events in the form of the interface and as a sentence", async () => {
    const user = await make.user();
    await setProject(world, project.id, { status: "processing" });
    expect(await as.user(moderator).post(`/api/moderation/project/${project.id}`, { status: "approved" })).toSucceed();
    const [notification, ...more] = (await as.user(owner).get("/api/notifications?type=status_change")).body;
    expect(more).toEqual([]);
    expect(notification).toEqual({
      id: expect.any(String),
      userId: owner.id,
      type: "status_change",
      dateCreated: expect.stringMatching(/Z$/),
      read: false,
      dateRead: null,
      body: { projectId: project.id, new_status: "approved", prev_status: "processing" },
      text: "Fancy lamps was approved",
      about: {
        kind: "project",
        id: project.id,
        name: "Fancy lamps",
        slug: project.slug,
        icon: null,
        url: `http://modshelf.test/project/${project.slug}`,
      },
    });
    expect((await as.user(owner).get(`/api/notifications/${notification.id}`)).body).toEqual(notification);
    const stranger = await as.user(user).get(`/api/notifications/${notification.id}`);
    expect(essence(stranger)).toEqual(essence(await as.user(user).get("/api/notifications/AAAAAAAA")));
    expect(stranger).toFail(404, "notificationNotFound");
  });

  test("name the project of an invitation, although the invitee cannot see anything else of it", async () => {
    const invited = await make.user();
    const secret = await makeProject(world, owner, { visibility: "private", name: "Hidden lamps" });
    const org = await makeOrg(world, owner, { name: "Lamp makers" });
    for (const { teamId } of [secret, org])
      expect(await as.user(owner).post(`/api/team/${teamId}/invite`, { userName: invited.userName })).toSucceed();
    const all = (await as.user(invited).get("/api/notifications")).body;
    expect(Object.fromEntries(all.map((each: { type: string }) => [each.type, each]))).toEqual({
      team_invite: expect.objectContaining({
        body: { teamId: secret.teamId, projectId: secret.id, invitedBy: owner.id, role: "Member" },
        text: `${owner.userName} invited you to join the team of Hidden lamps as Member`,
        about: null,
      }),
      organization_invite: expect.objectContaining({
        body: { teamId: org.teamId, orgId: org.id, invitedBy: owner.id, role: "Member" },
        text: `${owner.userName} invited you to join Lamp makers as Member`,
        about: expect.objectContaining({ kind: "organization", id: org.id, slug: org.slug }),
      }),
    });
    expect(await as.user(invited).get(`/api/project/${secret.id}`)).toFail(404, "projectNotFound");
  });

  test("name nothing that the reader can no longer see", async () => {
    const user = await make.user();
    const hidden = await makeProject(world, owner, { name: "Unseen" });
    const body = { projectId: hidden.id, versionIds: ["AAAAAAAA"], versionCount: 1 };
    await plant(user, { type: "version_published", body });
    const read = async () => (await as.user(user).get("/api/notifications")).body[0];
    expect((await read()).text).toBe("Unseen has a new version");
    await setProject(world, hidden.id, { visibility: "private" });
    expect(await read()).toMatchObject({ text: "A project you follow has a new version", about: null });
    expect((await as.user(user).get("/api/notifications")).text).not.toContain("Unseen");
    await as.user(owner).delete(`/api/project/${hidden.id}`);
    expect(await read()).toMatchObject({ about: null, body: { ...body, versionIds: [] } });
  });

  test("show notifications of an unknown type or form without failing", async () => {
    const user = await make.user();
    await plant(user, { type: "from_the_future", body: { projectId: project.id, nested: { deep: [1] } } });
    await plant(user, { type: "__proto__", body: { projectId: 7, versionIds: "x", invitedBy: null } });
    await plant(user, { type: "constructor", body: {} });
    const all = (await as.user(user).get("/api/notifications")).body;
    expect(all.map(({ text }: { text: string }) => text)).toEqual([
      "There is news about your account",
      "There is news about your account",
      "There is news about Fancy lamps",
    ]);
    expect(all[2].body).toEqual({ projectId: project.id, nested: { deep: [1] } });
  });

  test("come newest first, a hundred by default, in pages, optionally only unread ones or one type", async () => {
    const user = await make.user();
    const own = as.user(user);
    const ids: string[] = [];
    for (let at = 0; at < 103; at++)
      ids.unshift(await plant(user, at % 2 ? { date_read: 1 } : at === 4 ? { type: "other" } : {}));
    expect(await idsOf(own)).toEqual(ids.slice(0, 100));
    expect(await idsOf(own, "?limit=5&offset=100")).toEqual(ids.slice(100));
    expect(await idsOf(own, "?limit=2&offset=7")).toEqual(ids.slice(7, 9));
    expect(await idsOf(own, "?offset=5000")).toEqual([]);
    expect(await idsOf(own, "?unread=true")).toHaveLength(52);
    expect(await idsOf(own, "?type=other")).toEqual([ids[98]]);
    expect(await unread(own)).toBe(52);
    for (const query of ["limit=0", "limit=101", "limit=x", "offset=-1", "offset=1e99", "limit=1.5"])
      expect(await own.get(`/api/notifications?${query}`)).toFail(400, "invalidRequest");
  });
});

describe("markNotificationsRead and markNotificationRead", () => {
  test("mark one, several or all, and keep the date of the first time", async () => {
    const user = await make.user();
    const own = as.user(user);
    const ids = [await plant(user), await plant(user), await plant(user), await plant(user)];
    const read = async (id: string) => (await own.get(`/api/notifications/${id}`)).body;
    expect(await own.patch(`/api/notifications/${ids[0]}`)).toSucceed();
    const first = await read(ids[0]!);
    expect(first).toMatchObject({ read: true, dateRead: expect.stringMatching(/Z$/) });
    clock.advance(1000);
    const some = await own.patch(`/api/notifications?ids=${ids[0]},${ids[1]},AAAAAAAA`);
    expect(some.body).toEqual({ success: true, message: "2 notifications marked as read" });
    expect((await read(ids[0]!)).dateRead).toBe(first.dateRead);
    expect(await unread(own)).toBe(2);
    const moment = (await read(ids[2]!)).dateCreated;
    expect(await own.patch(`/api/notifications?all=true&before=${moment}`)).toSucceed();
    expect(await idsOf(own, "?unread=true")).toEqual([ids[3]]);
    expect(await own.patch("/api/notifications?all=true")).toSucceed();
    expect(await unread(own)).toBe(0);
    expect(await own.patch("/api/notifications?all=true")).toSucceed();
  });

  test("refuse requests that name no notification, and leave those of other users unchanged", async () => {
    const [user, other] = [await make.user(), await make.user()];
    const own = as.user(user);
    const theirs = await plant(other);
    for (const query of ["", "?ids=", "?ids=,,", "?all=yes", "?all=false"])
      expect(await own.patch(`/api/notifications${query}`)).toFail(400, "invalidRequest");
    const many = Array.from({ length: 101 }, (_, at) => `A${at}`).join();
    expect(await own.patch(`/api/notifications?ids=${many}`)).toFail(400, "invalidRequest");
    expect(await own.patch("/api/notifications?all=true&before=yesterday")).toFail(400, "invalidRequest");
    expect(await own.patch(`/api/notifications?ids=${theirs}`)).toFail(404, "notificationNotFound");
    expect(await own.patch(`/api/notifications/${theirs}`)).toFail(404, "notificationNotFound");
    expect(await own.patch("/api/notifications?all=true")).toSucceed();
    expect(await unread(as.user(other))).toBe(1);
  });
});

describe("deleteNotifications and deleteNotification", () => {
  test("delete one, several or all, and mind nothing that is gone", async () => {
    const [user, other] = [await make.user(), await make.user()];
    const own = as.user(user);
    const theirs = await plant(other);
    const ids = [await plant(user), await plant(user), await plant(user)];
    expect(await own.delete(`/api/notifications/${ids[0]}`)).toSucceed();
    expect(await own.delete(`/api/notifications/${ids[0]}`)).toSucceed();
    expect((await own.delete(`/api/notifications?ids=${ids[1]},${theirs}`)).body.message).toBe(
      "1 notification deleted",
    );
    expect((await own.delete(`/api/notifications?ids=${theirs}`)).body.message).toBe("0 notifications deleted");
    expect(await idsOf(own)).toEqual([ids[2]]);
    expect(await own.delete("/api/notifications")).toFail(400, "invalidRequest");
    expect(await own.delete("/api/notifications?all=true")).toSucceed();
    expect(await idsOf(own)).toEqual([]);
    expect(await idsOf(as.user(other))).toEqual([theirs]);
  });
});

describe("the notifications of a user by name", () => {
  test("are one's own by id and name in any case, and a moderator's to see and touch, which is noted", async () => {
    const user = await make.user();
    const [a, b] = [await plant(user), await plant(user)];
    for (const ref of [user.id, user.userName, user.userName.toUpperCase()]) {
      const base = `/api/user/${ref}/notifications`;
      for (const actor of [as.user(user), as.user(moderator)]) {
        expect((await actor.get(base)).body).toHaveLength(2);
        expect((await actor.get(`${base}/${a}`)).body.id).toBe(a);
        expect((await actor.get(`${base}/unread-count`)).body).toEqual({ unread: 2 });
      }
    }
    const base = `/api/user/${user.userName}/notifications`;
    expect(await as.user(user).patch(`${base}/${a}`)).toSucceed();
    expect(await as.user(moderator).patch(`${base}?ids=${b}`)).toSucceed();
    expect(await unread(as.user(user))).toBe(0);
    expect(await as.user(moderator).delete(`${base}/${a}`)).toSucceed();
    expect(await as.user(user).delete(`${base}?ids=${b}`)).toSucceed();
    expect(await idsOf(as.user(user))).toEqual([]);
    const acts = await db.selectFrom("audit_log").select("action").where("actor_id", "=", moderator.id).execute();
    expect(acts.map(({ action }) => action).filter((action) => action.startsWith("notification"))).toEqual([
      "notification.read",
      "notification.delete",
    ]);
  });

  test("are private: getUserNotifications, getUserNotification, countUserUnread, markUserNotificationsRead, markUserNotificationRead, deleteUserNotifications, deleteUserNotification", async () => {
    const [user, stranger] = [await make.user(), await make.user()];
    const id = await plant(user);
    const base = `/api/user/${user.userName}/notifications`;
    for (const [method, path] of [
      ["GET", ""],
      ["GET", `/${id}`],
      ["GET", "/unread-count"],
      ["PATCH", "?all=true"],
      ["PATCH", `/${id}`],
      ["DELETE", "?all=true"],
      ["DELETE", `/${id}`],
    ] as const) {
      expect(await as.user(stranger).call(method, base + path)).toFail(403, "moderatorOnly");
      expect(await as.user(stranger).call(method, `/api/user/${uniqueName()}/notifications${path}`)).toFail(
        404,
        "userNotFound",
      );
      expect(await as.anyone.call(method, base + path)).toFail(401, "signInNeeded");
    }
    expect(await unread(as.user(user))).toBe(1);
  });

  test("need the scope of the operation: countUnread and reading, marking, deleting", async () => {
    const user = await make.user();
    const id = await plant(user);
    const holding = (scope: "notification_read" | "notification_write" | "notification_delete") =>
      as.token(user, { scopes: [scope] });
    const [reader, marker, deleter] = [
      await holding("notification_read"),
      await holding("notification_write"),
      await holding("notification_delete"),
    ];
    expect(await marker.get("/api/notifications")).toFail(403, "scopeMissing");
    expect(await reader.patch(`/api/notifications/${id}`)).toFail(403, "scopeMissing");
    expect(await marker.delete(`/api/notifications/${id}`)).toFail(403, "scopeMissing");
    expect([await unread(reader), await idsOf(reader)]).toEqual([1, [id]]);
    expect(await marker.patch(`/api/notifications/${id}`)).toSucceed();
    expect(await deleter.delete(`/api/notifications/${id}`)).toSucceed();
  });
});
