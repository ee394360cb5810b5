// A project as answers show it: full, and as an item of lists (interface §2).
import Type, { type Static } from "typebox";
import { Id, ImageUrl, Named, Nullable, Timestamp } from "../http/schemas.js";
import { Member } from "../teams/shapes.js";
import { Version } from "../versions/shapes.js";
import { DonationLink } from "./web-links.js";

export const statuses = ["draft", "processing", "approved", "withheld", "rejected"] as const;
export const visibilities = ["listed", "unlisted", "private", "archived"] as const;
export const environments = ["unknown", "required", "optional", "unsupported"] as const;

export const Status = Type.Enum([...statuses]);
export const VisibilityOf = Type.Enum([...visibilities]);
export const EnvironmentOf = Type.Enum([...environments]);

export const GalleryItem = Named("GalleryItem", {
  id: Id,
  name: Type.String(),
  description: Type.String(),
  image: ImageUrl,
  imageThumbnail: ImageUrl,
  featured: Type.Boolean(),
  dateCreated: Timestamp,
  orderIndex: Type.Integer(),
});
export type GalleryItem = Static<typeof GalleryItem>;

export const ProjectOrganization = Named("ProjectOrganization", {
  id: Id,
  name: Type.String(),
  slug: Type.String(),
  description: Type.String(),
  icon: ImageUrl,
  members: Type.Array(Member),
});

const link = Nullable(Type.String());

export const Project = Named("Project", {
  id: Id,
  teamId: Id,
  orgId: Nullable(Id),
  name: Type.String(),
  icon: Nullable(ImageUrl),
  status: Status,
  requestedStatus: Nullable(Type.Literal("approved")),
  summary: Type.String(),
  description: Type.String({ description: "Markdown" }),
  type: Type.Array(Type.String()),
  categories: Type.Array(Type.String()),
  featuredCategories: Type.Array(Type.String()),
  licenseId: Type.String(),
  licenseName: Type.String(),
  licenseUrl: Type.String(),
  dateUpdated: Timestamp,
  datePublished: Timestamp,
  downloads: Type.Integer(),
  followers: Type.Integer(),
  slug: Type.String(),
  visibility: VisibilityOf,
  issueTrackerUrl: link,
  projectSourceUrl: link,
  projectWikiUrl: link,
  discordInviteUrl: link,
  donationLinks: Type.Array(DonationLink),
  clientSide: EnvironmentOf,
  serverSide: EnvironmentOf,
  loaders: Type.Array(Type.String()),
  gameVersions: Type.Array(Type.String()),
  gallery: Type.Array(GalleryItem),
  members: Type.Array(Member),
  organisation: Nullable(ProjectOrganization),
  color: Type.String({ description: "#rrggbb" }),
  versions: Type.Optional(Type.Array(Version, { description: "With includeVersions=true only" })),
});
export type Project = Static<typeof Project>;

export const ProjectListItem = Named("ProjectListItem", {
  icon: Nullable(ImageUrl),
  id: Id,
  slug: Type.String(),
  name: Type.String(),
  summary: Type.String(),
  type: Type.Array(Type.String()),
  downloads: Type.Integer(),
  followers: Type.Integer(),
  dateUpdated: Timestamp,
  datePublished: Timestamp,
  status: Status,
  visibility: VisibilityOf,
  clientSide: EnvironmentOf,
  serverSide: EnvironmentOf,
  featuredCategories: Type.Array(Type.String()),
  categories: Type.Array(Type.String()),
  gameVersions: Type.Array(Type.String()),
  loaders: Type.Array(Type.String()),
  featured_gallery: Nullable(ImageUrl),
  color: Type.String({ description: "#rrggbb" }),
  author: Type.Optional(
    Type.String({ description: "User name of the owner, or the organization's slug; absent in the random list" }),
  ),
  isOrgOwned: Type.Optional(Type.Boolean({ description: "Absent in the random list" })),
  versions: Type.Optional(
    Type.Union([Type.Array(Type.String()), Type.Array(Version)], { description: "With include only" }),
  ),
});
export type ProjectListItem = Static<typeof ProjectListItem>;
