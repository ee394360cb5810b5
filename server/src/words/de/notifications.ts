// German words of the notifications: one sentence for each type.
import { pluralsIn } from "#lib/plurals.js";
import type { Words } from "#words/en/catalogue.js";

const plural = pluralsIn("de");

const states: Record<string, string> = {
  draft: "braucht Änderungen. Die Moderationsseite zählt sie auf",
  processing: "ist in Prüfung",
  approved: "wurde freigegeben",
  withheld: "wurde zurückgehalten. Die Moderationsseite sagt, warum",
  rejected: "wurde nicht freigegeben. Die Moderationsseite sagt, warum",
};

export const notifications: Words["notifications"] = {
  team_invite: ({ project, organization }) =>
    `Du bist in das Team von ${project ?? organization ?? "einem Projekt"} eingeladen`,
  organization_invite: ({ project, organization }) =>
    `Du bist in ${project ?? organization ?? "eine Organisation"} eingeladen`,
  ownership_offer: ({ project, organization }) => `${project ?? organization ?? "Ein Team"} soll dir übergeben werden`,
  ownership_taken: ({ project, organization }) => `${project ?? organization ?? "Ein Team"} wurde übernommen`,
  ownership_declined: ({ project, organization }) =>
    `Die Übernahme von ${project ?? organization ?? "einem Team"} wurde abgelehnt`,
  token_expiring: ({ token, daysLeft }) =>
    `Dein Token ${token} ${daysLeft === 0 ? "gilt nicht mehr" : `gilt nur noch ${plural(daysLeft, { one: "einen Tag", other: `${daysLeft} Tage` })}`}`,
  version_withdrawn: ({ project, organization }) =>
    `Eine Version von ${project ?? organization ?? "einem Projekt, dem du folgst,"} wurde wegen eines Sicherheitsproblems zurückgezogen. Ihre Seite sagt, warum`,
  status_change: ({ project, organization, status }) =>
    `${project ?? organization ?? "Ein Projekt von dir"} ${states[status] ?? "hat einen anderen Status"}`,
  version_published: ({ project, organization, versionCount }) =>
    `${project ?? organization ?? "Ein Projekt, dem du folgst,"} hat ${plural(versionCount, { one: "eine neue Version", other: `${versionCount} neue Versionen` })}`,
  project_published: ({ project, author }) =>
    `${author ?? "Jemand, dem du folgst,"} hat ein neues Projekt veröffentlicht${project ? `: ${project}` : ""}`,
  thread_message: ({ project, organization }) =>
    `Neue Nachricht im Gespräch über ${project ?? organization ?? "eine Meldung von dir"}`,
  report_closed: () => "Eine Meldung von dir wurde geschlossen",
  report_reopened: () => "Eine Meldung von dir wurde wieder geöffnet",
  webhook_disabled: ({ project, organization }) =>
    `Ein Webhook von ${project ?? organization ?? "dir"} wurde abgeschaltet, weil seine Zustellungen fehlschlugen`,
  version_quarantined: ({ project, organization }) =>
    `Eine Version von ${project ?? organization ?? "einem deiner Projekte"} ist in Quarantäne`,
  version_released: ({ project, organization }) =>
    `Eine Version von ${project ?? organization ?? "einem deiner Projekte"} ist aus der Quarantäne`,
  news: ({ project, organization }) => `Es gibt Neues von ${project ?? organization ?? "deinem Konto"}`,
};
