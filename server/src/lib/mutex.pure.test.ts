import { describe, expect, test } from "vitest";
import { Busy, Semaphore } from "./mutex.js";

describe("a semaphore", () => {
  test("runs no more than its limit at once, and everything in the order it came", async () => {
    const semaphore = new Semaphore(2);
    const gates = Array.from({ length: 6 }, () => Promise.withResolvers<void>());
    const started: number[] = [];
    const done = gates.map((gate, number) =>
      semaphore.run(async () => {
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

  test("does not let a newcomer in beside the one whose turn it is", async () => {
    const semaphore = new Semaphore(1);
    let running = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++running);
      await settled();
      running--;
    };
    const first = semaphore.run(work);
    const second = semaphore.run(work);
    const third = first.then(() => semaphore.run(work));
    await Promise.all([first, second, third]);
    expect(most).toBe(1);
  });

  test("gives the place back when the work fails, at once or later", async () => {
    const semaphore = new Semaphore(1);
    const failNow = (): Promise<void> => {
      throw new Error("now");
    };
    await expect(semaphore.run(failNow)).rejects.toThrow("now");
    await expect(semaphore.run(() => Promise.reject(new Error("later")))).rejects.toThrow("later");
    expect(await semaphore.run(() => "fine")).toBe("fine");
  });

  test("turns away who still waits when his signal comes, and nobody else", async () => {
    const semaphore = new Semaphore(1);
    const patience = new AbortController();
    const release = await semaphore.acquire(patience.signal);
    const impatient = semaphore.acquire(patience.signal);
    const patient = semaphore.acquire();
    patience.abort();
    await expect(impatient).rejects.toThrow(Busy);
    await expect(semaphore.acquire(patience.signal)).rejects.toThrow(Busy);
    release();
    (await patient)();
    expect(await semaphore.run(() => "free")).toBe("free");
  });

  test("keeps a place that was given in the moment of the signal", async () => {
    const semaphore = new Semaphore(1);
    const patience = new AbortController();
    const release = await semaphore.acquire();
    const next = semaphore.acquire(patience.signal);
    release();
    patience.abort();
    (await next)();
    expect(await semaphore.run(() => "free")).toBe("free");
  });

  test("turns callers away when too many wait, and takes them again afterwards", async () => {
    const semaphore = new Semaphore(1, 2);
    const gate = Promise.withResolvers<void>();
    const inside = [
      semaphore.run(() => gate.promise),
      semaphore.run(() => gate.promise),
      semaphore.run(() => gate.promise),
    ];
    await expect(semaphore.run(() => "late")).rejects.toThrow(Busy);
    gate.resolve();
    await Promise.all(inside);
    expect(await semaphore.run(() => "later")).toBe("later");
  });

  test("counts a place that is given back twice only once", async () => {
    const semaphore = new Semaphore(1, 0);
    const release = await semaphore.acquire();
    release();
    release();
    await semaphore.acquire();
    await expect(semaphore.acquire()).rejects.toThrow(Busy);
  });
});

/** Until everything that can go on without outside help has done so. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
