// Parts of the answers about quarantines and denied contents.
import Type, { type Static } from "typebox";
import { Status, VisibilityOf } from "#content/shapes/project.js";
import { Described, Id, Named, Nullable, Timestamp } from "#platform/http/schemas.js";

export const Moderator = Nullable(
  Type.Object(
    { id: Described(Id, "Id of the moderator"), userName: Type.String({ description: "Username of the moderator" }) },
    { description: "The moderator; null where the account was deleted, or it has not happened" },
  ),
);

export const HeldVersion = Named(
  "HeldVersion",
  {
    id: Described(Id, "Id of the version"),
    versionNumber: Type.String({ description: "Version number" }),
    title: Type.String({ description: "Title of the version" }),
    datePublished: Described(Timestamp, "When it was published"),
    downloads: Type.Integer({ description: "How often it was downloaded" }),
    quarantined: Type.Boolean({ description: "Whether it is in quarantine now" }),
    project: Type.Object(
      {
        id: Described(Id, "Id of the project"),
        slug: Type.String({ description: "Name in addresses" }),
        name: Type.String({ description: "Name of the project" }),
        status: Status,
        visibility: VisibilityOf,
      },
      { description: "The project that it belongs to" },
    ),
  },
  { description: "A version that a quarantine is about" },
);
export type HeldVersion = Static<typeof HeldVersion>;

export const Quarantine = Named(
  "Quarantine",
  {
    id: Described(Id, "Id of the quarantine"),
    versionId: Nullable(Id, "Id of the one version that it holds; null where it holds a content"),
    sha512: Nullable(Type.String({ description: "Every version that has a file with this content" })),
    reason: Type.String({ description: "Why; the authors are told" }),
    createdBy: Moderator,
    dateCreated: Described(Timestamp, "Since when"),
    liftedBy: Moderator,
    dateLifted: Nullable(Timestamp, "When it was lifted; null while it is in force"),
  },
  { description: "A version or content that is held back" },
);
export type Quarantine = Static<typeof Quarantine>;

export const DeniedHash = Named(
  "DeniedHash",
  {
    sha512: Nullable(Type.String(), "SHA-512 in hex; null where only SHA-1 is known"),
    sha1: Nullable(Type.String(), "SHA-1 in hex; null where it is not known"),
    reason: Type.String({ description: "Why" }),
    createdBy: Moderator,
    dateCreated: Described(Timestamp, "Since when"),
  },
  { description: "A content that cannot be published" },
);
export type DeniedHash = Static<typeof DeniedHash>;
