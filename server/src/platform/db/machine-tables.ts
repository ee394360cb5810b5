// The machine's own: what it did, what it has yet to do, and how it is set.
import { bytes, defaulted, flag, integer, json, nullable, serial, type TableShapes, text, time } from "./columns.js";

export const machineTables = {
  // Pictures of the site itself.
  site_pictures: { name: text(), sha512: bytes, width: integer, height: integer, date_updated: time },
  settings: { name: text(), value: json<unknown>(), date_updated: time, updated_by: nullable(text()) },
  audit_log: {
    id: serial,
    date_created: time,
    actor_id: nullable(text()),
    credential: nullable(text()),
    address: nullable(text()),
    request_id: nullable(text()),
    action: text(),
    object_kind: text(),
    object_id: text(),
    detail: json<unknown>(),
    hash: bytes,
  },
  changes: { seq: serial, kind: text(), object_id: text(), date_created: time },
  // What happened, for those who tell others of it. Each has a row of kind "event" in the change log.
  events: { id: text(), type: text(), project_id: text(), detail: json<unknown>(), date_created: time },
  // How far each follower of the change log has come.
  feed_cursors: { name: text(), seq: integer },
  // What strangers may know of the changes, with numbers of its own.
  public_changes: {
    seq: serial,
    kind: text<"project" | "version" | "organization" | "user">(),
    object_id: text(),
    project_id: nullable(text()),
    act: text<"created" | "updated" | "deleted">(),
    date_created: time,
    // Since when a later one says more of the same thing, or the thing is gone: such rows go in time.
    date_obsolete: nullable(time),
  },
  // What strangers could see when the public changes were last written, and a digest of what they saw.
  public_things: {
    kind: text<"project" | "version" | "organization" | "user">(),
    object_id: text(),
    project_id: nullable(text()),
    digest: text(),
  },
  counters: { name: text(), value: integer },
  // What is in the counters: each listed project with what it adds, each user, each accepted member of a team.
  project_counts: { project_id: text(), versions: integer, files: integer },
  counted_users: { user_id: text() },
  counted_members: { team_id: text(), user_id: text() },
  webhooks: {
    id: text(),
    owner_kind: text<"project" | "organization">(),
    owner_id: text(),
    // Sealed, as the secrets are: anyone who knows the address of a Discord channel can post there.
    url: text(),
    form: text<"standard" | "discord">(),
    // As it must be to sign with it; shown once.
    secret: text(),
    // The one before, which signs too until its end.
    old_secret: nullable(text()),
    date_old_secret_ends: nullable(time),
    events: json<string[]>(),
    enabled: flag,
    disabled_reason: nullable(text<"failing" | "gone">()),
    // In a row, since the last delivery that arrived.
    failures: integer,
    // Nothing is tried before: its receiver is in trouble, or has asked for a pause.
    date_resume: nullable(time),
    // A worker is at it until then.
    date_busy: nullable(time),
    created_by: nullable(text()),
    date_created: time,
    date_updated: time,
  },
  webhook_deliveries: {
    id: text(),
    webhook_id: text(),
    // The same for every try and every redelivery of one event: what receivers recognise repeats by.
    message_id: text(),
    event: text(),
    // What there is to say (integrations/webhooks/facts.ts); its form is made when it is sent.
    facts: json<unknown>(),
    status: text<"pending" | "delivered" | "failed">(),
    attempts: integer,
    response_status: nullable(integer),
    response_excerpt: nullable(text()),
    error: nullable(text()),
    date_created: time,
    date_attempted: nullable(time),
    date_next: nullable(time),
  },
  // Files that arrive in parts. The bytes are retained files of the blob store's staging (platform/blobs/staging.ts).
  uploads: {
    id: text(),
    user_id: text(),
    name: text(),
    size: integer,
    received: integer,
    parts: json<{ name: string; size: number; sha512: string; sha1: string }[]>(),
    // The retained file that all parts were put together in; then there are no parts any more.
    whole: nullable(text()),
    sha512: nullable(bytes),
    sha1: nullable(bytes),
    // What the file says about itself (content/uploads/contract.ts).
    facts: nullable(json<unknown>()),
    date_created: time,
    date_expires: time,
    // Since when there is a version with these bytes.
    date_used: nullable(time),
  },
  jobs: {
    id: serial,
    kind: text(),
    payload: json<unknown>(),
    dedupe_key: nullable(text()),
    run_after: time,
    attempts: defaulted(integer),
    lease_until: nullable(time),
    date_created: time,
    date_parked: nullable(time),
    last_error: nullable(text()),
  },
  idempotency_keys: {
    actor: text(),
    key: text(),
    request_digest: bytes,
    // Null while the first request with this key is still being worked on.
    status: nullable(integer),
    body: nullable(bytes),
    date_created: time,
    date_expires: time,
  },
  rate_buckets: { key: text(), state: integer, date_expires: time },
} satisfies TableShapes;
