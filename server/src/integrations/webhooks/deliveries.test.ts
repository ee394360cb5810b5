// Messages to real receivers on loopback: their content, their recipients, and forbidden addresses.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { catchUp } from "#platform/changes/consumer.js";
import { write } from "#platform/changes/write.js";
import { testApp } from "#test/server/harness.js";
import { countStatements } from "#test/server/statement-count.js";
import { answering, matchingSignatures, startReceiver } from "#test/setup/webhook-receiver.js";
import { makeOrg, makeProject, setProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { webhookSettings, webhookWorld } from "#test/worlds/webhook-world.js";
import { webhooksConsumer } from "./consumer.js";
import { eventTypes } from "./event-types.js";

const world = await webhookWorld();
const { resources, clock, app, owner, author, settle, later, makeHook } = world;
const { db } = resources;
const hour = 3_600_000;

beforeEach(() => settle());
afterEach(() => db.deleteFrom("webhooks").execute());

describe("a message", () => {
  test("describes the event and the version, signed according to the standard", async () => {
    const { receiver, projectId, secret, deliveries } = await makeHook();
    const version = await makeVersion(world, owner, projectId, { changelog: "Better", versionNumber: "1.2.0" });
    await settle();
    const [message] = receiver.of("version.published");
    expect(receiver.messages).toHaveLength(1);
    expect(message!.headers).toMatchObject({
      "content-type": "application/json",
      "webhook-id": expect.stringMatching(/^msg_\w{8}$/),
      "webhook-timestamp": String(Math.floor(clock.now() / 1000)),
      "user-agent": expect.stringContaining("Modshelf/"),
    });
    expect(matchingSignatures(message!, secret)).toHaveLength(1);
    expect(message!.json).toEqual({
      type: "version.published",
      timestamp: new Date(clock.now()).toISOString(),
      data: {
        project: expect.objectContaining({
          ...{ id: projectId, name: "Sample project", type: ["mod"], status: "approved", visibility: "listed" },
          ...{ orgId: null, icon: null },
          url: expect.stringMatching(/^http:\/\/modshelf\.test\/project\//),
        }),
        version: expect.objectContaining({
          ...{ id: version.id, versionNumber: "1.2.0", releaseChannel: "release", changelog: "Better", yanked: false },
          ...{ gameVersions: ["0.4.8"], loaders: ["quilt"] },
          files: [
            expect.objectContaining({
              ...{ name: "file-1.2.0.jar", isPrimary: true, sha1_hash: version.sha1, sha512_hash: version.sha512 },
              url: expect.stringContaining(`/cdn/data/project/${projectId}/version/${version.id}/file-1.2.0.jar`),
            }),
          ],
        }),
      },
    });
    expect(await deliveries()).toMatchObject([
      { status: "delivered", attempts: 1, responseStatus: 204, event: "version.published" },
    ]);
  });

  test("is sent once for every kind of event, and only for the wanted ones", async () => {
    const all = await makeHook();
    const path = `/api/project/${all.projectId}`;
    const few = await startReceiver();
    await author.post(`${path}/webhooks`, { url: few.url, events: ["version.yanked", "project.deleted"] });
    const off = await startReceiver();
    await author.post(`${path}/webhooks`, { url: off.url, events: eventTypes, enabled: false });
    const version = await makeVersion(world, owner, all.projectId);
    await author.patch(`${path}/version/${version.id}`, { changelog: "Other words" });
    await author.patch(path, { name: "Another name" });
    await setProject(world, all.projectId, { status: "draft", description: "Words" });
    expect(await author.post(`${path}/submit-for-review`)).toSucceed();
    await author.post(`${path}/version/${version.id}/yank`, { reason: "broken" });
    await author.delete(`${path}/version/${version.id}`);
    await settle();
    const told = all.receiver.messages.map(({ json }) => json.type);
    expect(new Set([...told, "project.deleted"])).toEqual(new Set(eventTypes));
    expect(await author.delete(path)).toSucceed();
    await settle();
    expect(all.receiver.of("project.deleted").map(({ json }) => json.data.project.id)).toEqual([all.projectId]);
    expect(few.messages.map(({ json }) => json.type)).toEqual(
      told.filter((type) => type === "version.yanked").concat("project.deleted"),
    );
    expect(off.messages).toEqual([]);
    const ids = all.receiver.messages.map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("reaches an organization's webhook for all its projects, including private ones, and for no others", async () => {
    const org = await makeOrg(world, owner);
    const receiver = await startReceiver();
    await author.post(`/api/organization/${org.id}/webhooks`, { url: receiver.url, events: eventTypes });
    const inside = await makeProject(world, owner, { orgId: org.id, visibility: "private" });
    const outside = await makeProject(world, owner);
    for (const { id } of [inside, outside]) await makeVersion(world, owner, id);
    await settle();
    await author.delete(`/api/project/${inside.id}`);
    await settle();
    expect(receiver.messages.map(({ json }) => [json.type, json.data.project.id])).toEqual([
      ["version.published", inside.id],
      ["project.deleted", inside.id],
    ]);
  });

  test("is created once although two servers consume and deliver at the same time", async () => {
    const there = await testApp({ sharedWith: world, settings: webhookSettings });
    const { receiver, projectId, deliveries } = await makeHook();
    for (let n = 0; n < 6; n++) await makeVersion(n % 2 ? there : world, owner, projectId);
    await Promise.all([catchUp(resources, webhooksConsumer), catchUp(there.resources, webhooksConsumer)]);
    await expect
      .poll(async () => {
        clock.advance(2000);
        await Promise.all([app.jobs.settle(), there.app.jobs.settle()]);
        return receiver.messages.length;
      })
      .toBe(6);
    expect(new Set(receiver.messages.map(({ headers }) => headers["webhook-id"])).size).toBe(6);
    expect((await deliveries()).map(({ status, attempts }) => [status, attempts])).toEqual(
      Array(6).fill(["delivered", 1]),
    );
    await there.stop();
  });

  test("is signed with the old secret too for a day after a rotation", async () => {
    const { receiver, id, secret, edit } = await makeHook();
    const { body } = await author.post(`/api/webhook/${id}/secret`, {});
    await edit();
    const [both] = receiver.messages;
    expect(
      [matchingSignatures(both!, secret), matchingSignatures(both!, body.secret)].map((found) => found.length),
    ).toEqual([1, 1]);
    await later(24 * hour);
    await edit();
    const last = receiver.messages.at(-1)!;
    expect([matchingSignatures(last, secret).length, matchingSignatures(last, body.secret).length]).toEqual([0, 1]);
  });

  test("in Discord's format has no signature and mentions no users", async () => {
    const { receiver, projectId } = await makeHook({ form: "discord" });
    await makeVersion(world, owner, projectId, { changelog: "@everyone **look**" });
    await settle();
    const [message] = receiver.messages;
    expect(message!.headers["webhook-signature"]).toBeUndefined();
    expect(message!.json.allowed_mentions).toEqual({ parse: [] });
    expect(message!.json.embeds[0].description).toBe("\\@everyone \\*\\*look\\*\\*");
  });
});

describe("private addresses", () => {
  test("are not called if the operator does not allow it, even if the URL was stored before", async () => {
    const strict = await testApp();
    const [user, receiver] = [await strict.make.user(), await startReceiver()];
    const project = await makeProject(strict, user);
    const actor = strict.as.user(user);
    const path = `/api/project/${project.id}/webhooks`;
    const { body } = await actor.post(path, { url: "https://hooks.example.org/", events: eventTypes });
    const error = async (url: string) => {
      await strict.resources.db.updateTable("webhooks").set({ url }).execute();
      const ping = await actor.post(`/api/webhook/${body.webhook.id}/ping`);
      await strict.app.jobs.settle();
      return (await actor.get(`/api/webhook/${body.webhook.id}/deliveries/${ping.body.delivery.id}`)).body.error;
    };
    for (const url of [receiver.url, receiver.url.replace("http:", "https:"), "https://localhost:4443/"])
      expect(await error(url)).toMatch(/must (lead to the public internet|be a URL that starts with https)/);
    expect(await error("https://hooks.example.org/")).toContain("reserved");
    expect(receiver.messages).toEqual([]);
    await strict.stop();
  });
});

describe("pingWebhook and redeliverWebhook", () => {
  test("a test is sent once, even for a disabled webhook, and does not count as a failure", async () => {
    const { receiver, id, projectId, get, deliveries } = await makeHook({ enabled: false });
    receiver.answers = [answering(500)];
    for (const status of ["failed", "delivered"]) {
      const { body } = await author.post(`/api/webhook/${id}/ping`);
      expect(body.delivery).toMatchObject({ event: "ping", status: "pending", attempts: 0 });
      await settle();
      clock.advance(1);
      expect((await deliveries())[0]).toMatchObject({ id: body.delivery.id, status, attempts: 1 });
    }
    expect(receiver.of("ping").map(({ json }) => json.data.project.id)).toEqual([projectId, projectId]);
    expect(await get()).toMatchObject({ enabled: false, failures: 0, dateResumes: null });
  });

  test("a delivery is sent again under its old id, after any outcome, and reactivates the webhook when it arrives", async () => {
    const { receiver, id, edit, get, deliveries } = await makeHook();
    receiver.answers = [answering(500)];
    await edit();
    await edit();
    expect(receiver.messages).toHaveLength(1);
    const [first] = (await deliveries()).filter(({ attempts }) => attempts === 1);
    const again = () => author.post(`/api/webhook/${id}/deliveries/${first!.id}/redeliver`);
    expect((await again()).body.delivery).toMatchObject({ id: first!.id, messageId: first!.messageId });
    await settle();
    // The delivery that had been waiting was sent too.
    expect(receiver.messages).toHaveLength(3);
    expect(await get()).toMatchObject({ failures: 0, dateResumes: null });
    expect(await again()).toSucceed();
    await settle();
    const sent = receiver.messages.map(({ headers }) => headers["webhook-id"]);
    expect(sent.filter((each) => each === first!.messageId)).toHaveLength(3);
    expect((await deliveries()).map(({ status }) => status)).toEqual(["delivered", "delivered"]);
  });
});

test("the consumer needs as many statements for 20 events as for 2", async () => {
  const { projectId } = await makeHook();
  const cost = async (count: number) => {
    for (let n = 0; n < count; n++) await makeVersion(world, owner, projectId);
    const events = await db.selectFrom("events").select("id").orderBy("date_created", "desc").limit(count).execute();
    const changes = events.map(({ id }) => ({ seq: 1, kind: "event" as const, id }));
    return write(resources, {}, (tx) => countStatements(tx.db, () => webhooksConsumer.consume(tx, changes)));
  };
  const few = await cost(2);
  expect(await cost(20)).toBe(few);
  expect(few).toBeLessThan(9);
});
