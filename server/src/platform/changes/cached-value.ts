// A cached value derived from rows that are read often and change rarely: loaded at first use, invalidated when the
// change log names its kind, so that every node sees the writes of all others.
import type { Kysely } from "kysely";
import type { Tables } from "#platform/db/tables.js";
import type { CacheName } from "./cache.js";
import type { ChangeKind, ChangeLog } from "./change-log.js";
import { type HasMemory, perServer } from "./server-memory.js";

interface Source extends HasMemory {
  db: Kysely<Tables>;
  changeLog: ChangeLog;
}

interface Loaded<T> {
  value: T;
  bytes: number;
}

/** Larger values are loaded at each use. */
const mostBytes = 16 * 1024 * 1024;

export interface CachedValue<T> {
  (from: Source): Promise<T>;
  /** The value if it is in memory and current. */
  peek(from: Source): T | undefined;
}

/** `load` also returns the approximate memory that the value takes. */
export function cachedValue<T>(
  name: CacheName,
  kind: ChangeKind,
  load: (db: Kysely<Tables>) => Promise<Loaded<T>>,
): CachedValue<T> {
  const cacheOf = perServer(({ changeLog, memory }: Source) => {
    let edition = 0;
    changeLog.subscribe((change) => {
      if (change.kind === kind) edition++;
    });
    return memory.createCache<Loaded<T>>({ name, bytes: mostBytes * 4, edition: () => edition });
  });
  const get = async (from: Source): Promise<T> => {
    const { value } = await cacheOf(from).load(
      "",
      () => load(from.db),
      ({ bytes }) => bytes,
    );
    return value;
  };
  return Object.assign(get, { peek: (from: Source) => cacheOf(from).get("")?.value });
}
