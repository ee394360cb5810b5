// A batch of counted rows in parts, so that other requests are answered in between.

/** Rows per statement. */
const rowsAtOnce = 300;

/** Calls `work` with some of the rows after the others, and collects its results. */
export async function inParts<T, R>(
  rows: readonly T[],
  work: (part: readonly T[]) => Promise<readonly R[]>,
): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < rows.length; start += rowsAtOnce)
    results.push(...(await work(rows.slice(start, start + rowsAtOnce))));
  return results;
}

/** All nodes take rows in this order, so that they never wait for each other in a circle. */
export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
