// Lists that are longer than the server accepts: split, requested a few at a time, and joined in their order.

/** The most that the server accepts in one request. */
export const maxIds = 100;
export const maxHashes = 1000;
const concurrent = 4;

/** Calls `ask` with each part of the list, without duplicates; the answers have the order of the parts. */
export async function inBatches<T, A>(list: Iterable<T>, size: number, ask: (part: T[]) => Promise<A>): Promise<A[]> {
  const all = [...new Set(list)];
  const parts = Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
  const answers: A[] = [];
  let next = 0;
  const work = async () => {
    while (next < parts.length) {
      const at = next++;
      answers[at] = await ask(parts[at]!).catch((error) => {
        // The other workers must not go on after a failure.
        next = parts.length;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrent, parts.length) }, work));
  return answers;
}

/** Objects of several answers, each once: an id and a slug of the same project may be in different parts. */
export function joinLists<T extends { id: string }>(lists: readonly T[][]): T[] {
  return [...new Map(lists.flat().map((one) => [one.id, one])).values()];
}

export const joinMaps = <V>(maps: readonly Record<string, V>[]): Record<string, V> => Object.assign({}, ...maps);
