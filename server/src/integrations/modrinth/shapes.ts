// Projects, versions and users as Modrinth's API v2 names them. docs/modrinth.md explains the fields.
import Type, { type Static, type TSchema } from "typebox";
import { Nullable } from "#platform/http/schemas.js";

const text = Type.String();
const texts = Type.Array(text);
const maybe = Nullable(text);
const count = Type.Integer();
const yesOrNo = Type.Boolean();

const Donation = Type.Object({ id: text, platform: text, url: text });

const Picture = Type.Object({
  url: text,
  raw_url: text,
  featured: yesOrNo,
  title: maybe,
  description: maybe,
  created: text,
  ordering: count,
});

export const ModrinthProject = Type.Object({
  // First, as in our own answers, so that the rest can be kept while downloads are counted (pieces.ts).
  downloads: count,
  id: text,
  slug: text,
  project_type: text,
  all_project_types: texts,
  team: text,
  organization: maybe,
  title: text,
  description: text,
  body: text,
  body_url: Type.Null(),
  published: text,
  updated: text,
  approved: maybe,
  queued: Type.Null(),
  status: text,
  requested_status: maybe,
  moderator_message: Type.Null(),
  license: Type.Object({ id: text, name: text, url: maybe }),
  client_side: text,
  server_side: text,
  followers: count,
  categories: texts,
  additional_categories: texts,
  game_versions: texts,
  loaders: texts,
  versions: texts,
  icon_url: maybe,
  issues_url: maybe,
  source_url: maybe,
  wiki_url: maybe,
  discord_url: maybe,
  donation_urls: Type.Array(Donation),
  gallery: Type.Array(Picture),
  color: Nullable(count),
  thread_id: Type.Null(),
  monetization_status: text,
});
export type ModrinthProject = Static<typeof ModrinthProject>;

const File = Type.Object({
  hashes: Type.Object({ sha1: text, sha512: text }),
  url: text,
  filename: text,
  primary: yesOrNo,
  size: count,
  file_type: maybe,
});

const Dependency = Type.Object({
  version_id: maybe,
  project_id: maybe,
  file_name: Type.Null(),
  dependency_type: text,
});

export const ModrinthVersion = Type.Object({
  downloads: count,
  id: text,
  project_id: text,
  author_id: text,
  featured: yesOrNo,
  name: text,
  version_number: text,
  changelog: maybe,
  changelog_url: Type.Null(),
  date_published: text,
  version_type: text,
  status: text,
  requested_status: Type.Null(),
  files: Type.Array(File),
  dependencies: Type.Array(Dependency),
  game_versions: texts,
  loaders: texts,
});
export type ModrinthVersion = Static<typeof ModrinthVersion>;

export const ModrinthHit = Type.Object({
  downloads: count,
  project_id: text,
  project_type: text,
  all_project_types: texts,
  slug: text,
  author: text,
  title: text,
  description: text,
  categories: texts,
  display_categories: texts,
  versions: texts,
  follows: count,
  icon_url: maybe,
  date_created: text,
  date_modified: text,
  latest_version: maybe,
  license: text,
  client_side: text,
  server_side: text,
  gallery: texts,
  featured_gallery: maybe,
  color: Nullable(count),
  thread_id: Type.Null(),
  monetization_status: text,
});
export type ModrinthHit = Static<typeof ModrinthHit>;

export const ModrinthUser = Type.Object({
  id: text,
  username: text,
  name: maybe,
  avatar_url: maybe,
  bio: maybe,
  created: text,
  role: text,
  badges: count,
  email: Type.Optional(maybe),
  email_verified: Type.Optional(Nullable(yesOrNo)),
  has_password: Type.Optional(Type.Null()),
  has_totp: Type.Optional(Type.Null()),
  auth_providers: Type.Optional(Type.Null()),
  payout_data: Type.Null(),
  github_id: Type.Null(),
});
export type ModrinthUser = Static<typeof ModrinthUser>;

export const ModrinthMember = Type.Object({
  team_id: text,
  user: ModrinthUser,
  role: text,
  is_owner: yesOrNo,
  permissions: Nullable(count),
  accepted: yesOrNo,
  payouts_split: Type.Null(),
  ordering: count,
});
export type ModrinthMember = Static<typeof ModrinthMember>;

/** A map from each hash of a request. */
export const ByHash = <T extends TSchema>(value: T) => Type.Record(Type.String(), value);

/** Modrinth answers most writes without a body. */
export const nothing = { raw: "application/json", description: "No content" } as const;
