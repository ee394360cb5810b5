// Limits the size of a parsed JSON value. The check stops as soon as a bound is exceeded, so it costs no more than
// that.

export interface JsonBounds {
  /** How deep lists and objects are nested. */
  levels: number;
  /** How many values there are on all levels together. */
  values: number;
}

/** Goes level by level, without recursion: a body of 256 KiB can have 131,072 levels. */
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
