// German words of the notifications: one sentence for each type.
import { listsIn } from "#lib/joined-list.js";
import { pluralsIn } from "#lib/plurals.js";
import type { Words } from "#words/en/catalogue.js";
import type { NotificationNames } from "#words/en/notifications.js";
import { users } from "./users.js";

const plural = pluralsIn("de");

type Names = NotificationNames;

const states: Record<string, string> = {
  draft: "braucht Änderungen. Die Moderationsseite zählt sie auf",
  processing: "ist in Prüfung",
  approved: "wurde freigegeben",
  withheld: "wurde zurückgehalten. Die Moderationsseite sagt, warum",
  rejected: "wurde nicht freigegeben. Die Moderationsseite sagt, warum",
};

const invited = ({ inviter }: Names): string => (inviter ? `${inviter} hat dich` : "Du bist");
const as = ({ role }: Names): string => (role === "" ? "" : ` (als ${users.shared.role(role)})`);
const ofTeam = ({ project, organization }: Names): string => project ?? organization ?? "einem Team";

const shownNumbers = 3;
const list = listsIn("de");

function newVersions(numbers: readonly string[], count: number): string {
  const noun = plural(count, { one: "eine neue Version", other: `${count} neue Versionen` });
  if (numbers.length === 0) return noun;
  const shown = numbers.slice(0, shownNumbers);
  const more = Math.max(0, count - shown.length);
  return `${noun}: ${list(more > 0 ? [...shown, `${more} weitere`] : shown)}`;
}

export const notifications: Words["notifications"] = {
  team_invite: (names) =>
    `${invited(names)} in das Team von ${names.project ?? "einem Projekt"} eingeladen${as(names)}`,
  organization_invite: (names) =>
    `${invited(names)} zu ${names.organization ?? "einer Organisation"} eingeladen${as(names)}`,
  ownership_offer: (names) =>
    `${names.inviter ?? "Der Inhaber"} möchte dir die Inhaberschaft von ${ofTeam(names)} übertragen`,
  ownership_taken: (names) => `${names.user ?? "Jemand anderes"} hat die Inhaberschaft von ${ofTeam(names)} übernommen`,
  ownership_declined: (names) => `${names.user ?? "Jemand"} hat die Inhaberschaft von ${ofTeam(names)} abgelehnt`,
  token_expiring: ({ token, daysLeft }) =>
    `Dein Token ${token} ${daysLeft === 0 ? "ist abgelaufen" : `läuft in ${plural(daysLeft, { one: "1 Tag", other: `${daysLeft} Tagen` })} ab`}`,
  version_withdrawn: ({ project, versions }) =>
    `${versions.length > 0 ? `Version ${versions.join(", ")}` : "Eine Version"} von ${project ?? "einem Projekt, dem du folgst,"} wurde wegen eines Sicherheitsproblems zurückgezogen. Ihre Seite sagt, warum`,
  status_change: ({ project, status }) => `${project ?? "Dein Projekt"} ${states[status] ?? "hat einen neuen Status"}`,
  version_published: ({ project, versions, versionCount }) =>
    `${project ?? "Ein Projekt, dem du folgst,"} hat ${newVersions(versions, versionCount)}`,
  project_published: ({ project, author }) =>
    `${author ?? "Jemand, dem du folgst,"} hat ein neues Projekt veröffentlicht${project ? `: ${project}` : ""}`,
  thread_message: ({ project }) => `Neue Nachricht im Gespräch über ${project ?? "deine Meldung"}`,
  report_closed: () => "Deine Meldung wurde geschlossen",
  report_reopened: () => "Deine Meldung wurde wieder geöffnet",
  webhook_disabled: ({ project, organization }) =>
    `Ein Webhook von ${project ?? organization ?? "dir"} wurde abgeschaltet, weil Zustellungen fehlgeschlagen sind`,
  version_quarantined: ({ project }) =>
    `Eine Version von ${project ?? "deinem Projekt"} ist in Quarantäne. Die Moderationsseite sagt, warum`,
  version_released: ({ project }) => `Eine Version von ${project ?? "deinem Projekt"} ist nicht mehr in Quarantäne`,
  news: ({ project, organization }) => `Es gibt Neues zu ${project ?? organization ?? "deinem Konto"}`,
};
