import { describe, expect, test } from "vitest";
import { Busy, Queue, QueueByKey } from "./queue.js";

describe("a queue", () => {
  test("runs at most its limit at once, in the order of arrival", async () => {
    const queue = new Queue(2);
    const gates = Array.from({ length: 6 }, () => Promise.withResolvers<void>());
    const started: number[] = [];
    const done = gates.map((gate, number) =>
      queue.run(async () => {
        started.push(number);
        await gate.promise;
        return number;
      }),
    );
    await settled();
    expect(started).toEqual([0, 1]);
    gates[1]!.resolve();
    await settled();
    expect(started).toEqual([0, 1, 2]);
    for (const gate of gates) gate.resolve();
    expect(await Promise.all(done)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(started).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test("never lets a new caller in before the waiting one whose turn it is", async () => {
    const queue = new Queue(1);
    let running = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++running);
      await settled();
      running--;
    };
    const first = queue.run(work);
    const second = queue.run(work);
    const third = first.then(() => queue.run(work));
    await Promise.all([first, second, third]);
    expect(most).toBe(1);
  });

  test("frees the place when the work fails, synchronously or later", async () => {
    const queue = new Queue(1);
    const failNow = (): Promise<void> => {
      throw new Error("now");
    };
    await expect(queue.run(failNow)).rejects.toThrow("now");
    await expect(queue.run(() => Promise.reject(new Error("later")))).rejects.toThrow("later");
    expect(await queue.run(() => "fine")).toBe("fine");
  });

  test("refuses only the waiting caller whose signal is aborted", async () => {
    const queue = new Queue(1);
    const patience = new AbortController();
    const release = await queue.acquire(patience.signal);
    const impatient = queue.acquire(patience.signal);
    const patient = queue.acquire();
    patience.abort();
    await expect(impatient).rejects.toThrow(Busy);
    await expect(queue.acquire(patience.signal)).rejects.toThrow(Busy);
    release();
    (await patient)();
    expect(await queue.run(() => "free")).toBe("free");
  });

  test("keeps a place that was given at the moment of the abort", async () => {
    const queue = new Queue(1);
    const patience = new AbortController();
    const release = await queue.acquire();
    const next = queue.acquire(patience.signal);
    release();
    patience.abort();
    (await next)();
    expect(await queue.run(() => "free")).toBe("free");
  });

  test("refuses callers while too many wait, and accepts them again afterwards", async () => {
    const queue = new Queue(1, 2);
    const gate = Promise.withResolvers<void>();
    const inside = [queue.run(() => gate.promise), queue.run(() => gate.promise), queue.run(() => gate.promise)];
    await expect(queue.run(() => "late")).rejects.toThrow(Busy);
    gate.resolve();
    await Promise.all(inside);
    expect(await queue.run(() => "later")).toBe("later");
  });

  test("counts a place that is released twice only once", async () => {
    const queue = new Queue(1, 0);
    const release = await queue.acquire();
    release();
    release();
    await queue.acquire();
    await expect(queue.acquire()).rejects.toThrow(Busy);
  });
});

describe("the length of a queue", () => {
  test("is reported, and so is the moment when it is empty", async () => {
    const queue = new Queue(1, 1);
    const gate = Promise.withResolvers<void>();
    const work = [queue.run(() => gate.promise), queue.run(() => gate.promise)];
    let isIdle = false;
    const idle = queue.idle().then(() => {
      isIdle = true;
    });
    await settled();
    expect([queue.length, queue.isFull, isIdle]).toEqual([2, true, false]);
    gate.resolve();
    await Promise.all([...work, idle]);
    expect([queue.length, queue.isFull, isIdle]).toEqual([0, false, true]);
    await queue.idle();
  });

  test("has a place at once or none for tryAcquire", () => {
    const queue = new Queue(1);
    const release = queue.tryAcquire();
    expect(queue.tryAcquire()).toBeUndefined();
    release?.();
    expect(queue.tryAcquire()).toBeDefined();
  });
});

describe("a queue by key", () => {
  test("runs one caller at a time for each key, in order, also after a failure", async () => {
    const queues = new QueueByKey();
    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    const first = queues.run("a", async () => {
      await gate.promise;
      order.push("a1");
      throw new Error("failed");
    });
    const second = queues.run("a", () => order.push("a2"));
    await queues.run("b", () => order.push("b"));
    gate.resolve();
    await expect(first).rejects.toThrow("failed");
    await second;
    expect(order).toEqual(["b", "a1", "a2"]);
  });

  test("counts the places of each key separately", () => {
    const queues = new QueueByKey(2);
    const release = queues.tryAcquire("a");
    expect([queues.tryAcquire("a"), queues.tryAcquire("a"), queues.tryAcquire("b")]).toEqual([
      expect.any(Function),
      undefined,
      expect.any(Function),
    ]);
    release?.();
    expect(queues.tryAcquire("a")).toBeDefined();
  });
});

/** Waits until all pending promises that need no outside event have settled. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
