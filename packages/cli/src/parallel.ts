// Works through a list, a few at a time.

/** So many downloads at once. */
export const atOnce = 8;

/**
 * The results have the order of the list. After a failure nothing further is begun, and what runs is waited for. Work that
 * calls `leave` makes room for the next while it ends, so that the network does not wait for the disk.
 */
export async function inParallel<T, R>(
  list: readonly T[],
  count: number,
  work: (one: T, leave: () => void) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const failures: unknown[] = [];
  const running = new Set<Promise<void>>();
  let next = 0;
  const go = async () => {
    while (next < list.length && failures.length === 0) {
      const at = next++;
      await new Promise<void>((leave) => {
        const run = async () => {
          results[at] = await work(list[at]!, leave);
        };
        const ended: Promise<void> = run()
          .catch((error) => void failures.push(error))
          .then(() => void running.delete(ended))
          .then(leave);
        running.add(ended);
      });
      // A slow disk must not have to open more and more files.
      if (running.size >= 2 * count) await Promise.race(running);
    }
  };
  await Promise.all(Array.from({ length: Math.min(count, list.length) }, go));
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
  return results;
}
