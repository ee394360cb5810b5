// How much a parsed JSON value may hold. Looking ends where a bound is passed, so that it costs no more than the bound.

export interface JsonBounds {
  /** Of lists and objects inside of each other. */
  levels: number;
  /** Of all kinds, in all levels. */
  values: number;
}

/** Level by level, without recursion: a body of 256 KiB can have 131,072 levels. */
export function isWithin(value: unknown, { levels, values }: JsonBounds): boolean {
  let level = [value];
  let count = 1;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels || count > values) return false;
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== "object" || item === null) continue;
      const inside: unknown[] = Array.isArray(item) ? item : Object.values(item);
      count += inside.length;
      if (count > values) return false;
      for (const one of inside) next.push(one);
    }
    level = next;
  }
  return true;
}
