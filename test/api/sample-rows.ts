// A small set of rows that satisfy every constraint, and a valid row for every table to break in one place.
import type { Kysely, Transaction } from "kysely";
import { type Tables, tables } from "#platform/db/tables.js";

export type TableName = keyof Tables;
export type AnyRow = Record<string, unknown>;
export type Insert = [table: TableName, row: AnyRow];

const bytes = (size: number, fill = 1): Buffer => Buffer.alloc(size, fill);
let made = 0;

/** Columns for which the default value of their type is not valid. References lead to existing rows. */
const particular: Partial<Record<TableName, AnyRow>> = {
  users: { email: null, email_held: 1, role: "user", avatar_id: null, background_id: null, locale: null },
  sessions: { user_id: "alice", token_digest: () => digest() },
  tokens: {
    user_id: "alice",
    token_digest: () => digest(),
    project_id: null,
    publisher_id: null,
    grant_id: null,
    provenance: null,
  },
  applications: { owner_id: "alice", secret_digest: null },
  application_grants: {
    ...{ application_id: "application", user_id: "bob", code_digest: () => digest() },
    ...{ family_digest: null, refresh_digest: null },
  },
  device_requests: {
    ...{ device_digest: () => digest(), user_code: () => `BCDF${String(made).padStart(4, "0")}` },
    ...{ user_id: null, approved: null },
  },
  trusted_publishers: { project_id: "project", user_id: "alice" },
  spent_identities: { digest: () => digest() },
  one_time_codes: { digest: () => digest(), purpose: "setup", user_id: null },
  linked_accounts: { user_id: "alice", provider: () => `provider-${made}` },
  oauth_flows: {
    state_digest: () => digest(),
    browser_digest: bytes(32),
    intent: "signin",
    user_id: null,
    invite_digest: null,
  },
  invite_codes: { digest: () => digest(), most_uses: 2, uses: 1, created_by: null },
  totp_secrets: { user_id: "bob" },
  recovery_codes: { digest: () => digest(), user_id: "alice" },
  passkeys: { user_id: "alice" },
  familiar_addresses: { user_id: "bob", digest: () => digest() },
  feed_keys: { user_id: "bob", digest: () => digest() },
  sign_in_steps: { digest: () => digest(), kind: "second_factor", user_id: null },
  blobs: { sha512: () => Buffer.concat([digest(), digest()]), sha1: bytes(20) },
  images: { owner_kind: "user", sha512: bytes(64) },
  teams: { kind: "project" },
  team_members: { team_id: "team", user_id: "bob", accepted: 1, invited_by: null },
  ownership_offers: { team_id: "team", user_id: "bob", offered_by: "alice" },
  mail_invites: { team_id: "team", invited_by: "alice", code_digest: () => digest() },
  organizations: { team_id: "org-team", slug: () => `org-${made}`, icon_id: null },
  projects: {
    team_id: "spare-team",
    org_id: null,
    slug: () => `project-${made}`,
    status: "draft",
    requested_status: null,
    visibility: "listed",
    client_side: "unknown",
    server_side: "unknown",
    icon_id: null,
    color: "#aabbcc",
  },
  project_moves: { project_id: "project", org_id: "organization", moved_by: "alice" },
  project_categories: { project_id: "project" },
  project_old_slugs: { project_id: "project" },
  organization_old_slugs: { org_id: "organization" },
  retired_names: { kind: "project" },
  versions: {
    ...{ project_id: "project", author_id: "alice", channel: "release", primary_file_id: "file" },
    ...{ yank_replacement_id: null, pack: null },
  },
  version_files: { version_id: "version", project_id: "project", sha1: bytes(20), sha512: bytes(64) },
  version_compat: { version_id: "version", project_id: "project", channel: "release" },
  pack_files: {
    ...{ version_id: "version", position: () => made, size: null, sha1: null, sha512: null, host: null },
    ...{ client: "required", server: "required" },
  },
  dependencies: { version_id: "version", on_project_id: "project", on_version_id: null, type: "required" },
  gallery_items: { project_id: "project", image_id: "image", thumbnail_id: "image", order_index: () => made % 1000 },
  download_days: { project_id: "project", version_id: "version" },
  view_days: { project_id: "project", country: "DE" },
  view_referrers: { project_id: "project" },
  follows: { user_id: "bob", project_id: "project" },
  collections: { user_id: "alice", visibility: "public", icon_id: null },
  collection_projects: { collection_id: "collection", project_id: "project" },
  notifications: { user_id: "alice" },
  threads: { type: "project" },
  thread_messages: { thread_id: "thread", author_id: null },
  guest_reports: { locale: "en", item_type: "project", code_digest: () => digest() },
  reports: { item_type: "project", reporter_id: null, thread_id: "thread", case_id: null, guest_locale: null },
  report_cases: { item_type: "project" },
  audit_log: { hash: bytes(32) },
  public_changes: { kind: "project", act: "created" },
  public_things: { kind: "project" },
  webhooks: { owner_kind: "project", form: "standard", disabled_reason: null, created_by: null },
  webhook_deliveries: { webhook_id: "webhook", status: "pending" },
  notification_settings: { user_id: "alice", digest: "off" },
  announcements: { project_id: "project" },
  user_follows: { follower_id: "alice", author_id: "bob" },
  organization_follows: { follower_id: "alice", author_id: "organization" },
  project_announcements: { project_id: "project" },
  unsubscribe_tokens: { digest: () => digest(), user_id: "alice" },
  reviews: { project_id: "project", moderator_id: null, status: "approved" },
  review_claims: { kind: "project", user_id: "alice" },
  held_decisions: { project_id: "project", moderator_id: "alice", status: "approved" },
  submissions: { project_id: "project", submitted_by: null },
  site_pictures: { sha512: bytes(64) },
  report_pictures: { report_id: "report", sha512: bytes(64) },
  user_notes: { user_id: "alice", author_id: null, kind: "note" },
  quarantines: { version_id: "version", sha512: null, created_by: null, lifted_by: null },
  denied_hashes: { sha512: () => Buffer.concat([digest(), digest()]), sha1: bytes(20), created_by: null },
  file_scans: { sha512: () => Buffer.concat([digest(), digest()]), state: "waiting" },
  imports: { kind: "project" },
  uploads: { user_id: "alice", size: 2, received: 1, whole: null, sha512: null, sha1: null },
  idempotency_keys: { request_digest: bytes(32) },
};

const digest = (): Buffer => {
  const unlike = bytes(32);
  unlike.writeUInt32BE(++made);
  return unlike;
};

/** A valid, unique row. Columns that the engine numbers are left out. */
export function rowFor(table: TableName, changes: AnyRow = {}): AnyRow {
  made++;
  const columns = Object.entries(tables[table]).filter(([column]) => !isNumbered(table, column));
  const plain = columns.map(([column, { kind }]): [string, unknown] => [
    column,
    kind === "text" ? `sample-text-${made}` : kind === "bytes" ? bytes(8) : 0,
  ]);
  const row: AnyRow = { ...Object.fromEntries(plain), ...particular[table], ...changes };
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [column, typeof value === "function" ? value() : value]),
  );
}

const isNumbered = (table: TableName, column: string): boolean =>
  (["taxonomies", "audit_log", "jobs"].includes(table) && column === "id") ||
  (["figure_changes", "changes", "public_changes"].includes(table) && column === "seq") ||
  (table === "search_documents" && column === "doc");

/** Two users; a team with an owner and a free one for each kind; a project with a version, its file and a picture. */
export const world: Insert[] = [
  ["blobs", rowFor("blobs", { sha512: bytes(64) })],
  ["users", rowFor("users", { id: "alice", user_name: "Alice", email: "alice@example.com" })],
  ["users", rowFor("users", { id: "bob", user_name: "Bob", email: "bob@example.com" })],
  ["applications", rowFor("applications", { id: "application" })],
  ["images", rowFor("images", { id: "image" })],
  ["teams", rowFor("teams", { id: "team" })],
  ["teams", rowFor("teams", { id: "spare-team" })],
  ["teams", rowFor("teams", { id: "org-team", kind: "organization" })],
  ["teams", rowFor("teams", { id: "busy-org-team", kind: "organization" })],
  ["organizations", rowFor("organizations", { id: "organization", team_id: "busy-org-team" })],
  ["team_members", rowFor("team_members", { user_id: "alice", is_owner: 1 })],
  ["projects", rowFor("projects", { id: "project", team_id: "team", slug: "taken" })],
  ["versions", rowFor("versions", { id: "version", version_number: "1.0.0", slug: "1.0.0" })],
  ["version_files", rowFor("version_files", { id: "file", name: "Mod.jar" })],
  ["gallery_items", rowFor("gallery_items", { featured: 1, order_index: 1001 })],
  ["threads", rowFor("threads", { id: "thread", entity_id: "project" })],
  ["reports", rowFor("reports", { id: "report" })],
  ["collections", rowFor("collections", { id: "collection" })],
  ["webhooks", rowFor("webhooks", { id: "webhook" })],
];

/** In one transaction, because some constraints are deferred. */
export async function insertAll(db: Kysely<Tables>, inserts: readonly Insert[]): Promise<void> {
  await db.transaction().execute(async (tx: Transaction<Tables>) => {
    for (const [table, row] of inserts)
      await tx
        .insertInto(table)
        .values(row as never)
        .execute();
  });
}

/** In reverse order, each row by all its values. */
export async function deleteAll(db: Kysely<Tables>, inserts: readonly Insert[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const [table, row] of inserts.toReversed()) {
      let deletion = tx.deleteFrom(table);
      for (const [column, value] of Object.entries(row))
        if (value !== null) deletion = deletion.where(column as never, "=", value as never);
      const { numDeletedRows } = await deletion.executeTakeFirst();
      if (numDeletedRows !== 1n) throw new Error(`${numDeletedRows} rows of ${table} fit where one should`);
    }
  });
}
