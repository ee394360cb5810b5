import { describe, expect, test } from "vitest";
import { Busy } from "#lib/queue.js";
import { Locks } from "./locks.js";
import { WriteTurn } from "./write-turn.js";

/** Workers that share a turn, as through the primary process. */
function createWorkers(count: number) {
  const messages: string[] = [];
  const locks = new Locks<number>((holder) => {
    messages.push(`wanted ${holder}`);
    setImmediate(() => turns[holder]!.wanted());
  });
  const turns: WriteTurn[] = Array.from(
    { length: count },
    (_, owner) =>
      new WriteTurn({
        lock: async () => {
          messages.push(`lock ${owner}`);
          await locks.acquire(owner, "write");
        },
        unlock: () => {
          messages.push(`unlock ${owner}`);
          locks.release(owner, "write");
        },
      }),
  );
  return { turns, messages };
}

const forever = new AbortController().signal;

describe("the turn to write", () => {
  test("stays with a worker until another one wants it", async () => {
    const { turns, messages } = createWorkers(2);
    const [a, b] = turns as [WriteTurn, WriteTurn];
    for (let times = 0; times < 3; times++) {
      await a.take(forever);
      a.done();
    }
    expect(messages).toEqual(["lock 0"]);
    await b.take(forever);
    b.done();
    expect(messages).toEqual(["lock 0", "lock 1", "wanted 0", "unlock 0"]);
  });

  test("goes round if all workers write without a pause, and only one has it at a time", async () => {
    const { turns } = createWorkers(3);
    const order: number[] = [];
    let writing = 0;
    await Promise.all(
      turns.map(async (turn, owner) => {
        for (let times = 0; times < 20; times++) {
          await turn.take(forever);
          expect(++writing).toBe(1);
          await new Promise((resolve) => setImmediate(resolve));
          order.push(owner);
          writing--;
          turn.done();
        }
      }),
    );
    const longest = Math.max(...order.map((_, at) => order.slice(at).findIndex((owner) => owner !== order[at])));
    expect(order.length).toBe(60);
    expect(longest).toBeLessThanOrEqual(3);
  });

  test("that comes too late is passed on", async () => {
    const { turns } = createWorkers(2);
    const [a, b] = turns as [WriteTurn, WriteTurn];
    await a.take(forever);
    const patience = new AbortController();
    const taking = b.take(patience.signal);
    patience.abort();
    await expect(taking).rejects.toThrow(Busy);
    a.done();
    // The turn is on its way to b, which does not need it any more.
    await a.take(forever);
    a.done();
    await b.take(forever);
  });
});
