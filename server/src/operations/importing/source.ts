// The content of another registry, in one form for every kind of registry. crmm.ts and modrinth.ts fill it.
import type { DisclosuresEdit } from "#content/shapes/disclosures.js";
import type { DonationLink } from "#content/shapes/web-links.js";

export interface SourceMember {
  userId: string;
  userName: string;
  role: string;
  isOwner: boolean;
}

export interface SourcePicture {
  /** Identifies the picture too: registries never put another picture under the same URL. */
  url: string;
  title: string;
  description: string;
  featured: boolean;
  date: number;
}

export interface SourceProject {
  id: string;
  slug: string;
  name: string;
  summary: string;
  description: string;
  types: readonly string[];
  /** The registry names one type only; the others follow from the loaders. */
  typesFollowLoaders: boolean;
  categories: readonly string[];
  featuredCategories: readonly string[];
  license: { id: string; name: string; url: string };
  links: Record<"issueTracker" | "sourceCode" | "wikiPage" | "discordServer", string | null>;
  donationLinks: readonly DonationLink[];
  /** Absent if the registry does not have any. */
  disclosures: DisclosuresEdit | undefined;
  clientSide: string;
  serverSide: string;
  visibility: "listed" | "unlisted" | "archived";
  iconUrl: string | null;
  /** In the order in which they are shown. */
  gallery: readonly SourcePicture[];
  members: readonly SourceMember[];
  orgId: string | null;
  datePublished: number;
  dateUpdated: number;
}

export interface SourceFile {
  name: string;
  url: string;
  size: number;
  sha1: string;
  sha512: string;
}

export interface SourceDependency {
  projectId: string | null;
  versionId: string | null;
  type: string;
}

export interface SourceVersion {
  id: string;
  number: string;
  title: string;
  changelog: string;
  channel: string;
  featured: boolean;
  loaders: readonly string[];
  gameVersions: readonly string[];
  datePublished: number;
  authorId: string | null;
  authorName: string | null;
  /** The primary file first. */
  files: readonly SourceFile[];
  dependencies: readonly SourceDependency[];
  yanked: { reason: string; replacementId: string | null } | null;
}

export interface SourceOrg {
  id: string;
  slug: string;
  name: string;
  description: string;
  iconUrl: string | null;
  members: readonly SourceMember[];
}

export type Selection =
  | { by: "projects"; refs: readonly string[] }
  | { by: "user"; name: string }
  | { by: "organization"; name: string }
  | { by: "all" };

export type SourceKind = "crmm" | "modrinth";

export interface Source {
  kind: SourceKind;
  /** Ids or slugs, each once. */
  list(selection: Selection): AsyncIterable<string>;
  /** Throws BadAnswer if it is not public there, or cannot be read. */
  project(ref: string): Promise<SourceProject>;
  versions(projectId: string): Promise<SourceVersion[]>;
  organization(id: string): Promise<SourceOrg>;
}

/** The source cannot be asked, or no more: the import ends, and can be continued later. */
export class Unreachable extends Error {}

/** The source's answer about one object is of no use: that object is left out. */
export class BadAnswer extends Error {}
