// Groups of notification types, to filter by.

export const notificationKinds = {
  updates: ["version_published", "version_withdrawn", "project_published"],
  teams: ["team_invite", "organization_invite", "ownership_offer", "ownership_taken", "ownership_declined"],
  review: ["status_change", "thread_message", "version_quarantined", "version_released"],
  reports: ["report_closed", "report_reopened"],
  account: ["token_expiring", "webhook_disabled"],
} as const satisfies Record<string, readonly string[]>;

export type NotificationKind = keyof typeof notificationKinds;
export const kindNames = Object.keys(notificationKinds) as NotificationKind[];

/** Undefined, for all groups, if the URL names no known one. */
export const kindOf = (text: string | undefined): NotificationKind | undefined =>
  kindNames.find((name) => name === text);
