// Changes of download figures, which are not changes of a project: counting rewrites numbers and makes nothing else
// stale. A flush of a download counter announces all its new totals at once, in one row that every node reads after the
// commit, in the order of the change log. Edits of projects, and everything else that answers show, are announced as
// changes of kind "project" instead; receivers read the figures again then.
import { setImmediate as nextTurn } from "node:timers/promises";
import { fromJson, type Json, toJson } from "#lib/json.js";
import { perServer } from "#platform/changes/server-memory.js";
import type { Tx } from "#platform/changes/write.js";
import type { Resources } from "#platform/http/resources.js";

/** The new totals of a project and of those of its versions that were downloaded. They are absolute, not differences. */
export interface FiguresChange {
  projectId: string;
  downloads: number;
  versions: { versionId: string; downloads: number }[];
}

export interface FiguresListener {
  figuresChanged(changes: readonly FiguresChange[]): void;
  /** Some changes could not be read, for example because this node was cut off for too long: read all figures again. */
  figuresLost(): void;
}

/** Nodes that are further behind get figuresLost. */
const keptMs = 10 * 60_000;
/** A flush in busy times names thousands of projects, and each takes up to 0.1 ms: requests are answered in between. */
const projectsAtOnce = 50;

export class Figures {
  readonly #resources: Resources;
  readonly #listeners = new Set<FiguresListener>();
  #reading: Promise<void> = Promise.resolve();
  /** For each change that is being read, the projects that have changed since: what it says of them is outdated. */
  readonly #outdated = new Set<Set<string>>();

  constructor(resources: Resources) {
    this.#resources = resources;
    resources.changeLog.subscribe(({ kind, id }) => {
      if (kind === "project") for (const projects of this.#outdated) projects.add(id);
      if (kind !== "figures") return;
      const outdated = new Set<string>();
      this.#outdated.add(outdated);
      this.#reading = this.#reading.then(() => this.#read(Number(id), outdated));
    });
  }

  subscribe(listener: FiguresListener): void {
    this.#listeners.add(listener);
  }

  /** Resolves when the listeners have got all changes that this server had heard of before the call. */
  settled(): Promise<void> {
    return this.#reading;
  }

  async #read(seq: number, outdated: Set<string>): Promise<void> {
    const { db, changeLog, log } = this.#resources;
    let changes: FiguresChange[] | undefined;
    try {
      const row = await db.selectFrom("figure_changes").select("body").where("seq", "=", seq).executeTakeFirst();
      changes = row && fromJson(row.body as Json<FiguresChange[]>);
    } catch (error) {
      // During a stop the database closes while this may still run.
      if (changeLog.isFollowing) log.warn({ err: error }, "New download figures could not be read");
    }
    if (!changes) for (const listener of this.#listeners) listener.figuresLost();
    for (let start = 0; changes && start < changes.length; start += projectsAtOnce) {
      if (start > 0) await nextTurn();
      const current = changes.slice(start, start + projectsAtOnce).filter(({ projectId }) => !outdated.has(projectId));
      for (const listener of this.#listeners) listener.figuresChanged(current);
    }
    this.#outdated.delete(outdated);
  }
}

export const figuresOf = perServer((resources: Resources) => new Figures(resources));

/** Announces new totals when the transaction commits. */
export async function announceFigures(tx: Tx, changes: readonly FiguresChange[]): Promise<void> {
  await tx.db
    .deleteFrom("figure_changes")
    .where("date_created", "<", tx.now - keptMs)
    .execute();
  const { seq } = await tx.db
    .insertInto("figure_changes")
    .values({ date_created: tx.now, body: toJson<unknown>(changes) })
    .returning("seq")
    .executeTakeFirstOrThrow();
  tx.changed("figures", String(seq));
}
