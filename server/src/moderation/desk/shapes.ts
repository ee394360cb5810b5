// Parts that several answers for moderators share.
import Type, { type Static } from "typebox";
import { Described, Id, Named, Nullable, Timestamp, timestamp } from "#platform/http/schemas.js";
import type { ClaimRow } from "./claims.js";

export const Claim = Named(
  "Claim",
  {
    userId: Described(Id, "Id of the moderator"),
    userName: Type.String({ description: "Username of the moderator" }),
    dateExpires: Described(Timestamp, "When the claim ends by itself"),
  },
  { description: "A moderator works on this at the moment" },
);
export type Claim = Static<typeof Claim>;

export const MaybeClaim = Nullable(Claim);

export const toClaim = (row: ClaimRow | undefined): Claim | null =>
  row ? { userId: row.userId, userName: row.userName, dateExpires: timestamp(row.dateExpires) } : null;

/** Pages of lists that moderators work through. */
export const page = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 100, description: "Most entries" })),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 100_000, default: 0, description: "How many entries to pass over" }),
  ),
};
