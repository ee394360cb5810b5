// Works through a list, a few at a time.

/** So many downloads at once. */
export const atOnce = 8;

/** The results have the order of the list. After a failure nothing further is begun, and what runs is waited for. */
export async function inParallel<T, R>(list: readonly T[], count: number, work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const failures: unknown[] = [];
  const go = async () => {
    while (next < list.length && failures.length === 0) {
      const at = next++;
      try {
        results[at] = await work(list[at]!);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(count, list.length) }, go));
  if (failures.length > 0) throw failures[0];
  return results;
}
