// English words of the notifications: one sentence for each type.
import { listsIn } from "#lib/joined-list.js";
import { pluralsIn } from "#lib/plurals.js";

const plural = pluralsIn("en");

/** The names in a notification, as far as the reader can see them. */
export interface NotificationNames {
  project: string | undefined;
  organization: string | undefined;
  inviter: string | undefined;
  /** Another user that it is about. */
  user: string | undefined;
  /** The user or organization that published a project. */
  author: string | undefined;
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
  draft: "needs changes. The moderation page lists them",
  processing: "is in review",
  approved: "was approved",
  withheld: "was withheld. The moderation page says why",
  rejected: "was not approved. The moderation page says why",
};

export const notifications = {
  team_invite: (names: Names) => `${inviter(names)} to join the team of ${names.project ?? "a project"}${as(names)}`,
  organization_invite: (names: Names) =>
    `${inviter(names)} to join ${names.organization ?? "an organization"}${as(names)}`,
  ownership_offer: (names: Names) => `${names.inviter ?? "The owner"} wants to transfer ${ofTeam(names)} to you`,
  ownership_taken: (names: Names) => `${names.user ?? "The new owner"} is now the owner of ${ofTeam(names)}`,
  ownership_declined: (names: Names) => `${names.user ?? "A user"} declined the ownership of ${ofTeam(names)}`,
  token_expiring: ({ token, daysLeft }: Names) => `Your token ${token} ${endsIn(daysLeft)}`,
  version_withdrawn: ({ project, versions }: Names) =>
    `${versions.length > 0 ? `Version ${versions.join(", ")}` : "A version"} of ${project ?? "a project you follow"} was yanked because of a security issue. Its page says why`,
  status_change: ({ project, status }: Names) => `${project ?? "Your project"} ${states[status] ?? "has a new status"}`,
  version_published: ({ project, versions, versionCount }: Names) =>
    `${project ?? "A project you follow"} has ${newVersions(versions, versionCount)}`,
  project_published: ({ project, author }: Names) =>
    `${author ?? "An author you follow"} published a new project${project ? `: ${project}` : ""}`,
  thread_message: ({ project }: Names) => `New message in the conversation about ${project ?? "your report"}`,
  report_closed: () => "Your report was closed",
  report_reopened: () => "Your report was reopened",
  webhook_disabled: ({ project, organization }: Names) =>
    `${webhookOf(project ?? organization)} was disabled because its deliveries failed`,
  version_quarantined: ({ project }: Names) =>
    `A version of ${project ?? "your project"} was quarantined. The moderation page says why`,
  version_released: ({ project }: Names) => `A version of ${project ?? "your project"} is no longer quarantined`,
  /** For a type that is not known here. */
  news: ({ project, organization }: Names) => `There is news about ${project ?? organization ?? "your account"}`,
};

const inviter = ({ inviter: name }: Names): string => (name ? `${name} invited you` : "You are invited");
const ofTeam = ({ project, organization }: Names): string => project ?? organization ?? "a team";
const webhookOf = (name: string | undefined): string => (name ? `A webhook of ${name}` : "Your webhook");
const endsIn = (days: number): string =>
  days === 0 ? "has expired" : `expires in ${plural(days, { one: "1 day", other: `${days} days` })}`;
const as = ({ role }: Names): string => (role === "" ? "" : ` as ${role}`);

const shownNumbers = 3;
/** Without a comma before "and". */
const list = listsIn("en-GB");

function newVersions(numbers: readonly string[], count: number): string {
  const noun = plural(count, { one: "a new version", other: `${count} new versions` });
  if (numbers.length === 0) return noun;
  const shown = numbers.slice(0, shownNumbers);
  const more = Math.max(0, count - shown.length);
  const parts = more > 0 ? [...shown, `${more} more`] : shown;
  return `${noun}: ${list(parts)}`;
}
