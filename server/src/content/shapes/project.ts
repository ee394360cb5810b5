// A project as answers show it: full, and as an item of lists (interface §2).
import Type, { type Static } from "typebox";
import { Member } from "#content/members/shapes.js";
import { Choice, Described, Id, ImageUrl, Named, Nullable, Timestamp } from "#platform/http/schemas.js";
import { Disclosures } from "./disclosures.js";
import { Version } from "./version.js";
import { DonationLink } from "./web-links.js";

export const statuses = ["draft", "processing", "approved", "withheld", "rejected"] as const;
export const visibilities = ["listed", "unlisted", "private", "archived"] as const;
export const environments = ["unknown", "required", "optional", "unsupported"] as const;

export const Status = Choice(
  {
    draft: "Not submitted for review yet; only its members see it",
    processing: "Waits for a review; only its members see it",
    approved: "Reviewed and public, as far as its visibility allows",
    withheld: "Hidden by a moderator, who says what to change",
    rejected: "Refused by a moderator; only its members see it",
  } satisfies Record<(typeof statuses)[number], string>,
  { description: "Review status of the project" },
);
const visibilityMeanings = {
  listed: "Everyone can find it",
  unlisted: "Everyone with the link can see it; no list or search shows it",
  private: "Only its members can see it",
  archived: "Everyone can find it, and it takes no new versions",
} satisfies Record<(typeof visibilities)[number], string>;
export const VisibilityOf = Choice(visibilityMeanings, { description: "Visibility of the project" });
export const NewVisibility = Choice(visibilityMeanings, {
  description: "Visibility of the project once it is approved",
  default: "listed",
});
export const EnvironmentOf = Choice(
  {
    unknown: "Not specified by the author",
    required: "It must be installed there",
    optional: "It works there, and is not needed there",
    unsupported: "It does not work there",
  } satisfies Record<(typeof environments)[number], string>,
  { description: "Whether the project is installed on this side" },
);

export const GalleryItem = Named(
  "GalleryItem",
  {
    id: Described(Id, "Id of the picture"),
    name: Type.String({ description: "Title of the picture" }),
    description: Type.String({ description: "Text below the picture; may be empty" }),
    image: Described(ImageUrl, "URL of the picture"),
    imageThumbnail: Described(ImageUrl, "URL of a small copy"),
    featured: Type.Boolean({ description: "Whether lists of projects show this picture" }),
    dateCreated: Described(Timestamp, "When it was added"),
    orderIndex: Type.Integer({ description: "Pictures with a higher number come first" }),
  },
  { description: "A picture of a project's gallery" },
);
export type GalleryItem = Static<typeof GalleryItem>;

export const ProjectOrganization = Named(
  "ProjectOrganization",
  {
    id: Described(Id, "Id of the organization"),
    name: Type.String({
      description: "Name of the organization",
    }),
    slug: Type.String({ description: "Name in URLs" }),
    description: Type.String({ description: "Description of the organization" }),
    icon: Described(ImageUrl, "URL of the organization's picture"),
    members: Type.Array(Member, { description: "Members of the organization" }),
  },
  { description: "The organization that a project belongs to" },
);

const ImportedFrom = Type.Object(
  {
    url: Type.String({ description: "Page of the project at the other registry" }),
    date: Described(Timestamp, "When it was imported"),
  },
  { description: "Where a project was imported from" },
);

export const Project = Named(
  "Project",
  {
    id: Described(Id, "Id of the project"),
    teamId: Described(Id, "Id of the project's own team"),
    orgId: Nullable(Id, "Id of the organization that it belongs to; null where it belongs to users"),
    name: Type.String({ description: "Name of the project" }),
    icon: Nullable(ImageUrl, "URL of the icon; null where there is none"),
    status: Status,
    requestedStatus: Nullable(Type.Literal("approved"), "The requested status; null while it is not in review"),
    summary: Type.String({ description: "Short description, in a sentence" }),
    description: Type.String({ description: "Markdown" }),
    type: Type.Array(Type.String(), { description: "Project types, such as mod; see getProjectTypes" }),
    categories: Type.Array(Type.String(), { description: "All categories; see getCategories" }),
    featuredCategories: Type.Array(Type.String(), { description: "Up to three categories that lists show" }),
    licenseId: Type.String({ description: "Id of the license; empty where none was chosen" }),
    licenseName: Type.String({ description: "Name of the license" }),
    licenseUrl: Type.String({ description: "URL of the license; may be empty" }),
    dateUpdated: Described(Timestamp, "When its newest version was published or its details changed"),
    datePublished: Described(Timestamp, "When it was approved, or created if it is not approved yet"),
    downloads: Type.Integer({ description: "Downloads of all versions together" }),
    followers: Type.Integer({ description: "How many users follow it" }),
    slug: Type.String({ description: "Name in URLs" }),
    visibility: VisibilityOf,
    issueTrackerUrl: Nullable(Type.String(), "URL of the issue tracker"),
    projectSourceUrl: Nullable(Type.String(), "URL of the source code"),
    projectWikiUrl: Nullable(Type.String(), "URL of the documentation"),
    discordInviteUrl: Nullable(Type.String(), "Invitation to a Discord server"),
    donationLinks: Type.Array(DonationLink, { description: "Donation links of the authors" }),
    disclosures: Disclosures,
    clientSide: Described(EnvironmentOf, "Whether it is installed on the player's machine"),
    serverSide: Described(EnvironmentOf, "Whether it is installed on the server"),
    loaders: Type.Array(Type.String(), { description: "Loaders of all its versions" }),
    gameVersions: Type.Array(Type.String(), { description: "Game versions of all its versions, newest first" }),
    gallery: Type.Array(GalleryItem, { description: "Pictures, in the order in which they are shown" }),
    members: Type.Array(Member, { description: "Members of the project's own team" }),
    organisation: Nullable(ProjectOrganization, "The organization that it belongs to; null where it belongs to users"),
    color: Type.String({ description: "The main color of the icon, as #rrggbb" }),
    importedFrom: Nullable(
      ImportedFrom,
      "The registry that it was imported from; null where it was published here first",
    ),
    versions: Type.Optional(Type.Array(Version, { description: "With includeVersions=true only" })),
  },
  { description: "A project with everything that its page shows" },
);
export type Project = Static<typeof Project>;

export const ProjectListItem = Named(
  "ProjectListItem",
  {
    icon: Nullable(ImageUrl, "URL of the icon; null where there is none"),
    id: Described(Id, "Id of the project"),
    slug: Type.String({ description: "Name in URLs" }),
    name: Type.String({ description: "Name of the project" }),
    summary: Type.String({ description: "Short description, in a sentence" }),
    type: Type.Array(Type.String(), { description: "Project types, such as mod; see getProjectTypes" }),
    downloads: Type.Integer({ description: "Downloads of all versions together" }),
    followers: Type.Integer({ description: "How many users follow it" }),
    dateUpdated: Described(Timestamp, "When its newest version was published or its details changed"),
    datePublished: Described(Timestamp, "When it was approved, or created if it is not approved yet"),
    status: Status,
    visibility: VisibilityOf,
    clientSide: Described(EnvironmentOf, "Whether it is installed on the player's machine"),
    serverSide: Described(EnvironmentOf, "Whether it is installed on the server"),
    featuredCategories: Type.Array(Type.String(), { description: "Up to three categories that lists show" }),
    categories: Type.Array(Type.String(), { description: "All categories; see getCategories" }),
    gameVersions: Type.Array(Type.String(), { description: "Game versions of all its versions, newest first" }),
    loaders: Type.Array(Type.String(), { description: "Loaders of all its versions" }),
    featured_gallery: Nullable(ImageUrl, "URL of the featured picture; null where there is none"),
    color: Type.String({ description: "The main color of the icon, as #rrggbb" }),
    author: Type.Optional(
      Type.String({ description: "Username of the owner, or the organization's slug; absent in the random list" }),
    ),
    isOrgOwned: Type.Optional(
      Type.Boolean({ description: "Whether an organization owns it; absent in the random list" }),
    ),
    orgName: Type.Optional(
      Type.String({
        description: "Name of the organization that owns it; absent where a user does, and in the random list",
      }),
    ),
    versions: Type.Optional(
      Type.Union([Type.Array(Type.String()), Type.Array(Version)], {
        description: "Only with include: version numbers, slugs or whole versions",
      }),
    ),
  },
  { description: "A project as lists show it" },
);
export type ProjectListItem = Static<typeof ProjectListItem>;
