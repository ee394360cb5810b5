// Which referring hosts of a project and day are stored when there is no room for all (the space-saving algorithm): a new
// host takes the place of the rarest one, and its rank starts at the rank of that host. So a host that has more than its
// share of the views is always stored, whenever it appears and however many rare hosts come between. Counts stay exact: those of
// a displaced host are added to the others.

export interface StoredHost {
  host: string;
  count: number;
  /** At most so many views of the host were counted among the others before it was stored. */
  missed: number;
}

export interface Displacement {
  /** Hosts that lose their place. */
  displaced: readonly StoredHost[];
  added: readonly StoredHost[];
  /** Views to add to the others. */
  others: number;
}

const rank = ({ count, missed }: StoredHost): number => count + missed;

/** `rarest`: as many of the stored hosts as there are new ones, those with the lowest ranks. */
export function displace(
  rarest: readonly StoredHost[],
  fresh: readonly Pick<StoredHost, "host" | "count">[],
): Displacement {
  const places = rarest.map((held) => ({ held, isNew: false }));
  const displaced: StoredHost[] = [];
  let others = 0;
  for (const { host, count } of fresh.toSorted((a, b) => a.count - b.count)) {
    const lowest = places.reduce<(typeof places)[number] | undefined>(
      (low, each) => (low && rank(low.held) <= rank(each.held) ? low : each),
      undefined,
    );
    if (!lowest) {
      others += count;
      continue;
    }
    others += lowest.held.count;
    if (!lowest.isNew) displaced.push(lowest.held);
    lowest.held = { host, count, missed: rank(lowest.held) };
    lowest.isNew = true;
  }
  return { displaced, others, added: places.filter(({ isNew }) => isNew).map(({ held }) => held) };
}
