// Counts downloads: they are collected in memory and written to the ledger every few seconds in one transaction. The
// figures of version and project change in the same transaction, so that they always add up.
import { createHmac } from "node:crypto";
import { sql } from "kysely";
import { limitKey } from "#lib/client-address.js";
import { dayOf } from "#lib/days.js";
import { reach } from "#lib/fail-points.js";
import { toJson } from "#lib/json.js";
import { type Tx, write } from "#platform/changes/write.js";
import { inList, lockLedger, lockProjects } from "#platform/db/dialect.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import { chooseCounted, type DownloadEvent, windowMs } from "./policy.js";

/** A crash loses at most this much. */
const flushMs = 3000;
const flushAt = 5000;
const byCounter = { credential: "download counter" };

export class DownloadCounter {
  readonly #resources: Resources;
  #noted: DownloadEvent[] = [];
  #flushing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #salt: Promise<string> | undefined;

  constructor(resources: Resources) {
    this.#resources = resources;
  }

  start(): void {
    this.#timer = setInterval(() => void this.#tryFlush(), flushMs);
    this.#timer.unref();
  }

  /** Never delays or fails the download. */
  note(
    viewer: Viewer,
    address: string,
    { projectId, versionId }: { projectId: string; versionId: string },
    country = "",
  ): void {
    const who = viewer.kind === "anonymous" ? `address ${limitKey(address)}` : `user ${viewer.user.id}`;
    this.#noted.push({
      client: who,
      projectId,
      versionId,
      country,
      time: this.#resources.clock.now(),
    });
    if (this.#noted.length >= flushAt) void this.#tryFlush();
  }

  async #tryFlush(): Promise<void> {
    try {
      await this.flush();
    } catch (error) {
      this.#resources.log.warn({ err: error }, "Downloads could not be counted yet; they are kept for another try");
    }
  }

  /** When this resolves, everything noted before the call is in the ledger. */
  async flush(): Promise<void> {
    while (this.#flushing) await this.#flushing;
    if (this.#noted.length === 0) return;
    this.#flushing = this.#write().finally(() => {
      this.#flushing = undefined;
    });
    await this.#flushing;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  async #write(): Promise<void> {
    const batch = this.#noted;
    this.#noted = [];
    reach("downloads: before flush");
    try {
      const salt = await this.#readSalt();
      // Addresses are not stored: the ledger only needs to recognize the same one.
      const events = batch.map((event) => ({ ...event, client: digestOf(salt, event.client) }));
      await write(this.#resources, byCounter, (tx) => addToLedger(tx, events));
      reach("downloads: flushed");
    } catch (error) {
      this.#noted = [...batch, ...this.#noted];
      throw error;
    }
  }

  /** One secret for all nodes, so that a client has the same digest on each of them. */
  #readSalt(): Promise<string> {
    this.#salt ??= findOrMakeSalt(this.#resources).catch((error) => {
      this.#salt = undefined;
      throw error;
    });
    return this.#salt;
  }
}

const digestOf = (salt: string, client: string): string =>
  createHmac("sha256", salt).update(client).digest("hex").slice(0, 32);

const saltName = "downloads.salt";

async function findOrMakeSalt({ db, random, clock }: Resources): Promise<string> {
  const fresh = {
    name: saltName,
    value: toJson<unknown>(random.bytes(32).toString("hex")),
    date_updated: clock.now(),
    updated_by: null,
  };
  await db
    .insertInto("settings")
    .values(fresh)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db.selectFrom("settings").select("value").where("name", "=", saltName).executeTakeFirstOrThrow();
  return JSON.parse(row.value) as string;
}

async function addToLedger(tx: Tx, events: readonly DownloadEvent[]): Promise<void> {
  await lockLedger(tx.db);
  await lockProjects(tx.db, [...new Set(events.map((event) => event.projectId))]);
  const alive = await withVersion(tx, events);
  if (alive.length === 0) return;
  const counted = chooseCounted(await listRecent(tx, alive), alive);
  if (counted.length === 0) return;
  for (let start = 0; start < counted.length; start += 1000)
    await tx.db
      .insertInto("downloads")
      .values(
        counted.slice(start, start + 1000).map((event) => ({
          project_id: event.projectId,
          version_id: event.versionId,
          client: Buffer.from(event.client, "hex"),
          day: dayOf(event.time),
          country: event.country,
          date_created: event.time,
        })),
      )
      .execute();
  await addUp(
    tx,
    "versions",
    countBy(counted, (event) => event.versionId),
  );
  const byProject = countBy(counted, (event) => event.projectId);
  await addUp(tx, "projects", byProject);
  for (const projectId of byProject.keys()) tx.changed("project", projectId);
}

/** Leaves out events whose version was deleted after the download. */
async function withVersion({ db }: Tx, events: readonly DownloadEvent[]): Promise<DownloadEvent[]> {
  const ids = [...new Set(events.map((event) => event.versionId))];
  const rows = await db
    .selectFrom("versions")
    .select("id")
    .where(inList(db, sql.ref("id"), ids))
    .execute();
  const alive = new Set(rows.map((row) => row.id));
  return events.filter((event) => alive.has(event.versionId));
}

async function listRecent({ db }: Tx, events: readonly DownloadEvent[]): Promise<DownloadEvent[]> {
  const since = Math.min(...events.map((event) => event.time)) - windowMs;
  const clients = new Set(events.map((event) => event.client));
  const projects = [...new Set(events.map((event) => event.projectId))];
  const rows = await db
    .selectFrom("downloads")
    .select(["client", "project_id", "version_id", "date_created"])
    .where(inList(db, sql.ref("project_id"), projects))
    .where("date_created", ">", since)
    .orderBy("date_created")
    .execute();
  return rows
    .map((row) => ({
      client: Buffer.from(row.client).toString("hex"),
      projectId: row.project_id,
      versionId: row.version_id,
      country: "",
      time: row.date_created,
    }))
    .filter((event) => clients.has(event.client));
}

function countBy(events: readonly DownloadEvent[], keyOf: (event: DownloadEvent) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const event of events) counts.set(keyOf(event), (counts.get(keyOf(event)) ?? 0) + 1);
  return counts;
}

async function addUp({ db }: Tx, table: "versions" | "projects", counts: ReadonlyMap<string, number>): Promise<void> {
  for (const [id, count] of [...counts].sort())
    await db
      .updateTable(table)
      .set((set) => ({ downloads: set("downloads", "+", count) }))
      .where("id", "=", id)
      .execute();
}
