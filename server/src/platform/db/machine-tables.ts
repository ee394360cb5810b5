// The tables of the service itself: logs, jobs, webhooks, uploads, settings.
import { bytes, defaulted, flag, integer, json, nullable, serial, type TableShapes, text, time } from "./columns.js";

export const machineTables = {
  // Pictures of the site itself.
  site_pictures: { name: text(), sha512: bytes, width: integer, height: integer, date_updated: time },
  settings: { name: text(), value: json<unknown>(), date_updated: time, updated_by: nullable(text()) },
  // Settings of the web that are secrets, sealed (platform/secrets).
  sealed_settings: { name: text(), secret: text(), date_updated: time },
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
  changes: {
    ...{ seq: serial, kind: text(), object_id: text(), date_created: time },
    // The only versions of a project that may look different now. Null: all of them may.
    versions: nullable(json<string[]>()),
    // These versions are new, and all others are as they were.
    added: defaulted(flag),
  },
  // Events for webhooks and notifications. Each has a row of kind "event" in the change log.
  events: { id: text(), type: text(), project_id: text(), detail: json<unknown>(), date_created: time },
  // The position of each consumer of the change log.
  feed_cursors: { name: text(), seq: integer },
  // The public change log, with its own numbers.
  public_changes: {
    seq: serial,
    kind: text<"project" | "version" | "organization" | "user">(),
    object_id: text(),
    project_id: nullable(text()),
    act: text<"created" | "updated" | "deleted">(),
    date_created: time,
    // Since when a later row replaces this one, or the object is deleted: such rows are deleted in time.
    date_obsolete: nullable(time),
  },
  // The publicly visible objects when the public change log was last written, with a digest of each.
  public_things: {
    kind: text<"project" | "version" | "organization" | "user">(),
    object_id: text(),
    project_id: nullable(text()),
    digest: text(),
  },
  counters: { name: text(), value: integer },
  // The contents of the counters: each listed project with its share, each user, each accepted member of a team.
  project_counts: { project_id: text(), versions: integer, files: integer },
  counted_users: { user_id: text() },
  counted_members: { team_id: text(), user_id: text() },
  webhooks: {
    id: text(),
    owner_kind: text<"project" | "organization">(),
    owner_id: text(),
    // Sealed like the secrets: anyone who knows the URL of a Discord channel can post there.
    url: text(),
    form: text<"standard" | "discord">(),
    // In readable form after unsealing, to sign with it; shown once.
    secret: text(),
    // The previous secret, which also signs until it expires.
    old_secret: nullable(text()),
    date_old_secret_ends: nullable(time),
    events: json<string[]>(),
    enabled: flag,
    disabled_reason: nullable(text<"failing" | "gone">()),
    // Consecutive failures since the last successful delivery.
    failures: integer,
    // No delivery is tried before: the receiver fails or has asked for a pause.
    date_resume: nullable(time),
    // A worker has leased it until then.
    date_busy: nullable(time),
    created_by: nullable(text()),
    date_created: time,
    date_updated: time,
  },
  webhook_deliveries: {
    id: text(),
    webhook_id: text(),
    // The same for every try and redelivery of one event, so that receivers can recognise repeats.
    message_id: text(),
    event: text(),
    // The content (integrations/webhooks/facts.ts); it is formatted when it is sent.
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
  // Files that are uploaded in parts. The bytes are retained files of the blob store's staging
  // (platform/blobs/staging.ts).
  uploads: {
    id: text(),
    user_id: text(),
    name: text(),
    size: integer,
    received: integer,
    parts: json<{ name: string; size: number; sha512: string; sha1: string }[]>(),
    // The retained file into which all parts were joined; then there are no parts any more.
    whole: nullable(text()),
    sha512: nullable(bytes),
    sha1: nullable(bytes),
    // The file's own metadata (content/uploads/contract.ts).
    facts: nullable(json<unknown>()),
    date_created: time,
    date_expires: time,
    // Since when a version has these bytes.
    date_used: nullable(time),
  },
  // Objects that were imported from other registries (operations/importing), with their ids there and here.
  imports: {
    // The URL of the other registry's interface, without a slash at its end.
    source: text(),
    kind: text<"user" | "organization" | "member" | "project" | "icon" | "picture" | "version">(),
    source_id: text(),
    local_id: text(),
    // Digests: the state that the last import wanted, and the row here after it.
    digest: text(),
    local_digest: text(),
    // 0: a project that was not submitted yet.
    finished: flag,
    date_imported: time,
    date_updated: time,
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
    // Null while the first request with this key is being processed.
    status: nullable(integer),
    body: nullable(bytes),
    date_created: time,
    date_expires: time,
  },
  rate_buckets: { key: text(), state: integer, date_expires: time },
} satisfies TableShapes;
