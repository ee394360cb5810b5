// The one way to change rows: a transaction whose audit rows, change-log entries and jobs are gathered on the way and
// appended together just before the commit. So they exist exactly if the change does, and the lock that keeps their
// order equal to the order of commits is held only for that last moment.
import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Kysely, Transaction } from "kysely";
import type { Clock } from "#lib/clock.js";
import { type Json, toJson } from "#lib/json.js";
import { newId, type Random } from "#lib/random.js";
import { isRetryable, lockTail, notifyOthers } from "#platform/db/dialect.js";
import type { Tables } from "#platform/db/tables.js";
import type { Vault } from "#platform/secrets/vault.js";
import type { ChangeKind, ChangeLog } from "./change-log.js";
import type { EventDetails, EventType } from "./events.js";
import type { JobKind, JobPayloads } from "./job-kinds.js";
import { confirmReservation, type KeyReservation } from "./key-reservation.js";

/** Who acts, as the audit log remembers it. */
export interface Actor {
  userId?: string;
  /** "session:ID", "token:ID", "command line", "setup code" … */
  credential?: string;
  /** Cut to the network: it is kept in the audit log. */
  address?: string;
  /** From where the call comes, as limits count it. Never kept. */
  network?: string;
  requestId?: string;
  /** The Idempotency-Key that this request holds: used up with the commit. */
  reservation?: KeyReservation;
}

export interface Tx {
  db: Transaction<Tables>;
  now: number;
  random: Random;
  /** Throws where the caller has none, as most commands. */
  readonly vault: Vault;
  /** Remembers a security-relevant act. Never put a secret into the detail. */
  audit(action: string, object: { kind: string; id: string }, detail?: Record<string, unknown>): void;
  /** Tells the change log that the thing was made, changed or deleted. */
  changed(kind: ChangeKind, id: string): void;
  /** Remembers what happened to a project, for those who tell others of it. */
  happened<T extends EventType>(type: T, projectId: string, detail: EventDetails[T]): void;
  enqueue<K extends JobKind>(
    kind: K,
    payload: JobPayloads[K],
    options?: { runAfter?: number; dedupeKey?: string },
  ): void;
}

/** What a write needs; routes, jobs and the command line all have it. */
export interface Writing {
  db: Kysely<Tables>;
  clock: Clock;
  random: Random;
  changeLog: ChangeLog;
  vault?: Vault;
}

const maxTries = 3;
const longestPauseMs = 64;
const rowsAtOnce = 5000;

export async function write<T>(to: Writing, actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      const result = await transact(to, actor, work);
      // A node's own writes are visible to its next request.
      await to.changeLog.announce();
      return result;
    } catch (error) {
      if (!isRetryable(error) || attempt === maxTries) throw error;
    }
    // Two that met each other come back at different moments.
    await pause((to.random.bytes(1)[0]! * longestPauseMs) / 256);
  }
}

interface Gathered {
  audits: { action: string; object: { kind: string; id: string }; detail: Record<string, unknown> }[];
  changes: { kind: ChangeKind; id: string }[];
  events: { id: string; type: EventType; project_id: string; detail: Json<unknown> }[];
  jobs: { kind: JobKind; payload: unknown; runAfter: number; dedupeKey: string | null }[];
}

async function transact<T>(to: Writing, actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
  const now = to.clock.now();
  const gathered: Gathered = { audits: [], changes: [], events: [], jobs: [] };
  return to.db.transaction().execute(async (db) => {
    const result = await work({
      db,
      now,
      random: to.random,
      get vault() {
        if (!to.vault) throw new Error("There is no vault here");
        return to.vault;
      },
      audit: (action, object, detail = {}) => gathered.audits.push({ action, object, detail }),
      changed: (kind, id) => gathered.changes.push({ kind, id }),
      happened: (type, projectId, detail) => {
        const event = { type, project_id: projectId, detail: toJson<unknown>(detail) };
        // Several steps of one edit are one event.
        if (gathered.events.some((other) => isDeepStrictEqual({ ...event, id: other.id }, other))) return;
        const id = newId(to.random);
        gathered.events.push({ id, ...event });
        gathered.changes.push({ kind: "event", id });
      },
      enqueue: (kind, payload, { runAfter = now, dedupeKey = null as string | null } = {}) => {
        gathered.jobs.push({ kind, payload, runAfter, dedupeKey });
        gathered.changes.push({ kind: "job", id: kind });
      },
    });
    await append(db, now, actor, gathered);
    return result;
  });
}

async function append(db: Transaction<Tables>, now: number, actor: Actor, gathered: Gathered) {
  const { audits, changes, events, jobs } = gathered;
  if (actor.reservation) await confirmReservation(db, actor.reservation);
  const happened = events.map((event) => ({ ...event, date_created: now }));
  if (happened.length > 0) await db.insertInto("events").values(happened).execute();
  for (const job of jobs) await appendJob(db, now, job);
  if (audits.length + changes.length === 0) return;
  await lockTail(db);
  if (audits.length > 0) await appendAudits(db, now, actor, audits);
  const rows = changes.map((change) => ({ kind: change.kind, object_id: change.id, date_created: now }));
  // In parts: the end of a large project names more files than one statement takes.
  for (let start = 0; start < rows.length; start += rowsAtOnce)
    await db
      .insertInto("changes")
      .values(rows.slice(start, start + rowsAtOnce))
      .execute();
  if (rows.length > 0) await notifyOthers(db);
}

/**
 * Where a job with the same key waits, that one will do. Where it is running it may have read the rows before this
 * change: then it becomes due again, and the end of the present run does not take it away (platform/jobs/queue.ts).
 */
async function appendJob(db: Transaction<Tables>, now: number, job: Gathered["jobs"][number]) {
  const payload = toJson(job.payload);
  await db
    .insertInto("jobs")
    .values({ kind: job.kind, payload, dedupe_key: job.dedupeKey, run_after: job.runAfter, date_created: now })
    .onConflict((conflict) =>
      conflict
        .column("dedupe_key")
        .where("date_parked", "is", null)
        .doUpdateSet({ payload, run_after: job.runAfter, attempts: 0, lease_until: null })
        .where("jobs.lease_until", "is not", null),
    )
    .execute();
}

async function appendAudits(db: Transaction<Tables>, now: number, actor: Actor, audits: Gathered["audits"]) {
  const last = await db.selectFrom("audit_log").select("hash").orderBy("id", "desc").limit(1).executeTakeFirst();
  let previous: Uint8Array = last?.hash ?? new Uint8Array(32);
  const rows = audits.map(({ action, object, detail }) => {
    const row = {
      date_created: now,
      actor_id: actor.userId ?? null,
      credential: actor.credential ?? null,
      address: actor.address ?? null,
      request_id: actor.requestId ?? null,
      action,
      object_kind: object.kind,
      object_id: object.id,
      detail: toJson<unknown>(detail),
    };
    previous = auditHash(previous, row);
    return { ...row, hash: previous };
  });
  await db.insertInto("audit_log").values(rows).execute();
}

export interface AuditedAct {
  date_created: number;
  actor_id: string | null;
  credential: string | null;
  address: string | null;
  request_id: string | null;
  action: string;
  object_kind: string;
  object_id: string;
  detail: string;
}

/** Each row's hash covers the one before it: a row changed or removed later breaks every hash that follows. */
export function auditHash(previous: Uint8Array, act: AuditedAct): Buffer {
  const fields = [
    act.date_created,
    act.actor_id,
    act.credential,
    act.address,
    act.request_id,
    act.action,
    act.object_kind,
    act.object_id,
    act.detail,
  ];
  return createHash("sha256").update(previous).update(JSON.stringify(fields)).digest();
}
