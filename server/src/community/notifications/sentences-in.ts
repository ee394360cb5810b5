// What a notification says, in the language of a page or mail. The service itself speaks English (sentences.ts).
import type { Locale } from "#words/languages.js";
import type { Notification } from "./shapes.js";

const states: Record<string, string> = {
  draft: "ist wieder ein Entwurf",
  processing: "ist in Prüfung",
  approved: "wurde freigegeben",
  withheld: "wurde zurückgehalten; das Gespräch mit der Moderation sagt, warum",
  rejected: "wurde abgelehnt; das Gespräch mit der Moderation sagt, warum",
};

const german: Record<string, (name: string | undefined, body: Notification["body"]) => string> = {
  team_invite: (name) => `Du bist in das Team von ${name ?? "einem Projekt"} eingeladen`,
  organization_invite: (name) => `Du bist in ${name ?? "eine Organisation"} eingeladen`,
  ownership_offer: (name) => `${name ?? "Ein Team"} soll dir übergeben werden`,
  ownership_taken: (name) => `${name ?? "Ein Team"} wurde übernommen`,
  ownership_declined: (name) => `Die Übernahme von ${name ?? "einem Team"} wurde abgelehnt`,
  token_expiring: (_name, { tokenName, daysLeft }) =>
    `Dein Token ${tokenName} ${daysLeft === 0 ? "gilt nicht mehr" : `gilt nur noch ${daysLeft === 1 ? "einen Tag" : `${daysLeft} Tage`}`}`,
  version_withdrawn: (name) =>
    `Eine Version von ${name ?? "einem Projekt, dem du folgst,"} wurde der Sicherheit wegen zurückgezogen; ihre Seite sagt, warum`,
  status_change: (name, { new_status }) =>
    `${name ?? "Ein Projekt von dir"} ${states[String(new_status)] ?? "hat einen anderen Status"}`,
  version_published: (name, { versionCount }) =>
    `${name ?? "Ein Projekt, dem du folgst,"} hat ${versionCount === 1 ? "eine neue Version" : `${versionCount} neue Versionen`}`,
  thread_message: (name) => `Neue Nachricht im Gespräch über ${name ?? "eine Meldung von dir"}`,
  report_closed: () => "Eine Meldung von dir wurde geschlossen",
  report_reopened: () => "Eine Meldung von dir wurde wieder geöffnet",
  webhook_disabled: (name) => `Ein Webhook von ${name ?? "dir"} wurde abgeschaltet: Sein Empfänger antwortet nicht gut`,
  version_quarantined: (name) => `Eine Version von ${name ?? "einem deiner Projekte"} ist in Quarantäne`,
  version_released: (name) => `Eine Version von ${name ?? "einem deiner Projekte"} ist aus der Quarantäne`,
};

export function sentenceIn(locale: Locale, { type, text, about, body }: Notification): string {
  if (locale === "en" || !Object.hasOwn(german, type)) return text;
  return german[type]!(about?.name, body);
}
