// Filters of any form: values and figures that a project must have, joined by "all", "any" and "not".
import type { Environment } from "#platform/db/tables.js";
import type { Bits } from "./bits.js";
import type { Figures } from "./entry.js";
import { type Side, sideValue } from "./facets.js";
import type { SearchIndex } from "./search-index.js";
import type { SlotSet } from "./slot-set.js";

export type Comparison = "=" | "!=" | ">" | ">=" | "<" | "<=";

export type Condition =
  | { all: readonly Condition[] }
  | { any: readonly Condition[] }
  | { not: Condition }
  | { type: string }
  | { category: string }
  | { license: string }
  | { openSource: boolean }
  | { side: Side; is: Environment }
  /** A version for one of the loaders and one of the game versions; all of them if none is named. */
  | { loaders: readonly string[]; gameVersions: readonly string[] }
  | { ids: readonly string[] }
  | { figure: keyof Figures; comparison: Comparison; value: number };

/** The projects that meet it. Each part needs one set of the query, so callers must limit their number. */
export function findMeeting(searchIndex: SearchIndex, condition: Condition): Bits {
  const { bits: room, live } = searchIndex;
  if ("all" in condition) {
    const found = room.copy(live);
    for (const part of condition.all) found.and(findMeeting(searchIndex, part));
    return found;
  }
  if ("not" in condition) return room.copy(live).andNot(findMeeting(searchIndex, condition.not));
  const found = room.take();
  if ("any" in condition) for (const part of condition.any) found.or(findMeeting(searchIndex, part));
  else if ("figure" in condition) addCompared(searchIndex, condition, found);
  else if ("ids" in condition) {
    for (const id of condition.ids) {
      const slot = searchIndex.findSlot(id);
      if (slot !== undefined) found.add(slot);
    }
  } else addNamed(searchIndex, condition, found);
  return found;
}

type Named = Exclude<Condition, { all: unknown } | { any: unknown } | { not: unknown } | { ids: unknown } | Figure>;
type Figure = Extract<Condition, { figure: unknown }>;

function addNamed(searchIndex: SearchIndex, condition: Named, found: Bits): void {
  const { facets, bits: room, live } = searchIndex;
  let set: SlotSet | Bits | undefined;
  if ("type" in condition) set = facets.types.get(condition.type);
  else if ("category" in condition) set = facets.categories.get(condition.category);
  else if ("license" in condition) set = facets.licenses.get(condition.license);
  else if ("side" in condition) set = facets.environments.get(sideValue(condition.side, condition.is));
  else if ("openSource" in condition) {
    if (condition.openSource) set = facets.withSource;
    else {
      found.or(live);
      facets.withSource.removeFrom(found);
    }
  } else set = facets.fitting(room, { ...condition, isAnyLoader: true });
  set?.orInto(found);
}

const holds: Record<Comparison, (figure: number, value: number) => boolean> = {
  "=": (figure, value) => figure === value,
  "!=": (figure, value) => figure !== value,
  ">": (figure, value) => figure > value,
  ">=": (figure, value) => figure >= value,
  "<": (figure, value) => figure < value,
  "<=": (figure, value) => figure <= value,
};

/** Looks at every project, which takes about a millisecond for a hundred thousand of them. */
function addCompared({ orders, live }: SearchIndex, { figure, comparison, value }: Figure, found: Bits): void {
  const isMet = holds[comparison];
  for (const slot of live.list()) if (isMet(orders.figureOf(slot, figure), value)) found.add(slot);
}
