// Suspension: whom moderators may suspend, that it takes effect immediately on every server, and the record they see
// before.
import { describe, expect, test } from "vitest";
import { assignableScopes } from "#lib/scopes.js";
import type { TestUser } from "#test/callers/actors.js";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";

const world = await testApp();
const second = await testApp({ sharedWith: world });
const { as, make } = world;
const moderator = await make.user({ role: "moderator" });
const admin = await make.user({ role: "admin" });
const path = (user: TestUser | string) => `/api/moderation/user/${typeof user === "string" ? user : user.id}`;
const suspend = (by: TestUser, user: TestUser | string, reason = "Uploads others' work") =>
  as.user(by).post(`${path(user)}/suspension`, { reason });
const release = (by: TestUser, user: TestUser | string) => as.user(by).delete(`${path(user)}/suspension`);

describe("suspendUser", () => {
  test("ends every session and token immediately, on every server, until unsuspendUser lifts it", async () => {
    const user = await make.user({ password: "sample-1234" });
    const { value } = await make.token(user, { scopes: assignableScopes });
    const doors = [world, second].flatMap(({ as: actors }) => [actors.user(user), actors.bearer(value)]);
    for (const door of doors) expect(await door.get("/api/user")).toSucceed();
    expect(await suspend(moderator, user.userName.toUpperCase())).toSucceed();
    for (const door of doors) expect((await door.get("/api/user")).status).toBe(401);
    const signIn = { email: user.email, password: "sample-1234" };
    expect((await as.anyone.post("/api/auth/signin/credential", signIn)).status).toBeGreaterThanOrEqual(401);
    expect(await suspend(moderator, user)).toFail(409, "wrongState");
    expect(await release(moderator, user)).toSucceed();
    expect(await release(moderator, user)).toFail(409, "wrongState");
    for (const door of doors) expect(await door.get("/api/user")).toSucceed();
  });

  test("moderators suspend users, administrators also moderators, and an administrator or oneself cannot be suspended", async () => {
    const [other, otherAdmin] = [await make.user({ role: "moderator" }), await make.user({ role: "admin" })];
    for (const target of [other, moderator, admin])
      expect(await suspend(moderator, target)).toFail(403, "staffProtected");
    for (const target of [otherAdmin, admin]) expect(await suspend(admin, target)).toFail(403, "staffProtected");
    expect(await suspend(admin, other)).toSucceed();
    expect(await release(moderator, other)).toFail(403, "staffProtected");
    expect(await release(admin, other)).toSucceed();
    const [user, victim] = [await make.user(), await make.user()];
    expect(await suspend(user, victim)).toFail(403, "moderatorOnly");
    expect(await suspend(user, "nobody-at-all")).toFail(403, "moderatorOnly");
    expect(await release(user, victim)).toFail(403, "moderatorOnly");
  });

  test("tokens cannot suspend: a script can change only the own profile", async () => {
    const user = await make.user();
    const token = await as.token(moderator, { scopes: assignableScopes });
    expect(await token.post(`${path(user)}/suspension`, { reason: "x" })).toFail(403, "sessionNeeded");
    expect(await token.delete(`${path(user)}/suspension`)).toFail(403, "sessionNeeded");
  });

  test("needs a reason and an existing user", async () => {
    const user = await make.user();
    for (const body of [{}, { reason: "" }, { reason: " " }, { reason: 5 }, { reason: "x".repeat(513) }])
      expect(await as.user(moderator).post(`${path(user)}/suspension`, body)).toFail(400, "invalidRequest");
    for (const ref of ["nobody-at-all", "deleted_user"]) {
      expect(await suspend(moderator, ref)).toFail(404, "userNotFound");
      expect(await release(moderator, ref)).toFail(404, "userNotFound");
    }
    expect(await as.user(user).get("/api/user")).toSucceed();
  });

  test("happens once when ten are sent in parallel to two servers", async () => {
    const user = await make.user();
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        (at % 2 ? as : second.as).user(moderator).post(`${path(user)}/suspension`, { reason: "x" }),
      ),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const reply of replies) if (reply.status !== 200) expect(reply).toFail(409, "wrongState");
  });
});

describe("getModeratedUser", () => {
  test("shows a user's activity, and reports and decisions about it", async () => {
    const user = await make.user();
    const [one, other] = [await makeProject(world, user), await makeProject(world, user, { status: "processing" })];
    const reporter = as.user(await make.user());
    const report = { reportType: "spam", itemType: "project", itemId: one.id, body: "Nothing but advertising" };
    const { reportId } = (await reporter.post("/api/report", report)).body;
    await reporter.post("/api/report", { ...report, itemType: "user", itemId: user.id });
    await as.user(moderator).patch(`/api/report/${reportId}`, { closed: true });
    await as.user(moderator).post(`/api/moderation/project/${other.id}`, { status: "rejected" });
    await as.user(user).post("/api/report", { ...report, itemType: "user", itemId: moderator.id });
    await suspend(moderator, user);
    const { body } = await as.user(moderator).get(path(user.userName));
    expect(body).toMatchObject({
      user: { id: user.id, userName: user.userName },
      suspension: { reason: "Uploads others' work" },
      projects: 2,
      reports: { made: 1, open: 1, actionTaken: 0 },
      cases: { open: 1, closed: 1 },
      decisions: { approved: 0, turnedDown: 1 },
    });
    expect((await as.user(moderator).get(path(moderator))).body).toMatchObject({ suspension: null, projects: 0 });
  });

  test("is for moderators", async () => {
    const user = await make.user();
    for (const ref of [user.id, "nobody-at-all"])
      expect(await as.user(user).get(path(ref))).toFail(403, "moderatorOnly");
    for (const ref of ["nobody-at-all", "deleted_user"])
      expect(await as.user(moderator).get(path(ref))).toFail(404, "userNotFound");
  });
});
