// What mails say in German: paragraph by paragraph, found by the English one (messages.ts). test/laws holds the two against
// each other.

import { type SentencePair, sentenceBook } from "#lib/sentence-book.js";
import type { Locale } from "#words/languages.js";
import type { MailText } from "./messages.js";

const pairs: readonly SentencePair[] = [
  ["Hello,", "Hallo,"],
  ["Hello {0},", "Hallo {0},"],
  ["If that was you, all is well.", "Wenn du das warst, ist alles gut."],
  ["{0} minutes", "{0} Minuten"],
  ["1 minute", "einer Minute"],
  ["1 hour", "einer Stunde"],
  ["{0} hours", "{0} Stunden"],
  ["Choose a new password", "Wähle ein neues Passwort"],
  [
    "Someone, hopefully you, asked for a new password for your account. Choose one here:",
    "Jemand, hoffentlich du, hat ein neues Passwort für dein Konto verlangt. Wähle es hier:",
  ],
  ["The link works once, within {0}.", "Der Link gilt einmal, innerhalb von {0}."],
  [
    "If you did not ask for it, ignore this mail: your password stays as it is.",
    "Wenn du das nicht warst, kümmere dich nicht um diese E-Mail: Dein Passwort bleibt, wie es ist.",
  ],
  ["Confirm your new password", "Bestätige dein neues Passwort"],
  [
    "Someone, hopefully you, has chosen a password for your account, which had none. Confirm it here:",
    "Jemand, hoffentlich du, hat ein Passwort für dein Konto gewählt, das noch keines hatte. Bestätige es hier:",
  ],
  ["Confirm that your account is to be deleted", "Bestätige, dass dein Konto gelöscht werden soll"],
  [
    "Someone, hopefully you, asked to delete your account. This cannot be undone. Confirm it here:",
    "Jemand, hoffentlich du, will dein Konto löschen. Das lässt sich nicht rückgängig machen. Bestätige es hier:",
  ],
  [
    "If you did not ask for it, ignore this mail, and choose a new password: somebody is signed in to your account.",
    "Wenn du das nicht warst, kümmere dich nicht um diese E-Mail und wähle ein neues Passwort: Jemand ist mit deinem Konto angemeldet.",
  ],
  ["Confirm your new e-mail address", "Bestätige deine neue E-Mail-Adresse"],
  [
    "Please confirm that this is the new e-mail address of your account:",
    "Bitte bestätige, dass das die neue E-Mail-Adresse deines Kontos ist:",
  ],
  [
    "The link works once, within {0}. Until then your old address stays in use.",
    "Der Link gilt einmal, innerhalb von {0}. Bis dahin bleibt deine alte Adresse in Gebrauch.",
  ],
  [
    "If you did not ask for it, ignore this mail: nothing will change.",
    "Wenn du das nicht warst, kümmere dich nicht um diese E-Mail: Es ändert sich nichts.",
  ],
  ["Confirm your e-mail address", "Bestätige deine E-Mail-Adresse"],
  [
    "Someone, hopefully you, has made this account with your e-mail address. Please confirm that it is yours:",
    "Jemand, hoffentlich du, hat dieses Konto mit deiner E-Mail-Adresse angelegt. Bitte bestätige, dass es deines ist:",
  ],
  [
    "The link works once, within {0}. Until then the account cannot publish anything.",
    "Der Link gilt einmal, innerhalb von {0}. Bis dahin kann das Konto nichts veröffentlichen.",
  ],
  [
    "If you did not make the account, ignore this mail: your address stays free for you.",
    "Wenn du das Konto nicht angelegt hast, kümmere dich nicht um diese E-Mail: Deine Adresse bleibt für dich frei.",
  ],
  ["You have an account already", "Du hast schon ein Konto"],
  [
    "Someone, hopefully you, has given your e-mail address for the account {0}. The address belongs to your account {1}, so it cannot be used there.",
    "Jemand, hoffentlich du, hat deine E-Mail-Adresse für das Konto {0} angegeben. Die Adresse gehört zu deinem Konto {1} und kann deshalb dort nicht benutzt werden.",
  ],
  [
    "Sign in as {0} instead. If you do not remember the password, choose a new one: {1}",
    "Melde dich stattdessen als {0} an. Wenn du das Passwort nicht mehr weißt, wähle ein neues: {1}",
  ],
  [
    "To use both accounts, give {0} another address in its settings.",
    "Um beide Konten zu benutzen, gib {0} in den Einstellungen eine andere Adresse.",
  ],
  [
    "If it was not you, ignore this mail: nothing about your account has changed.",
    "Wenn du das nicht warst, kümmere dich nicht um diese E-Mail: An deinem Konto hat sich nichts geändert.",
  ],
  ["Your e-mail address was changed", "Deine E-Mail-Adresse wurde geändert"],
  [
    "Your account has a new e-mail address. This is the last mail to the old one.",
    "Dein Konto hat eine neue E-Mail-Adresse. Das ist die letzte E-Mail an die alte.",
  ],
  [
    "If it was not, someone else is in your account: write to the people who run this site at once.",
    "Wenn nicht, ist jemand anderes in deinem Konto: Schreib sofort an die Leute, die diese Seite betreiben.",
  ],
  ["Your password was changed", "Dein Passwort wurde geändert"],
  [
    "The password of your account has just been changed. All other sessions were signed out, and the access tokens that were not kept stopped working.",
    "Das Passwort deines Kontos wurde gerade geändert. Alle anderen Sitzungen wurden beendet, und die Zugangstokens, die nicht behalten wurden, gelten nicht mehr.",
  ],
  ["If it was not, choose a new password now: {0}", "Wenn nicht, wähle jetzt ein neues Passwort: {0}"],
  ["You are invited to a team", "Du bist in ein Team eingeladen"],
  [
    "{0} invites you to work on {1}. See the invitation here, and accept or decline it:",
    "{0} lädt dich ein, an {1} mitzuarbeiten. Sieh dir die Einladung hier an und nimm sie an oder lehne sie ab:",
  ],
  [
    "You need an account for that; the page lets you make one. The invitation waits for 30 days.",
    "Dafür brauchst du ein Konto; auf der Seite kannst du eines anlegen. Die Einladung gilt 30 Tage.",
  ],
  [
    "If you do not know what this is about, ignore this mail: nothing will happen.",
    "Wenn du nicht weißt, worum es geht, kümmere dich nicht um diese E-Mail: Es geschieht nichts.",
  ],
  ["Confirm your report", "Bestätige deine Meldung"],
  [
    "Someone, hopefully you, wants to report something on this site. Look at the report here, and send it:",
    "Jemand, hoffentlich du, möchte etwas auf dieser Seite melden. Sieh dir die Meldung hier an und sende sie ab:",
  ],
  [
    "If you did not ask for it, ignore this mail: nothing will be sent.",
    "Wenn du das nicht warst, kümmere dich nicht um diese E-Mail: Nichts wird gemeldet.",
  ],
  ["Your report was looked at", "Deine Meldung wurde angesehen"],
  ["Moderators have closed your report about {0}.", "Die Moderation hat deine Meldung zu {0} geschlossen."],
  [
    "Moderators have closed your report. What you reported is gone by now.",
    "Die Moderation hat deine Meldung geschlossen. Was du gemeldet hast, gibt es nicht mehr.",
  ],
  ["They have done something about it.", "Sie hat etwas unternommen."],
  ["They have found nothing that breaks the rules.", "Sie hat nichts gefunden, was gegen die Regeln verstößt."],
  ["They have dealt with it in another way.", "Sie hat sich anders darum gekümmert."],
  ["They say:", "Sie sagt dazu:"],
  [
    "Thank you for telling us. This mail cannot be answered.",
    "Danke, dass du uns Bescheid gesagt hast. Auf diese E-Mail kann man nicht antworten.",
  ],
  ["New sign-in to your account", "Neue Anmeldung bei deinem Konto"],
  [
    "Somebody signed in to your account on {0}, with {1}, from {2}.",
    "Jemand hat sich bei deinem Konto angemeldet: am {0}, mit {1}, von {2}.",
  ],
  [
    "If it was not, end that session here, and choose a new password afterwards:",
    "Wenn nicht, beende diese Sitzung hier und wähle danach ein neues Passwort:",
  ],
  ["All your sessions: {0}", "Alle deine Sitzungen: {0}"],
  ["an unknown program", "einem unbekannten Programm"],
  ["an unknown address", "einer unbekannten Adresse"],
  ["A token of yours has stopped working", "Eines deiner Tokens gilt nicht mehr"],
  ["A token of yours is about to stop working", "Eines deiner Tokens gilt bald nicht mehr"],
  ['Your token "{0}" stopped working on {1}.', "Dein Token „{0}“ gilt seit dem {1} nicht mehr."],
  ['Your token "{0}" stops working on {1}.', "Dein Token „{0}“ gilt nur noch bis zum {1}."],
  ["Give it more time, or make a new one: {0}", "Verlängere es, oder mach ein neues: {0}"],
  ["If you need it no more, there is nothing to do.", "Wenn du es nicht mehr brauchst, ist nichts zu tun."],
];

const german = sentenceBook(pairs);

/** The mail in the language of its reader; null: he has chosen none. */
export function mailIn(locale: Locale | null, { subject, text }: MailText): MailText {
  if (locale !== "de") return { subject, text };
  const paragraphs = text.split("\n\n").map((paragraph) => german(paragraph) ?? paragraph);
  return { subject: german(subject) ?? subject, text: paragraphs.join("\n\n") };
}
