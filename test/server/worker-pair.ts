// Two servers in this process that behave as the workers of one server: they have the real connection to a primary process,
// only that its messages do not leave the process.

import type { WorkerCalls } from "#platform/workers/calls.js";
import { Channel, type Port } from "#platform/workers/channel.js";
import { WorkerLink } from "#platform/workers/link.js";
import { type Member, Switchboard } from "#platform/workers/switchboard.js";
import { type TestApp, type TestOptions, testApp } from "./harness.js";

/** Two ends of a connection. Messages are copied and arrive later, in their order. */
function connectPorts(): [Port, Port] {
  const listeners: ((message: unknown) => void)[][] = [[], []];
  const end = (own: number): Port => ({
    send(message) {
      const copy = structuredClone(message);
      setImmediate(() => {
        for (const listener of listeners[1 - own]!) listener(copy);
      });
    },
    on: (_event, listener) => listeners[own]!.push(listener),
  });
  return [end(0), end(1)];
}

export interface TestWorker extends TestApp {
  /** Ends it; the others learn that it has ended. */
  end(): Promise<void>;
}

export class WorkerPair {
  readonly #switchboard = new Switchboard(async () => "");

  async start(number: 1 | 2, options: TestOptions = {}): Promise<TestWorker> {
    const [primary, own] = connectPorts();
    const channel = new Channel<WorkerCalls>(primary);
    const member: Member = { number, pid: undefined, channel, kill: () => {} };
    this.#switchboard.connect(member, {
      begin: async () => ({ number, count: 2, settings: undefined, isDemo: false }),
      ready: () => {},
      failed: () => {},
    });
    const link = await WorkerLink.open(own, () => {});
    const app = await testApp({ ...options, link });
    const end = async () => {
      await app.stop();
      this.#switchboard.disconnect(member);
    };
    return { ...app, end };
  }
}
