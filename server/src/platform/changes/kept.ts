// A value derived from rows that is read often and changes rarely: loaded at first use, dropped when the change log
// names its kind. Every node and process so follows every other one's writes.
import type { Kysely } from "kysely";
import type { Tables } from "#platform/db/tables.js";
import type { ChangeKind, ChangeLog } from "./change-log.js";

interface Source {
  db: Kysely<Tables>;
  changeLog: ChangeLog;
}

export function kept<T>(kind: ChangeKind, load: (db: Kysely<Tables>) => Promise<T>): (from: Source) => Promise<T> {
  // By change log: each server in a process (tests run several) keeps its own.
  const values = new WeakMap<ChangeLog, { value: Promise<T> | undefined }>();
  return ({ db, changeLog }) => {
    if (!changeLog.isFollowing) return load(db);
    let slot = values.get(changeLog);
    if (!slot) {
      const created: { value: Promise<T> | undefined } = { value: undefined };
      slot = created;
      values.set(changeLog, created);
      changeLog.subscribe((change) => {
        if (change.kind === kind) created.value = undefined;
      });
    }
    if (slot.value) return slot.value;
    const current = slot;
    const value = load(db);
    current.value = value;
    value.catch(() => {
      // A failure is not kept; the next caller tries again.
      if (current.value === value) current.value = undefined;
    });
    return value;
  };
}
