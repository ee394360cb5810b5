// What several answers for moderators are made of.
import Type, { type Static } from "typebox";
import { Id, Named, Nullable, Timestamp, timestamp } from "../http/schemas.js";
import type { ClaimRow } from "./claims.js";

export const Claim = Named("Claim", { userId: Id, userName: Type.String(), dateExpires: Timestamp });
export type Claim = Static<typeof Claim>;

export const MaybeClaim = Nullable(Claim);

export const toClaim = (row: ClaimRow | undefined): Claim | null =>
  row ? { userId: row.userId, userName: row.userName, dateExpires: timestamp(row.dateExpires) } : null;

/** Pages of lists that moderators work through. */
export const page = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 100 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000, default: 0 })),
};
