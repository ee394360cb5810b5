// Receivers that fail: retries, pauses and giving up; and a server that crashes during a delivery.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { deleteExpired } from "#operations/background/housekeeping.js";
import { catchUp } from "#platform/changes/consumer.js";
import { write } from "#platform/changes/write.js";
import { answering, startReceiver } from "#test/setup/webhook-receiver.js";
import { webhookWorld } from "#test/worlds/webhook-world.js";
import { attempt } from "./attempts.js";
import { webhooksConsumer } from "./consumer.js";
import type { Delivery } from "./contract.js";
import { take } from "./deliveries.js";
import { deliverWebhook } from "./jobs.js";

const world = await webhookWorld();
const { resources, clock, owner, author, settle, later, makeHook } = world;
const { db } = resources;
const minute = 60_000;
const hour = 60 * minute;

beforeEach(() => settle());
afterEach(() => db.deleteFrom("webhooks").execute());

describe("a receiver that fails", () => {
  test("is tried again after growing pauses over a day, with the same id, until it answers", async () => {
    const { receiver, edit, get, deliveries } = await makeHook();
    receiver.answers = [500, 404, 302].map((status) => answering(status, {}, "no\0pe"));
    await edit();
    expect(await deliveries()).toMatchObject([
      {
        status: "pending",
        attempts: 1,
        responseStatus: 500,
        responseExcerpt: "no\uFFFDpe",
        error: "The receiver answered with 500",
      },
    ]);
    await later(4000);
    expect(receiver.messages).toHaveLength(1);
    await later(2000);
    expect(receiver.messages).toHaveLength(2);
    await later(6 * minute);
    expect(await deliveries()).toMatchObject([
      { attempts: 3, error: expect.stringContaining("redirects elsewhere (302)") },
    ]);
    expect(await get()).toMatchObject({ failures: 3, enabled: true, dateResumes: expect.any(String) });
    await later(34 * minute);
    expect(await deliveries()).toMatchObject([{ status: "delivered", attempts: 4, error: null, dateNext: null }]);
    expect(await get()).toMatchObject({ failures: 0, dateResumes: null });
    const sent = receiver.messages.map(({ headers, body }) => [headers["webhook-id"], body]);
    expect(new Set(sent.map(String)).size).toBe(1);
    // Each try has its own timestamp, so that receivers can reject old messages.
    expect(new Set(receiver.messages.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(4);
  });

  test("is given up after eight attempts", async () => {
    const { receiver, edit, deliveries } = await makeHook();
    receiver.answer = answering(500);
    await edit();
    for (let tries = 0; tries < 9; tries++) await later(12 * hour);
    expect(await deliveries()).toMatchObject([{ status: "failed", dateNext: null }]);
    expect(receiver.messages.length).toBeLessThanOrEqual(8);
  });

  test("pauses the whole webhook, and all messages are sent afterwards", async () => {
    const { receiver, edit, deliveries } = await makeHook();
    receiver.answers = [answering(500)];
    for (let n = 0; n < 5; n++) await edit();
    expect(receiver.messages).toHaveLength(1);
    await later(6000);
    expect(receiver.messages).toHaveLength(6);
    expect((await deliveries()).every(({ status }) => status === "delivered")).toBe(true);
  });

  test("for one message only does not delay the others", async () => {
    const { receiver, edit, deliveries } = await makeHook();
    const poison = Promise.withResolvers<string>();
    receiver.answer = async (response, { headers }) => {
      poison.resolve(String(headers["webhook-id"]));
      answering(String(headers["webhook-id"]) === (await poison.promise) ? 400 : 204)(response, undefined as never);
    };
    for (let n = 0; n < 3; n++) await edit();
    await later(6000);
    await later(6 * minute);
    const statuses = (await deliveries()).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual(["delivered", "delivered", "pending"]);
  });

  test("for days is switched off, and its owners are notified", async () => {
    const { receiver, id, projectId, edit, get, deliveries } = await makeHook();
    receiver.answer = answering(500);
    await db.updateTable("webhooks").set({ failures: 14 }).where("id", "=", id).execute();
    await edit();
    expect(await get()).toMatchObject({ enabled: false, disabledReason: "failing", failures: 15 });
    expect(await deliveries()).toMatchObject([{ status: "failed", error: "The webhook was switched off" }]);
    const notices = await db.selectFrom("notifications").selectAll().where("type", "=", "webhook_disabled").execute();
    const mine = notices.filter(({ body }) => body.includes(id));
    expect(mine.map(({ user_id, body }) => [user_id, JSON.parse(body)])).toEqual([
      [owner.id, { webhookId: id, projectId, reason: "failing", host: new URL(receiver.url).host }],
    ]);
    await edit();
    await later(24 * hour);
    expect(receiver.messages).toHaveLength(1);
    const audits = await db.selectFrom("audit_log").select("action").where("object_id", "=", id).execute();
    expect(audits.map(({ action }) => action)).toContain("webhook.disable");
  });

  test("and reports that it is gone is switched off immediately", async () => {
    const { receiver, edit, get } = await makeHook();
    receiver.answer = answering(410);
    await edit();
    expect(await get()).toMatchObject({ enabled: false, disabledReason: "gone" });
    await edit();
    expect(receiver.messages).toHaveLength(1);
  });

  test.each([429, 503])("and requests a pause with %i gets it, and the attempt does not count", async (status) => {
    const { receiver, edit, get, deliveries } = await makeHook();
    receiver.answers = [answering(status, { "retry-after": "60" })];
    await edit();
    expect(await deliveries()).toMatchObject([{ status: "pending", attempts: 0, responseStatus: status }]);
    expect(await get()).toMatchObject({ failures: 0 });
    await edit();
    await later(59_000);
    expect(receiver.messages).toHaveLength(1);
    await later(2000);
    expect(receiver.messages).toHaveLength(3);
  });

  test("is explained in the language of the page; errors of earlier releases are shown as they are", async () => {
    const { receiver, edit, deliveries, projectId } = await makeHook();
    receiver.answer = answering(500);
    await edit();
    const { slug } = await db
      .selectFrom("projects")
      .select("slug")
      .where("id", "=", projectId)
      .executeTakeFirstOrThrow();
    const headers = { accept: "text/html", "accept-language": "de" };
    const page = async () => (await author.get(`/project/${slug}/settings/publishing`, { headers })).text;
    expect(await page()).toContain("Der Empfänger antwortete mit 500");
    const [{ id }] = (await deliveries()) as [Delivery];
    await db.updateTable("webhook_deliveries").set({ error: '["It", "answered"]' }).where("id", "=", id).execute();
    expect(await deliveries()).toMatchObject([{ error: '["It", "answered"]' }]);
    expect(await page()).toContain("It&quot;, &quot;answered");
  });

  test("by redirecting to this machine is not followed", async () => {
    const inner = await startReceiver();
    const { receiver, edit, deliveries } = await makeHook();
    receiver.answer = answering(307, { location: inner.url });
    await edit();
    expect(inner.messages).toEqual([]);
    expect(await deliveries()).toMatchObject([
      { error: "The receiver redirects elsewhere (307), which is not followed" },
    ]);
  });

  test("by not responding delays no other webhook and no other job", async () => {
    const [dead, alive] = [await makeHook(), await makeHook()];
    const silent = Promise.withResolvers<void>();
    dead.receiver.answer = async (response) => {
      await silent.promise;
      response.end();
    };
    await author.patch(`/api/project/${dead.projectId}`, { summary: "To no one" });
    await catchUp(resources, webhooksConsumer);
    await expect.poll(() => dead.receiver.messages.length).toBe(1);
    // While that one waits, another webhook and the scheduled jobs run.
    await author.patch(`/api/project/${alive.projectId}`, { summary: "To somebody" });
    await catchUp(resources, webhooksConsumer);
    await expect.poll(() => alive.receiver.messages.length).toBe(1);
    const mail = { to: "a@example.com", notice: "passwordChanged", userName: "a" } as const;
    await write(resources, {}, async (tx) => tx.enqueue("mail-notice", mail));
    const waiting = () => db.selectFrom("jobs").select("id").where("kind", "=", "mail-notice").execute();
    await expect.poll(waiting).toEqual([]);
    silent.resolve();
    await settle();
    expect(await dead.deliveries()).toMatchObject([{ status: "delivered" }]);
  });
});

describe("a server that crashes", () => {
  test("between a delivery and its record sends the message again, with the same id", async () => {
    const dying = await webhookWorld();
    const hook = await dying.makeHook();
    const sent = () => hook.receiver.messages.map(({ headers }) => headers["webhook-id"]);
    // From here on the test runs the jobs.
    await dying.app.jobs.stop();
    await hook.happens();
    const taken = await write(dying.resources, {}, (tx) => take(tx, hook.id, undefined));
    expect(await attempt(dying.resources, taken!.webhook, taken!.delivery)).toMatchObject({ kind: "delivered" });
    const next = () => deliverWebhook(dying.resources, { webhookId: hook.id });
    // The first worker has crashed; the next one waits until the lease has expired.
    await next();
    expect(sent()).toHaveLength(1);
    dying.clock.advance(30_000);
    await next();
    expect(sent()).toEqual([sent()[0], sent()[0]]);
    await next();
    expect(sent()).toHaveLength(2);
    expect(await hook.deliveries()).toMatchObject([{ status: "delivered", attempts: 1 }]);
    await dying.stop();
  });
});

describe("retention", () => {
  test("webhooks exist as long as their owner, and until its deletion was sent", async () => {
    const { receiver, id, projectId } = await makeHook();
    const left = () => db.selectFrom("webhooks").select("id").execute();
    receiver.answers = [answering(500)];
    await author.delete(`/api/project/${projectId}`);
    await settle();
    await deleteExpired(resources);
    expect(await left()).toEqual([{ id }]);
    await later(6000);
    expect(receiver.of("project.deleted")).toHaveLength(2);
    await deleteExpired(resources);
    expect(await left()).toEqual([]);
  });

  test("are 200 deliveries, for 30 days", async () => {
    const { id, edit } = await makeHook();
    await edit();
    const mine = () => db.selectFrom("webhook_deliveries").selectAll().where("webhook_id", "=", id).execute();
    const [row] = await mine();
    const copies = Array.from({ length: 250 }, (_, n) => ({
      ...{ ...row!, id: `copy-${n}`, message_id: `msg-${n}`, date_created: clock.now() - 250 + n },
    }));
    await db.insertInto("webhook_deliveries").values(copies).execute();
    clock.advance(1000);
    await edit();
    expect(await mine()).toHaveLength(200);
    clock.advance(29 * 24 * hour);
    await deleteExpired(resources);
    expect(await mine()).toHaveLength(200);
    clock.advance(2 * 24 * hour);
    await deleteExpired(resources);
    expect(await mine()).toEqual([]);
  });
});
