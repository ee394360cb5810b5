// English words of the notifications: one sentence for each type.
import { pluralsIn } from "#lib/plurals.js";

const plural = pluralsIn("en");

/** What a notification names, as far as the reader may know it. */
export interface NotificationNames {
  project: string | undefined;
  organization: string | undefined;
  inviter: string | undefined;
  /** Another user of whom it tells. */
  user: string | undefined;
  token: string;
  daysLeft: number;
  /** Numbers of the new versions, newest first. */
  versions: readonly string[];
  versionCount: number;
  role: string;
  status: string;
}

type Names = NotificationNames;

const states: Record<string, string> = {
  draft: "is a draft again",
  processing: "is in review",
  approved: "was approved",
  withheld: "was withheld; its conversation with the moderators says why",
  rejected: "was rejected; its conversation with the moderators says why",
};

export const notifications = {
  team_invite: (names: Names) => `${inviter(names)} to the team of ${names.project ?? "a project"}${as(names)}`,
  organization_invite: (names: Names) => `${inviter(names)} to ${names.organization ?? "an organization"}${as(names)}`,
  ownership_offer: (names: Names) => `${names.inviter ?? "Its owner"} wants to hand ${ofTeam(names)} over to you`,
  ownership_taken: (names: Names) => `${names.user ?? "The new owner"} has taken over ${ofTeam(names)}`,
  ownership_declined: (names: Names) => `${names.user ?? "Somebody"} does not want to take over ${ofTeam(names)}`,
  token_expiring: ({ token, daysLeft }: Names) => `Your token ${token} ${endsIn(daysLeft)}`,
  version_withdrawn: ({ project, versions }: Names) =>
    `${versions.length > 0 ? `Version ${versions.join(", ")}` : "A version"} of ${project ?? "a project that you follow"} was withdrawn for the sake of security; its page says why`,
  status_change: ({ project, status }: Names) =>
    `${project ?? "A project of yours"} ${states[status] ?? "has another status"}`,
  version_published: ({ project, versions, versionCount }: Names) =>
    `${project ?? "A project that you follow"} has ${newVersions(versions, versionCount)}`,
  thread_message: ({ project }: Names) =>
    `There is a new message in the conversation about ${project ?? "a report of yours"}`,
  report_closed: () => "A report of yours was closed",
  report_reopened: () => "A report of yours was opened again",
  webhook_disabled: ({ project, organization }: Names) =>
    `A webhook of ${project ?? organization ?? "yours"} was switched off: its receiver gives no good answer`,
  version_quarantined: ({ project }: Names) =>
    `A version of ${project ?? "a project of yours"} is in quarantine; the conversation with the moderators says why`,
  version_released: ({ project }: Names) => `A version of ${project ?? "a project of yours"} is out of quarantine`,
  /** Of a type that is not known here. */
  news: ({ project, organization }: Names) => `There is news of ${project ?? organization ?? "something of yours"}`,
};

const inviter = ({ inviter: name }: Names): string => (name ? `${name} invites you` : "You are invited");
const ofTeam = ({ project, organization }: Names): string => project ?? organization ?? "a team";
const endsIn = (days: number): string =>
  days === 0 ? "has stopped working" : `stops working in ${plural(days, { one: "1 day", other: `${days} days` })}`;
const as = ({ role }: Names): string => (role === "" ? "" : ` as ${role}`);

const shownNumbers = 3;
/** Without a comma before "and". */
const list = new Intl.ListFormat("en-GB");

function newVersions(numbers: readonly string[], count: number): string {
  const noun = plural(count, { one: "a new version", other: `${count} new versions` });
  if (numbers.length === 0) return noun;
  const shown = numbers.slice(0, shownNumbers);
  const more = Math.max(0, count - shown.length);
  const parts = more > 0 ? [...shown, `${more} more`] : shown;
  return `${noun}: ${list.format(parts)}`;
}
