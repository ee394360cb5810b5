// A server whose webhooks may call loopback, with projects, webhooks and receivers for tests of deliveries.
import { expect } from "vitest";
import { webhooksConsumer } from "#integrations/webhooks/consumer.js";
import type { Delivery, Webhook } from "#integrations/webhooks/contract.js";
import { eventTypes } from "#integrations/webhooks/event-types.js";
import { catchUp } from "#platform/changes/consumer.js";
import type { Actor, TestUser } from "#test/callers/actors.js";
import { type TestApp, testApp, uniqueName } from "#test/server/harness.js";
import { type Receiver, startReceiver } from "#test/setup/webhook-receiver.js";
import { makeProject } from "#test/worlds/content.js";

export const webhookSettings = { MODSHELF_WEBHOOK_ALLOW_PRIVATE: "on" };

export interface Hook {
  receiver: Receiver;
  projectId: string;
  id: string;
  secret: string;
  /** Causes an event of the project. */
  happens(): Promise<void>;
  /** The same, and sends due deliveries. */
  edit(): Promise<void>;
  get(): Promise<Webhook>;
  /** Newest first. */
  deliveries(): Promise<Delivery[]>;
}

export interface WebhookWorld extends TestApp {
  owner: TestUser;
  author: Actor;
  /** Creates deliveries from events, and tries the due ones. */
  settle(): Promise<void>;
  /** The same after some time. */
  later(ms: number): Promise<void>;
  /** A project with a webhook for all events, and its receiver. */
  makeHook(input?: object): Promise<Hook>;
}

export async function webhookWorld(): Promise<WebhookWorld> {
  const world = await testApp({ settings: webhookSettings });
  const owner = await world.make.user();
  const author = world.as.user(owner);
  // Pauses must be exact.
  world.clock.freeze();

  /** Due deliveries of webhooks that are not paused. */
  const listDue = () =>
    world.resources.db
      .selectFrom("webhook_deliveries as delivery")
      .innerJoin("webhooks", "webhooks.id", "delivery.webhook_id")
      .select("delivery.id")
      .where("delivery.status", "=", "pending")
      .where("delivery.date_next", "<=", world.clock.now())
      .where("webhooks.enabled", "=", 1)
      .where((or) => or.or([or("date_resume", "is", null), or("date_resume", "<=", world.clock.now())]))
      .execute();
  const settle = async () => {
    await catchUp(world.resources, webhooksConsumer);
    await world.app.jobs.settle();
    // If two jobs met at one webhook, one of them runs again a second later.
    for (let rounds = 0; (await listDue()).length > 0; rounds++) {
      if (rounds === 30) throw new Error("Due deliveries are not sent");
      world.clock.advance(1000);
      await world.app.jobs.settle();
    }
  };
  const later = async (ms: number) => {
    world.clock.advance(ms);
    await settle();
  };
  const makeHook = async (input: object = {}): Promise<Hook> => {
    const [receiver, project] = [await startReceiver(), await makeProject(world, owner)];
    const added = await author.post(`/api/project/${project.id}/webhooks`, {
      ...{ url: receiver.url, events: eventTypes },
      ...input,
    });
    expect(added).toSucceed();
    const { webhook, secret } = added.body;
    const happens = async () => {
      expect(await author.patch(`/api/project/${project.id}`, { summary: uniqueName("words") })).toSucceed();
      await catchUp(world.resources, webhooksConsumer);
    };
    return {
      ...{ receiver, projectId: project.id, id: webhook.id, secret },
      happens,
      edit: async () => {
        await happens();
        await settle();
      },
      get: async () => (await author.get(`/api/webhook/${webhook.id}`)).body,
      deliveries: async () => (await author.get(`/api/webhook/${webhook.id}/deliveries?limit=100`)).body.deliveries,
    };
  };
  return { ...world, owner, author, settle, later, makeHook };
}
