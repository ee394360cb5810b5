// The published content: teams, organizations, projects, versions, files, pictures, and the taxonomy.

import type { PackSummary } from "#lib/pack-summary.js";
import type { Provenance } from "#lib/provenance.js";
import { bytes, defaulted, flag, integer, json, nullable, serial, type TableShapes, text, time } from "./columns.js";

export type ProjectStatus = "draft" | "processing" | "approved" | "withheld" | "rejected";
export type Visibility = "listed" | "unlisted" | "private" | "archived";
export type Channel = "release" | "beta" | "alpha" | "dev";
export type Environment = "unknown" | "required" | "optional" | "unsupported";
export type DependencyType = "required" | "optional" | "incompatible" | "embedded";
export type RetiredKind = "project" | "version" | "organization";
export type ImageOwner = "user" | "project" | "organization" | "collection";

export const contentTables = {
  taxonomies: { id: serial, digest: text(), source: text(), document: text(), date_created: time },
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
  // The owner has offered the team to another member, who has to accept.
  ownership_offers: { team_id: text(), user_id: text(), offered_by: text(), date_created: time, date_expires: time },
  // Sent to an address, with or without an account: the inviter must not learn whether the address has one.
  mail_invites: {
    id: text(),
    team_id: text(),
    email: text(),
    role: text(),
    permissions: json<string[]>(),
    org_permissions: json<string[]>(),
    invited_by: text(),
    // The digest of the code in the mail; null until it is sent.
    code_digest: nullable(bytes),
    date_created: time,
    date_expires: time,
  },
  organizations: {
    id: text(),
    team_id: text(),
    name: text(),
    slug: text(),
    description: text(),
    icon_id: nullable(text()),
    date_created: time,
    followers: defaulted(integer),
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
    // As the manifest of the last published file writes it.
    named_license: nullable(text()),
    issue_tracker_url: nullable(text()),
    source_url: nullable(text()),
    wiki_url: nullable(text()),
    discord_url: nullable(text()),
    donation_links: json<{ platform: string; url: string }[]>(),
    // Only what the author has stated (content/shapes/disclosures.ts).
    disclosures: json<object>(),
    client_side: text<Environment>(),
    server_side: text<Environment>(),
    // The union over its versions, updated by every write to a version so that lists need no join.
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
    // An earlier place in the queue that it has kept; null: the place of date_queued.
    date_ranked: nullable(time),
    // The page at another registry that it was imported from, and when.
    imported_from: nullable(json<{ url: string; date: number }>()),
  },
  // Moves into an organization that can still be undone, with the previous team.
  project_moves: {
    project_id: text(),
    org_id: text(),
    moved_by: text(),
    members: json<unknown>(),
    date_created: time,
    date_expires: time,
  },
  project_categories: { project_id: text(), category: text(), featured: flag },
  project_old_slugs: { slug: text(), project_id: text(), date_retired: time },
  organization_old_slugs: { slug: text(), org_id: text(), date_retired: time },
  // Names of deleted objects, which stay reserved until that date.
  retired_names: {
    kind: text<RetiredKind>(),
    // The project's id for a version, otherwise empty.
    scope: text(),
    name: text(),
    object_id: text(),
    date_retired: time,
    date_expires: time,
  },
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
    // The recommended version of the same project.
    yank_replacement_id: nullable(text()),
    // Set for versions that a trusted build has published.
    provenance: nullable(json<Provenance>()),
    // Set while it is quarantined: then only moderators can see it.
    date_quarantined: nullable(time),
    // Set if its primary file is a pack.
    pack: nullable(json<PackSummary>()),
  },
  // The files that a pack lists, in the order of their paths. Whether they are on this site is looked up by hash.
  pack_files: {
    version_id: text(),
    position: integer,
    path: text(),
    size: nullable(integer),
    sha1: nullable(bytes),
    sha512: nullable(bytes),
    client: text<"required" | "optional" | "unsupported">(),
    server: text<"required" | "optional" | "unsupported">(),
    // Where it is downloaded; null if the pack contains it, or does not say.
    host: nullable(text()),
    is_inside: flag,
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
    // The pack in the version's primary file contains it: the author did not name it.
    from_pack: defaulted(flag),
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
  // The verdict of the malware scanner about a content. A row that holds hides the versions that were published since then.
  file_scans: {
    sha512: bytes,
    state: text<"waiting" | "clean" | "infected" | "unscanned">(),
    holds: flag,
    // The name of the signature, or why the content was not scanned.
    finding: nullable(text()),
    // The finding that a moderator has accepted.
    released: nullable(text()),
    // The version of the scanner and its signatures.
    scanner: nullable(text()),
    attempts: integer,
    date_created: time,
    date_scanned: nullable(time),
  },
} satisfies TableShapes;
