// A notification as answers show it (earlier-service 5.16), and a user's notification settings.
import Type, { type Static } from "typebox";
import type { MutableType } from "#accounts/users/muted-notices.js";
import { FollowDefaults } from "#community/follows/shapes.js";
import { Choice, Described, Id, ImageUrl, Named, Nullable, Timestamp } from "#platform/http/schemas.js";

const bodies = [
  "team_invite: teamId, projectId, invitedBy, role",
  "organization_invite: teamId, orgId, invitedBy, role",
  "ownership_offer: teamId, invitedBy, and projectId or orgId",
  "ownership_taken, ownership_declined: teamId, userId, and projectId or orgId",
  "token_expiring: tokenId, tokenName, daysLeft",
  "version_withdrawn: projectId, versionIds, reason, replacementId (the version to take instead, or null)",
  "status_change: projectId, new_status, prev_status",
  "version_published: projectId, versionIds (newest first, at most 50), versionCount",
  "project_published: projectId, author (the name of the user or organization, or null), and userId or orgId",
  "thread_message: threadId, messageId and the subject of the conversation",
  "report_closed, report_reopened: reportId, threadId, itemType, itemId, outcome",
  "webhook_disabled: webhookId, host, reason, and projectId or orgId",
  "version_quarantined, version_released: projectId, versionId, versionNumber, reason",
];

export const NotificationAbout = Named(
  "NotificationAbout",
  {
    kind: Choice(
      { project: "A project", organization: "An organization" },
      { description: "The type of the notification" },
    ),
    id: Described(Id, "Id of the project or organization"),
    name: Type.String({ description: "Name" }),
    slug: Type.String({ description: "Name in addresses" }),
    icon: Nullable(ImageUrl, "Address of its picture; null where there is none"),
    url: Type.String({ format: "uri", description: "Its page" }),
  },
  { description: "The name of its subject, if the reader can see it" },
);
export type NotificationAbout = Static<typeof NotificationAbout>;

export const Notification = Named(
  "Notification",
  {
    id: Described(Id, "Id of the notification"),
    userId: Described(Id, "Id of the user it is for"),
    type: Type.String({ description: "Kind of news; see body", examples: ["version_published"] }),
    dateCreated: Described(Timestamp, "When it came"),
    read: Type.Boolean({ description: "Whether it was read" }),
    dateRead: Nullable(Timestamp, "When it was read; null before"),
    body: Type.Record(Type.String(), Type.Unknown(), { description: `By type. ${bodies.join("; ")}` }),
    text: Type.String({ description: "The news in a sentence", examples: ["Fancy lamps has a new version: 1.2.0"] }),
    about: Nullable(NotificationAbout),
  },
  { description: "Something that happened for a user" },
);
export type Notification = Static<typeof Notification>;

export const Digest = Choice(
  { off: "Never", daily: "Once a day", weekly: "Once a week" },
  { description: "How often unread notifications are sent by mail", examples: ["weekly"] },
);
export const Muted = Type.Array(
  Choice({
    team_invite: "Invitations to teams of projects",
    organization_invite: "Invitations to organizations",
    version_published: "New versions of followed projects",
    project_published: "New projects of followed users and organizations",
  } satisfies Record<MutableType, string>),
  {
    maxItems: 16,
    description: "Types of notifications that are not wanted at all",
  },
);

export const NotificationSettings = Named(
  "NotificationSettings",
  {
    digest: Digest,
    muted: Muted,
    followDefaults: FollowDefaults,
    mail: Choice(
      {
        ready: "Digests reach you",
        addressUnconfirmed: "Confirm your email address first",
        unavailable: "This site sends no mail",
      },
      { description: "Whether digests can reach you" },
    ),
  },
  { description: "A user's notification settings" },
);
export type NotificationSettings = Static<typeof NotificationSettings>;
