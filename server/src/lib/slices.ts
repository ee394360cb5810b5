// Long computations on the main thread, in slices. A computation is a generator that yields often and says how much it has
// done since; all of them together get one slice in each turn of the event loop, so that requests are answered in between.
import { Queue } from "./queue.js";

/** A step is up to a microsecond of a slow core, so that a slice holds the event loop for some 10 ms. */
const stepsPerSlice = 10_000;
/** One more is rejected with Busy. */
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
