// Every table and column, once, as data. The row types of all queries derive from it, and a law test compares it with
// the schema that the migrations really make on both engines. Portable kinds only: text, whole numbers, bytes;
// times are milliseconds, flags 0 or 1, lists JSON text.
import type { Generated, Kysely, Selectable, Transaction } from "kysely";
import type { Json } from "../lib/json.js";
import type { Scope } from "../lib/scopes.js";

export interface Column<T> {
  kind: "text" | "integer" | "bytes";
  nullable: boolean;
  /** Never set; carries the type of the value. */
  type?: T;
}

const text = <T extends string = string>(): Column<T> => ({ kind: "text", nullable: false });
const json = <T>(): Column<Json<T>> => ({ kind: "text", nullable: false });
const integer: Column<number> = { kind: "integer", nullable: false };
const time: Column<number> = { kind: "integer", nullable: false };
const flag: Column<0 | 1> = { kind: "integer", nullable: false };
const bytes: Column<Uint8Array> = { kind: "bytes", nullable: false };
const serial: Column<Generated<number>> = { kind: "integer", nullable: false };
const nullable = <T>(column: Column<T>): Column<T | null> => ({ kind: column.kind, nullable: true });
const defaulted = <T>(column: Column<T>): Column<Generated<T>> => ({ kind: column.kind, nullable: column.nullable });

export type UserRole = "user" | "moderator" | "admin";
export type ProjectStatus = "draft" | "processing" | "approved" | "withheld" | "rejected";
export type Visibility = "listed" | "unlisted" | "private" | "archived";
export type Channel = "release" | "beta" | "alpha" | "dev";
export type Environment = "unknown" | "required" | "optional" | "unsupported";
export type DependencyType = "required" | "optional" | "incompatible" | "embedded";
export type CodePurpose = "setup" | "password_reset" | "email_change";
export type ImageOwner = "user" | "project" | "organization" | "collection";

export const tables = {
  users: {
    id: text(),
    user_name: text(),
    name: nullable(text()),
    email: nullable(text()),
    email_verified: flag,
    password_hash: nullable(text()),
    role: text<UserRole>(),
    bio: nullable(text()),
    avatar_id: nullable(text()),
    background_id: nullable(text()),
    date_joined: time,
    date_suspended: nullable(time),
    suspension_reason: nullable(text()),
  },
  sessions: {
    id: text(),
    user_id: text(),
    token_digest: bytes,
    provider: text(),
    date_created: time,
    date_authenticated: time,
    date_last_active: time,
    date_expires: time,
    address: nullable(text()),
    user_agent: nullable(text()),
  },
  tokens: {
    id: text(),
    user_id: text(),
    name: text(),
    token_digest: bytes,
    scopes: json<Scope[]>(),
    date_created: time,
    date_expires: time,
    date_last_used: nullable(time),
  },
  one_time_codes: {
    digest: bytes,
    purpose: text<CodePurpose>(),
    user_id: nullable(text()),
    detail: nullable(text()),
    date_created: time,
    date_expires: time,
  },
  linked_accounts: {
    id: text(),
    user_id: text(),
    provider: text(),
    provider_account_id: text(),
    provider_email: nullable(text()),
    date_linked: time,
  },
  oauth_flows: {
    state_digest: bytes,
    browser_digest: bytes,
    provider: text(),
    intent: text<"signin" | "signup" | "link">(),
    code_verifier: text(),
    user_id: nullable(text()),
    date_expires: time,
  },
  taxonomies: { id: serial, digest: text(), source: text(), document: text(), date_created: time },
  settings: { name: text(), value: json<unknown>(), date_updated: time, updated_by: nullable(text()) },
  blobs: { sha512: bytes, sha1: bytes, size: integer, date_created: time, date_orphaned: nullable(time) },
  images: {
    id: text(),
    owner_kind: text<ImageOwner>(),
    owner_id: text(),
    file_name: text(),
    sha512: bytes,
    width: integer,
    height: integer,
    date_created: time,
  },
  teams: { id: text(), kind: text<"project" | "organization">(), date_created: time },
  team_members: {
    id: text(),
    team_id: text(),
    user_id: text(),
    role: text(),
    is_owner: flag,
    accepted: flag,
    permissions: json<string[]>(),
    org_permissions: json<string[]>(),
    date_invited: time,
    date_accepted: nullable(time),
    invited_by: nullable(text()),
  },
  organizations: {
    id: text(),
    team_id: text(),
    name: text(),
    slug: text(),
    description: text(),
    icon_id: nullable(text()),
    date_created: time,
  },
  projects: {
    id: text(),
    team_id: text(),
    org_id: nullable(text()),
    name: text(),
    slug: text(),
    summary: text(),
    description: text(),
    types: json<string[]>(),
    status: text<ProjectStatus>(),
    requested_status: nullable(text<"approved">()),
    visibility: text<Visibility>(),
    license_id: text(),
    license_name: text(),
    license_url: text(),
    issue_tracker_url: nullable(text()),
    source_url: nullable(text()),
    wiki_url: nullable(text()),
    discord_url: nullable(text()),
    client_side: text<Environment>(),
    server_side: text<Environment>(),
    // The union over its versions, kept by every write to a version so that lists need no join.
    game_versions: json<string[]>(),
    loaders: json<string[]>(),
    icon_id: nullable(text()),
    color: nullable(text()),
    downloads: integer,
    followers: integer,
    date_published: time,
    date_updated: time,
    date_queued: nullable(time),
    date_approved: nullable(time),
  },
  project_categories: { project_id: text(), category: text(), featured: flag },
  project_old_slugs: { slug: text(), project_id: text(), date_retired: time },
  versions: {
    id: text(),
    project_id: text(),
    author_id: text(),
    title: text(),
    version_number: text(),
    slug: text(),
    changelog: text(),
    channel: text<Channel>(),
    featured: flag,
    game_versions: json<string[]>(),
    loaders: json<string[]>(),
    primary_file_id: text(),
    downloads: integer,
    date_published: time,
    date_yanked: nullable(time),
    yank_reason: nullable(text()),
  },
  version_files: {
    id: text(),
    version_id: text(),
    project_id: text(),
    name: text(),
    type: text(),
    size: integer,
    sha1: bytes,
    sha512: bytes,
    date_created: time,
  },
  version_compat: {
    version_id: text(),
    project_id: text(),
    game_version: text(),
    // Empty for a version without loaders.
    loader: text(),
    channel: text<Channel>(),
    date_published: time,
  },
  dependencies: {
    id: text(),
    version_id: text(),
    on_project_id: text(),
    on_version_id: nullable(text()),
    type: text<DependencyType>(),
  },
  gallery_items: {
    id: text(),
    project_id: text(),
    image_id: text(),
    thumbnail_id: text(),
    name: text(),
    description: text(),
    featured: flag,
    order_index: integer,
    date_created: time,
  },
  // The ledger. A counted download is one row; rows older than the de-duplication window are folded into download_days.
  downloads: { seq: serial, project_id: text(), version_id: text(), client: bytes, day: integer, date_created: time },
  download_days: { version_id: text(), project_id: text(), day: integer, country: text(), count: integer },
  follows: { user_id: text(), project_id: text(), preferences: json<unknown>(), date_created: time },
  collections: {
    id: text(),
    user_id: text(),
    name: text(),
    description: text(),
    visibility: text<"public" | "private" | "unlisted">(),
    icon_id: nullable(text()),
    date_created: time,
    date_updated: time,
  },
  collection_projects: { collection_id: text(), project_id: text(), date_added: time },
  notifications: {
    id: text(),
    user_id: text(),
    type: text(),
    group_key: nullable(text()),
    body: json<unknown>(),
    date_created: time,
    date_read: nullable(time),
  },
  threads: { id: text(), type: text<"project" | "report" | "direct_message">(), entity_id: text(), date_created: time },
  thread_messages: {
    id: text(),
    thread_id: text(),
    author_id: nullable(text()),
    type: text(),
    body: json<unknown>(),
    is_private: flag,
    date_created: time,
  },
  reports: {
    id: text(),
    type: text(),
    item_type: text<"project" | "version" | "user">(),
    item_id: text(),
    body: text(),
    reporter_id: nullable(text()),
    thread_id: text(),
    closed: flag,
    date_created: time,
  },
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
} satisfies Record<string, Record<string, Column<unknown>>>;

type TypeOf<C> = C extends Column<infer T> ? T : never;
export type Tables = { [T in keyof typeof tables]: { [C in keyof (typeof tables)[T]]: TypeOf<(typeof tables)[T][C]> } };

/** The row of a table as a query returns it. */
export type Row<T extends keyof Tables> = Selectable<Tables[T]>;

/** A database handle: the open database, or the transaction that a write runs in. */
export type Db = Kysely<Tables> | Transaction<Tables>;
