// What answers about quarantines and denied contents are made of.
import Type, { type Static } from "typebox";
import { Id, Named, Nullable, Timestamp } from "../http/schemas.js";
import { Status, VisibilityOf } from "../projects/shapes.js";

export const Moderator = Nullable(
  Type.Object({ id: Id, userName: Type.String() }, { description: "Null where the account is gone" }),
);

export const HeldVersion = Named("HeldVersion", {
  id: Id,
  versionNumber: Type.String(),
  title: Type.String(),
  datePublished: Timestamp,
  downloads: Type.Integer(),
  quarantined: Type.Boolean(),
  project: Type.Object({
    id: Id,
    slug: Type.String(),
    name: Type.String(),
    status: Status,
    visibility: VisibilityOf,
  }),
});
export type HeldVersion = Static<typeof HeldVersion>;

export const Quarantine = Named("Quarantine", {
  id: Id,
  versionId: Nullable(Id),
  sha512: Nullable(Type.String({ description: "Every version that has a file with this content" })),
  reason: Type.String(),
  createdBy: Moderator,
  dateCreated: Timestamp,
  liftedBy: Moderator,
  dateLifted: Nullable(Timestamp),
});
export type Quarantine = Static<typeof Quarantine>;

export const DeniedHash = Named("DeniedHash", {
  sha512: Nullable(Type.String()),
  sha1: Nullable(Type.String()),
  reason: Type.String(),
  createdBy: Moderator,
  dateCreated: Timestamp,
});
export type DeniedHash = Static<typeof DeniedHash>;
