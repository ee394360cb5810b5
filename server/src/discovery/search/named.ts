// Finds users, organizations and public collections by the beginnings of the words in their names, from indexes in memory
// that are brought up to date before each use. They contain only what every caller may see; suspended users, whom only
// staff may find, have an index of their own.
import { setImmediate as nextTurn } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import type { Change } from "#platform/changes/change-log.js";
import { perServer } from "#platform/changes/server-memory.js";
import { inList } from "#platform/db/dialect.js";
import { placeholderId } from "#platform/db/placeholder.js";
import type { Db } from "#platform/db/tables.js";
import type { Resources } from "#platform/http/resources.js";
import { type NamedEntry, NamedIndex } from "./named-index.js";

export const namedKinds = ["users", "organizations", "collections"] as const;
export type NamedKind = (typeof namedKinds)[number];

/** Shorter texts would match nearly every name. */
const leastLetters = 2;
/** Rows that are read together: other requests are answered in between. */
const batchSize = 1000;

/** Undefined if the text is too short. */
export function toNamedText(text: string): string | undefined {
  const plain = text.trim().toLowerCase();
  return [...plain].length < leastLetters ? undefined : plain;
}

interface Source {
  change: Change["kind"];
  /** Only rows that every caller may see. Shorter names come first; collections that were updated last come first. */
  select: RawBuilder<NamedEntry>;
}

const selectUsers = sql`select id, user_name as name, name as alias, length(user_name) as "order" from users
  where id <> ${placeholderId}`;

const sources: Record<NamedKind | "suspended", Source> = {
  users: { change: "user", select: sql`${selectUsers} and date_suspended is null` },
  suspended: { change: "user", select: sql`${selectUsers} and date_suspended is not null` },
  organizations: {
    change: "organization",
    select: sql`select id, name, slug as alias, length(name) as "order" from organizations where 1 = 1`,
  },
  collections: {
    change: "collection",
    select: sql`select id, name, null as alias, ${2 ** 43} - date_updated as "order" from collections
      where visibility = 'public'`,
  },
};

class LiveNamed {
  readonly #resources: Resources;
  readonly #source: Source;
  /** The ids of rows that have changed since they were read. */
  readonly #changed = new Set<string>();
  #index: NamedIndex | undefined;
  /** Reads follow each other, so that later rows are not replaced by earlier ones. */
  #reading: Promise<void> | undefined;

  constructor(resources: Resources, source: Source) {
    this.#resources = resources;
    this.#source = source;
    resources.changeLog.subscribe(({ kind, id }) => {
      if (kind === source.change) this.#changed.add(id);
    });
  }

  get bytes(): number {
    return this.#index?.bytes ?? 0;
  }

  /** With all changes that this server has made or read. */
  async current(): Promise<NamedIndex> {
    // Without the change log there is no way to learn of changes.
    if (!this.#resources.changeLog.isFollowing) return this.#load();
    // A read that is running may have started before the last change.
    await this.#reading?.catch(() => undefined);
    if (!this.#index || this.#changed.size > 0)
      this.#reading ??= this.#bringUp().finally(() => {
        this.#reading = undefined;
      });
    // A concurrent caller may have started it.
    await this.#reading;
    return this.#index!;
  }

  async #bringUp(): Promise<void> {
    const ids = [...this.#changed];
    this.#changed.clear();
    try {
      if (!this.#index || this.#index.isMostlyDead) this.#index = await this.#load();
      else await this.#refresh(this.#index, ids);
    } catch (error) {
      for (const id of ids) this.#changed.add(id);
      throw error;
    }
  }

  async #load(): Promise<NamedIndex> {
    const index = new NamedIndex();
    for (let last = ""; ; ) {
      const { rows } = await sql<NamedEntry>`${this.#source.select} and id > ${last}
        order by id limit ${batchSize}`.execute(this.#resources.db);
      for (const row of rows) index.put(row);
      if (rows.length < batchSize) {
        index.pack();
        return index;
      }
      last = rows.at(-1)!.id;
      await nextTurn();
    }
  }

  async #refresh(index: NamedIndex, ids: readonly string[]): Promise<void> {
    for (let start = 0; start < ids.length; start += batchSize) {
      const some = ids.slice(start, start + batchSize);
      const rows = await readRows(this.#resources.db, this.#source, some);
      for (const id of some) index.remove(id);
      for (const row of rows) index.put(row);
    }
  }
}

async function readRows(db: Db, { select }: Source, ids: readonly string[]): Promise<NamedEntry[]> {
  const { rows } = await sql<NamedEntry>`${select} and ${inList(db, sql.ref("id"), ids)}`.execute(db);
  return rows;
}

export const namedOf = perServer(
  (resources: Resources): Record<NamedKind | "suspended", LiveNamed> => ({
    users: new LiveNamed(resources, sources.users),
    suspended: new LiveNamed(resources, sources.suspended),
    organizations: new LiveNamed(resources, sources.organizations),
    collections: new LiveNamed(resources, sources.collections),
  }),
);

/** Loads the indexes if they are not loaded yet. */
export async function prepareNamed(resources: Resources): Promise<void> {
  for (const kind of namedKinds) await namedOf(resources)[kind].current();
}

export async function countNamed(resources: Resources, text: string): Promise<Record<NamedKind, number>> {
  const count = async (kind: NamedKind) => (await namedOf(resources)[kind].current()).count(text);
  return {
    users: await count("users"),
    organizations: await count("organizations"),
    collections: await count("collections"),
  };
}

export async function listNamedIds(
  resources: Resources,
  kind: NamedKind,
  text: string,
  page: { limit: number; offset: number },
): Promise<string[]> {
  return (await namedOf(resources)[kind].current()).list(text, page);
}

/** All users with such a name, suspended ones too. Only for staff. */
export async function listAllUserIds(resources: Resources, text: string): Promise<string[]> {
  const { users, suspended } = namedOf(resources);
  const all = { limit: Number.MAX_SAFE_INTEGER, offset: 0 };
  return [...(await users.current()).list(text, all), ...(await suspended.current()).list(text, all)];
}
