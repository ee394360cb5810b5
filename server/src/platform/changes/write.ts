// The only way to change rows: a transaction that collects audit rows, change-log entries and jobs, and appends them
// just before the commit. They exist exactly if the change does, and the lock that keeps their order equal to the
// commit order is held only at the end.
import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Kysely, Transaction } from "kysely";
import type { Clock } from "#lib/clock.js";
import { type Json, toJson } from "#lib/json.js";
import { newId, type Random } from "#lib/random.js";
import { committing, isRetryable, notifyingOthers, type Statement, tailLock, together } from "#platform/db/dialect.js";
import type { Tables } from "#platform/db/tables.js";
import type { Vault } from "#platform/secrets/vault.js";
import type { ChangeKind, ChangeLog } from "./change-log.js";
import type { EventDetails, EventType } from "./events.js";
import type { JobKind, JobPayloads } from "./job-kinds.js";
import { confirmReservation, type KeyReservation } from "./key-reservation.js";
import type { ServerMemory } from "./server-memory.js";

/** The actor as the audit log records it. */
export interface Actor {
  userId?: string;
  /** "session:ID", "token:ID", "command line", "setup code" … */
  credential?: string;
  /** Truncated to the network, because the audit log stores it. */
  address?: string;
  /** The caller's address as rate limits count it. Never stored. */
  network?: string;
  requestId?: string;
  /** The Idempotency-Key that this request has reserved; confirmed with the commit. */
  reservation?: KeyReservation;
}

export interface Tx {
  db: Transaction<Tables>;
  now: number;
  random: Random;
  /** Throws if the caller has no vault, as most commands. */
  readonly vault: Vault;
  /** Records a security-relevant action. Never put a secret into the detail. */
  audit(action: string, object: { kind: string; id: string }, detail?: Record<string, unknown>): void;
  /**
   * Appends to the change log that the object was created, changed or deleted. For a project, `versions` are the only
   * versions that may look different now; without them, all of them may. `areAdded`: they are new.
   */
  changed(kind: ChangeKind, id: string, versions?: readonly string[], how?: { areAdded: boolean }): void;
  /** Records an event of a project, for webhooks and notifications. */
  happened<T extends EventType>(type: T, projectId: string, detail: EventDetails[T]): void;
  enqueue<K extends JobKind>(
    kind: K,
    payload: JobPayloads[K],
    options?: { runAfter?: number; dedupeKey?: string },
  ): void;
  /** Executes a statement at the end, together with the commit: for changes that this transaction does not read again. */
  atEnd(statement: Statement): void;
}

/** The dependencies of a write; routes, jobs and the command line all have them. */
export interface Writing {
  db: Kysely<Tables>;
  clock: Clock;
  random: Random;
  changeLog: ChangeLog;
  memory: ServerMemory;
  vault?: Vault;
}

const maxTries = 3;
const longestPauseMs = 64;
const rowsAtOnce = 5000;

export async function write<T>(to: Writing, actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { result, hasChanges } = await transact(to, actor, work);
      // A write is visible to the next request, on every worker of this server.
      if (hasChanges) await to.changeLog.publish();
      return result;
    } catch (error) {
      if (!isRetryable(error) || attempt === maxTries) throw error;
    }
    // A random pause, so that two conflicting writes do not collide again.
    await pause((to.random.bytes(1)[0]! * longestPauseMs) / 256);
  }
}

interface Gathered {
  audits: { action: string; object: { kind: string; id: string }; detail: Record<string, unknown> }[];
  changes: { kind: ChangeKind; id: string; versions?: readonly string[] | undefined; areAdded?: boolean }[];
  events: { id: string; type: EventType; project_id: string; detail: Json<unknown> }[];
  jobs: { kind: JobKind; payload: unknown; runAfter: number; dedupeKey: string | null }[];
  last: Statement[];
}

async function transact<T>(
  to: Writing,
  actor: Actor,
  work: (tx: Tx) => Promise<T>,
): Promise<{ result: T; hasChanges: boolean }> {
  const now = to.clock.now();
  const gathered: Gathered = { audits: [], changes: [], events: [], jobs: [], last: [] };
  return to.db.transaction().execute(async (db) => {
    const result = await work({
      db,
      now,
      random: to.random,
      get vault() {
        if (!to.vault) throw new Error("This caller has no vault");
        return to.vault;
      },
      audit: (action, object, detail = {}) => gathered.audits.push({ action, object, detail }),
      changed: (kind, id, versions, how) => gathered.changes.push({ kind, id, versions, ...how }),
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
      atEnd: (statement) => gathered.last.push(statement),
    });
    await append(db, now, actor, gathered);
    return { result, hasChanges: gathered.changes.length > 0 };
  });
}

async function append(db: Transaction<Tables>, now: number, actor: Actor, gathered: Gathered) {
  const { audits, changes, events, jobs } = gathered;
  if (actor.reservation) await confirmReservation(db, actor.reservation);
  const before: Statement[] = [...gathered.last, ...jobs.map((job) => appendingJob(db, now, job))];
  if (events.length > 0)
    before.push(db.insertInto("events").values(events.map((event) => ({ ...event, date_created: now }))));
  if (audits.length + changes.length > 0) before.push(...tailLock(db));
  const end = [...appendingChanges(db, now, changes), ...committing(db)];
  if (audits.length === 0) {
    await together(db, end, before);
    return;
  }
  const lastHash = db.selectFrom("audit_log").select("hash").orderBy("id", "desc").limit(1);
  const [last] = await together(db, [lastHash], before);
  const rows = toAuditRows(now, actor, audits, last.rows[0]?.hash);
  await together(db, [db.insertInto("audit_log").values(rows), ...end]);
}

/** In batches: the deletion of a large project names more files than one statement allows. */
function appendingChanges(db: Transaction<Tables>, now: number, changes: Gathered["changes"]): Statement[] {
  const rows = changes.map(({ kind, id, versions, areAdded }) => ({
    ...{ kind, object_id: id, date_created: now },
    versions: versions === undefined ? null : toJson([...versions]),
    added: areAdded ? (1 as const) : (0 as const),
  }));
  const statements: Statement[] = [];
  for (let start = 0; start < rows.length; start += rowsAtOnce)
    statements.push(
      db
        .insertInto("changes")
        .values(rows.slice(start, start + rowsAtOnce))
        .modifyEnd(notifyingOthers(db)),
    );
  return statements;
}

/**
 * If a job with the same key waits, nothing is added. If it is running, it may have read the rows before this change:
 * then it becomes due again, and the end of the current run does not delete it (platform/jobs/queue.ts).
 */
function appendingJob(db: Transaction<Tables>, now: number, job: Gathered["jobs"][number]): Statement {
  const payload = toJson(job.payload);
  return db
    .insertInto("jobs")
    .values({ kind: job.kind, payload, dedupe_key: job.dedupeKey, run_after: job.runAfter, date_created: now })
    .onConflict((conflict) =>
      conflict
        .column("dedupe_key")
        .where("date_parked", "is", null)
        .doUpdateSet({ payload, run_after: job.runAfter, attempts: 0, lease_until: null })
        .where("jobs.lease_until", "is not", null),
    );
}

function toAuditRows(now: number, actor: Actor, audits: Gathered["audits"], lastHash: Uint8Array = new Uint8Array(32)) {
  let previous: Uint8Array = lastHash;
  return audits.map(({ action, object, detail }) => {
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

/** Each hash covers the previous one: a row that is changed or removed later invalidates every later hash. */
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
