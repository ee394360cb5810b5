// The sentence of a notification: for lists, launchers and mails.

/** The names in a body, as far as the reader can see them. */
export interface KnownNames {
  project: string | undefined;
  organization: string | undefined;
  inviter: string | undefined;
  /** Another user whom it names. */
  user: string | undefined;
  token: string;
  daysLeft: number;
  /** Numbers of the new versions, newest first. */
  versions: readonly string[];
  versionCount: number;
  role: string;
  status: string;
}

const statusWords: Record<string, string> = {
  draft: "is a draft again",
  processing: "is in review",
  approved: "was approved",
  withheld: "was withheld; its conversation with the moderators says why",
  rejected: "was rejected; its conversation with the moderators says why",
};

const sentences: Record<string, (names: KnownNames) => string> = {
  team_invite: (names) => `${inviter(names)} to the team of ${names.project ?? "a project"}${as(names)}`,
  organization_invite: (names) => `${inviter(names)} to ${names.organization ?? "an organization"}${as(names)}`,
  ownership_offer: (names) => `${names.inviter ?? "Its owner"} wants to hand ${ofTeam(names)} over to you`,
  ownership_taken: (names) => `${names.user ?? "The new owner"} has taken over ${ofTeam(names)}`,
  ownership_declined: (names) => `${names.user ?? "Somebody"} does not want to take over ${ofTeam(names)}`,
  token_expiring: ({ token, daysLeft }) => `Your token ${token} ${endsIn(daysLeft)}`,
  version_withdrawn: ({ project, versions }) =>
    `${versions.length > 0 ? `Version ${versions.join(", ")}` : "A version"} of ${project ?? "a project that you follow"} was withdrawn for the sake of security; its page says why`,
  status_change: ({ project, status }) =>
    `${project ?? "A project of yours"} ${statusWords[status] ?? "has another status"}`,
  version_published: ({ project, versions, versionCount }) =>
    `${project ?? "A project that you follow"} has ${newVersions(versions, versionCount)}`,
  thread_message: ({ project }) => `There is a new message in the conversation about ${project ?? "a report of yours"}`,
  report_closed: () => "A report of yours was closed",
  report_reopened: () => "A report of yours was opened again",
  webhook_disabled: ({ project, organization }) =>
    `A webhook of ${project ?? organization ?? "yours"} was switched off: its receiver gives no good answer`,
  version_quarantined: ({ project }) =>
    `A version of ${project ?? "a project of yours"} is in quarantine; the conversation with the moderators says why`,
  version_released: ({ project }) => `A version of ${project ?? "a project of yours"} is out of quarantine`,
};

export const sentenceFor = (type: string, names: KnownNames): string =>
  (Object.hasOwn(sentences, type) ? sentences[type] : undefined)?.(names) ??
  `There is news of ${names.project ?? names.organization ?? "something of yours"}`;

const inviter = ({ inviter: name }: KnownNames): string => (name ? `${name} invites you` : "You are invited");
const ofTeam = ({ project, organization }: KnownNames): string => project ?? organization ?? "a team";
const endsIn = (days: number): string =>
  days === 0 ? "has stopped working" : `stops working in ${days} ${days === 1 ? "day" : "days"}`;
const as = ({ role }: KnownNames): string => (role === "" ? "" : ` as ${role}`);

const shownNumbers = 3;

function newVersions(numbers: readonly string[], count: number): string {
  const noun = count === 1 ? "a new version" : `${count} new versions`;
  if (numbers.length === 0) return noun;
  const shown = numbers.slice(0, shownNumbers);
  const more = Math.max(0, count - shown.length);
  const parts = more > 0 ? [...shown, `${more} more`] : shown;
  const list = parts.length === 1 ? parts[0] : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
  return `${noun}: ${list}`;
}
