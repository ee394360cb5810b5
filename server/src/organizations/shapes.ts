// An organization as answers show it (interface §2).
import Type, { type Static } from "typebox";
import { Id, ImageUrl, Named } from "../http/schemas.js";
import { Member } from "../teams/shapes.js";

export const Organization = Named("Organization", {
  id: Id,
  teamId: Id,
  name: Type.String(),
  slug: Type.String(),
  icon: ImageUrl,
  description: Type.String(),
  members: Type.Array(Member),
});
export type Organization = Static<typeof Organization>;
