// Turns our own answers into those of Modrinth's API v2. Pure: it decides nothing about visibility.
import type { User } from "#accounts/users/contract.js";
import { projectPermissions } from "#content/members/permissions.js";
import type { Member } from "#content/members/shapes.js";
import type { Project } from "#content/shapes/project.js";
import type { Version } from "#content/shapes/version.js";
import type { Channel } from "#platform/db/tables.js";
import type { ModrinthHit, ModrinthMember, ModrinthProject, ModrinthUser, ModrinthVersion } from "./shapes.js";

/** Modrinth writes "resourcepack" where other taxonomies have "resource-pack". */
export const toTypeName = (type: string): string => type.replaceAll("-", "");

/** The one type that API v2 can show. Plugins and data packs are mods there; all types are in another field. */
function toProjectType(types: readonly string[]): string {
  const names = types.map(toTypeName);
  const name = names.includes("modpack") ? "modpack" : (names[0] ?? "project");
  return name === "plugin" || name === "datapack" ? "mod" : name;
}

const toColor = (color: string): number | null => {
  const number = Number.parseInt(color.slice(1), 16);
  return Number.isNaN(number) ? null : number;
};

/** The state that both fields of ours mean together. */
const toStatus = ({ status, visibility }: Project): string =>
  status !== "approved" || visibility === "listed" ? status : visibility;

/** Licenses without an id of their own have these in Modrinth's answers. */
export const unknownLicenses = ["LicenseRef-Custom", "LicenseRef-Unknown"] as const;
const toLicenseId = ({ licenseId, licenseName }: Project): string =>
  licenseId || unknownLicenses[licenseName === "" ? 1 : 0];

/** `versionIds`: versions that are offered, newest first. Lists of game versions and versions begin with the oldest. */
export function toModrinthProject(project: Project, versionIds: readonly string[]): ModrinthProject {
  const { categories, featuredCategories } = project;
  const shown = featuredCategories.length > 0 ? featuredCategories : categories;
  return {
    downloads: project.downloads,
    id: project.id,
    slug: project.slug,
    project_type: toProjectType(project.type),
    all_project_types: project.type.map(toTypeName),
    team: project.teamId,
    organization: project.orgId,
    title: project.name,
    description: project.summary,
    body: project.description,
    body_url: null,
    published: project.datePublished,
    updated: project.dateUpdated,
    approved: project.status === "approved" ? project.datePublished : null,
    queued: null,
    status: toStatus(project),
    requested_status: project.requestedStatus,
    moderator_message: null,
    license: { id: toLicenseId(project), name: project.licenseName, url: project.licenseUrl || null },
    client_side: project.clientSide,
    server_side: project.serverSide,
    followers: project.followers,
    categories: [...shown],
    additional_categories: categories.filter((name) => !shown.includes(name)),
    game_versions: project.gameVersions.toReversed(),
    loaders: project.loaders,
    versions: versionIds.toReversed(),
    icon_url: project.icon,
    issues_url: project.issueTrackerUrl,
    source_url: project.projectSourceUrl,
    wiki_url: project.projectWikiUrl,
    discord_url: project.discordInviteUrl,
    donation_urls: project.donationLinks.map(({ platform, url }) => ({ id: toPlatformId(platform), platform, url })),
    gallery: project.gallery.map((item, at) => ({
      url: item.image,
      raw_url: item.image,
      featured: item.featured,
      title: item.name,
      description: item.description || null,
      created: item.dateCreated,
      // The smallest comes first, in contrast to ours.
      ordering: at,
    })),
    color: toColor(project.color),
    thread_id: null,
    monetization_status: "demonetized",
  };
}

export const toPlatformId = (platform: string): string => platform.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

/** Loaders are among the categories in results of a search. */
export function toModrinthHit(project: Project): ModrinthHit {
  const { organisation, members, gallery, featuredCategories, categories, gameVersions } = project;
  const owner = members.find(({ isOwner }) => isOwner);
  return {
    downloads: project.downloads,
    project_id: project.id,
    project_type: toProjectType(project.type),
    all_project_types: project.type.map(toTypeName),
    slug: project.slug,
    author: organisation?.slug ?? owner?.userName ?? "",
    title: project.name,
    description: project.summary,
    categories: [...new Set([...categories, ...project.loaders])],
    display_categories: [
      ...new Set([...(featuredCategories.length > 0 ? featuredCategories : categories), ...project.loaders]),
    ],
    versions: gameVersions.toReversed(),
    follows: project.followers,
    icon_url: project.icon,
    date_created: project.datePublished,
    date_modified: project.dateUpdated,
    latest_version: gameVersions[0] ?? null,
    license: toLicenseId(project),
    client_side: project.clientSide,
    server_side: project.serverSide,
    gallery: gallery.filter(({ featured }) => !featured).map(({ image }) => image),
    featured_gallery: gallery.find(({ featured }) => featured)?.image ?? null,
    color: toColor(project.color),
    thread_id: null,
    monetization_status: "demonetized",
  };
}

const channelNames: Record<Channel, string> = { release: "release", beta: "beta", alpha: "alpha", dev: "alpha" };

/** The channels that a version type means. */
export const channelsOf = (versionType: string): Channel[] =>
  (Object.keys(channelNames) as Channel[]).filter((channel) => channelNames[channel] === versionType);

export const versionTypes = [...new Set(Object.values(channelNames))];

export const toModrinthVersion = (version: Version, { changelog = true } = {}): ModrinthVersion => ({
  downloads: version.downloads,
  id: version.id,
  project_id: version.projectId,
  author_id: version.author.id,
  featured: version.featured,
  name: version.title,
  version_number: version.versionNumber,
  changelog: changelog ? version.changelog : null,
  changelog_url: null,
  date_published: version.datePublished,
  version_type: channelNames[version.releaseChannel],
  // Withdrawn versions can still be downloaded, but should not be chosen.
  status: version.yanked ? "archived" : "listed",
  requested_status: null,
  files: version.files.map((file) => ({
    hashes: { sha1: file.sha1_hash, sha512: file.sha512_hash },
    url: file.url,
    filename: file.name,
    primary: file.isPrimary,
    size: file.size,
    file_type: null,
  })),
  dependencies: version.dependencies.map(({ projectId, versionId, dependencyType }) => ({
    version_id: versionId,
    project_id: projectId,
    file_name: null,
    dependency_type: dependencyType,
  })),
  game_versions: version.gameVersions.toReversed(),
  loaders: version.loaders,
});

const roleNames: Record<User["role"], string> = { user: "developer", moderator: "moderator", admin: "admin" };

export const toModrinthUser = (user: User): ModrinthUser => ({
  id: user.id,
  username: user.userName,
  name: user.name,
  avatar_url: user.avatar,
  bio: user.bio,
  created: user.dateJoined,
  role: roleNames[user.role],
  badges: 0,
  payout_data: null,
  github_id: null,
});

/** Null if the caller may not see permissions, as for guests; owners have all of them. */
function toPermissions({ isOwner, permissions }: Member, isInsider: boolean): number | null {
  if (!isInsider) return null;
  // Modrinth's bits are in the order of our list.
  return projectPermissions.reduce(
    (bits, name, at) => (isOwner || permissions.includes(name) ? bits | (1 << at) : bits),
    0,
  );
}

export const toModrinthMember = (
  member: Member,
  user: ModrinthUser,
  ordering: number,
  isInsider: boolean,
): ModrinthMember => ({
  team_id: member.teamId,
  user,
  role: member.role,
  is_owner: member.isOwner,
  permissions: toPermissions(member, isInsider),
  accepted: member.accepted,
  payouts_split: null,
  ordering,
});
