// A notification as answers show it (earlier-service 5.16), and what a user wants to be told, and how.
import Type, { type Static } from "typebox";
import { FollowDefaults } from "../follows/shapes.js";
import { Id, ImageUrl, Named, Nullable, Timestamp } from "../http/schemas.js";

/** What moderators have to say is never muted: whoever does not hear it learns too late. */
export const mutableTypes = ["team_invite", "organization_invite", "version_published"] as const;
export type MutableType = (typeof mutableTypes)[number];

const bodies = [
  "team_invite: teamId, projectId, invitedBy, role",
  "organization_invite: teamId, orgId, invitedBy, role",
  "ownership_offer: teamId, invitedBy, and projectId or orgId",
  "ownership_taken, ownership_declined: teamId, userId, and projectId or orgId",
  "token_expiring: tokenId, tokenName, daysLeft",
  "version_withdrawn: projectId, versionIds, reason, replacementId (the version to take instead, or null)",
  "status_change: projectId, new_status, prev_status",
  "version_published: projectId, versionIds (newest first, at most 50), versionCount",
  "thread_message: threadId, messageId and what the conversation is about",
  "report_closed, report_reopened: reportId, threadId, itemType, itemId, outcome",
  "webhook_disabled: webhookId, host, reason, and projectId or orgId",
  "version_quarantined, version_released: projectId, versionId, versionNumber, reason",
];

export const NotificationAbout = Named(
  "NotificationAbout",
  {
    kind: Type.Enum(["project", "organization"]),
    id: Id,
    name: Type.String(),
    slug: Type.String(),
    icon: Nullable(ImageUrl),
    url: Type.String({ format: "uri", description: "Its page" }),
  },
  { description: "What it is about, where the reader may see that" },
);
export type NotificationAbout = Static<typeof NotificationAbout>;

export const Notification = Named("Notification", {
  id: Id,
  userId: Id,
  type: Type.String({ examples: ["version_published"] }),
  dateCreated: Timestamp,
  read: Type.Boolean(),
  dateRead: Nullable(Timestamp),
  body: Type.Record(Type.String(), Type.Unknown(), { description: `By type. ${bodies.join("; ")}` }),
  text: Type.String({ description: "The news in a sentence", examples: ["Fancy lamps has a new version: 1.2.0"] }),
  about: Nullable(NotificationAbout),
});
export type Notification = Static<typeof Notification>;

export const Digest = Type.Enum(["off", "daily", "weekly"], {
  description: "How often unread notifications are sent by mail",
  examples: ["weekly"],
});
export const Muted = Type.Array(Type.Enum([...mutableTypes]), {
  maxItems: 16,
  description: "Types that are not wanted at all",
});

export const NotificationSettings = Named("NotificationSettings", {
  digest: Digest,
  muted: Muted,
  followDefaults: FollowDefaults,
  mail: Type.Enum(["ready", "addressUnconfirmed", "unavailable"], {
    description:
      "Whether digests can reach you. addressUnconfirmed: confirm your e-mail address first; unavailable: this site sends no mail",
  }),
});
export type NotificationSettings = Static<typeof NotificationSettings>;
