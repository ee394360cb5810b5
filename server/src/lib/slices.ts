// Runs long computations on the main thread in slices. A computation is a generator that yields often, with the number
// of steps done since; all together get one slice per turn of the event loop, so that requests are answered in between.
import { Queue } from "./queue.js";

/** A step takes up to a microsecond on a slow core, so that a slice blocks the event loop for about 10 ms. */
const stepsPerSlice = 10_000;
/** Further ones are rejected with Busy. */
const mostWaiting = 500;

const turns = new Queue(1, mostWaiting);

export async function inSlices<T>(work: Generator<number, T>): Promise<T> {
  for (;;) {
    const release = await turns.acquire();
    try {
      for (let steps = 0; steps < stepsPerSlice; ) {
        const step = work.next();
        if (step.done) return step.value;
        steps += step.value;
      }
    } finally {
      setImmediate(release);
    }
  }
}
