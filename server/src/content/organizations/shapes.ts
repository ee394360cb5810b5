// An organization as answers show it (interface §2).
import Type, { type Static } from "typebox";
import { Member } from "#content/members/shapes.js";
import { Described, Id, ImageUrl, Named } from "#platform/http/schemas.js";

export const Organization = Named(
  "Organization",
  {
    id: Described(Id, "Id of the organization"),
    teamId: Described(Id, "Id of the organization's team"),
    name: Type.String({
      description: "Name of the organization",
    }),
    slug: Type.String({ description: "Name in URLs" }),
    icon: Described(ImageUrl, "URL of the organization's picture"),
    description: Type.String({ description: "Description of the organization" }),
    members: Type.Array(Member, { description: "Members; invited ones only for members" }),
  },
  { description: "A group of users that owns projects" },
);
export type Organization = Static<typeof Organization>;
