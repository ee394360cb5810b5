// Notification settings: muted types, the frequency of mails, and the defaults of follows.
import { describe, expect, test } from "vitest";
import { testApp } from "#test/server/harness.js";
import { makeOrg, makeProject } from "#test/worlds/content.js";

const world = await testApp();
const { as, make } = world;
const path = "/api/notifications/settings";
const initial = {
  digest: "off",
  muted: [],
  followDefaults: { mode: "all", gameVersions: null, loaders: null, channels: ["release", "beta", "alpha", "dev"] },
  mail: "unavailable",
};

describe("getNotificationSettings and setNotificationSettings", () => {
  test("start with every notification on the site and none by mail; unnamed fields stay unchanged", async () => {
    const own = as.user(await make.user());
    expect((await own.get(path)).body).toEqual(initial);
    const first = await own.patch(path, { muted: ["version_published", "team_invite", "version_published"] });
    expect(first.body).toEqual({
      success: true,
      message: "Settings saved",
      settings: { ...initial, muted: ["team_invite", "version_published"] },
    });
    expect(await own.patch(path, { followDefaults: { mode: "filtered", gameVersions: ["0.4.8"] } })).toSucceed();
    expect(await own.patch(path, { followDefaults: { channels: ["release"] }, digest: "weekly" })).toSucceed();
    expect(await own.patch(path, {})).toSucceed();
    expect((await own.get(path)).body).toEqual({
      digest: "weekly",
      muted: ["team_invite", "version_published"],
      followDefaults: { mode: "filtered", gameVersions: ["0.4.8"], loaders: null, channels: ["release"] },
      mail: "unavailable",
    });
    expect((await own.patch(path, { muted: [], digest: "off" })).body.settings).toMatchObject({
      digest: "off",
      muted: [],
    });
  });

  test.each<[string, unknown]>([
    ["a digest that is none", { digest: "hourly" }],
    ["muting what is never muted", { muted: ["status_change"] }],
    ["muting what does not exist", { muted: ["__proto__"] }],
    ["a text for a list", { muted: "team_invite" }],
    ["defaults that point to themselves", { followDefaults: { mode: "default" } }],
    ["a game version that does not exist", { followDefaults: { gameVersions: ["9.9.9-nowhere"] } }],
    ["a loader that does not exist", { followDefaults: { loaders: ["nothing"] } }],
    ["no channel", { followDefaults: { channels: [] } }],
    ["a list for the defaults", { followDefaults: [] }],
  ])("refuse %s and change nothing", async (_what, body) => {
    const own = as.user(await make.user());
    expect(await own.patch(path, body)).toFail(400, "invalidRequest");
    expect((await own.get(path)).body).toEqual(initial);
  });

  test("are each one's own, for a token with the scopes of notifications", async () => {
    const user = await make.user();
    expect(await as.anyone.get(path)).toFail(401, "signInNeeded");
    const reader = await as.token(user, { scopes: ["notification_read"] });
    expect((await reader.get(path)).body).toEqual(initial);
    expect(await reader.patch(path, { digest: "daily" })).toFail(403, "scopeMissing");
    const writer = await as.token(user, { scopes: ["notification_write"] });
    expect(await writer.patch(path, { digest: "daily" })).toSucceed();
  });
});

test("invitations that are muted make no notification, and can be accepted all the same", async () => {
  const [owner, invited] = [await make.user(), await make.user()];
  const [project, org] = [await makeProject(world, owner), await makeOrg(world, owner)];
  expect(await as.user(invited).patch(path, { muted: ["team_invite"] })).toSucceed();
  for (const { teamId } of [project, org])
    expect(await as.user(owner).post(`/api/team/${teamId}/invite`, { userName: invited.userName })).toSucceed();
  const types = (await as.user(invited).get("/api/notifications")).body.map(({ type }: { type: string }) => type);
  expect(types).toEqual(["organization_invite"]);
  expect(await as.user(invited).patch(`/api/team/${project.teamId}/invite`)).toSucceed();
});
