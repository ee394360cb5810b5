// Long computations on the main thread, in slices: a computation is a generator that yields often, and all of them
// together get one slice in each turn of the event loop, so that requests are answered in between.
import { Semaphore } from "./mutex.js";

/** How long a slice holds the event loop. */
const sliceMs = 10;
/** One more is rejected with Busy. */
const mostWaiting = 500;

const turns = new Semaphore(1, mostWaiting);

export async function inSlices<T>(work: Generator<void, T>): Promise<T> {
  for (;;) {
    const release = await turns.acquire();
    try {
      const end = performance.now() + sliceMs;
      do {
        const step = work.next();
        if (step.done) return step.value;
      } while (performance.now() < end);
    } finally {
      setImmediate(release);
    }
  }
}
