// German words of the mails. Each mail is its subject and its paragraphs; links stand between them.
import { pluralsIn } from "#lib/plurals.js";
import type { Words } from "#words/en/catalogue.js";

const plural = pluralsIn("de");

export const mails: Words["mails"] = {
  frame: {
    hello: "Hallo,",
    helloName: (name) => `Hallo ${name},`,
    minutes: (count) => plural(count, { one: "einer Minute", other: `${count} Minuten` }),
    hours: (count) => plural(count, { one: "einer Stunde", other: `${count} Stunden` }),
    linkWorks: (duration) => `Der Link gilt einmal, innerhalb von ${duration}.`,
    ifYou: "Wenn du das warst, ist alles gut.",
    ignore: "Wenn du das nicht warst, kümmere dich nicht um diese E-Mail: Es ändert sich nichts.",
  },
  passwordReset: {
    subject: "Wähle ein neues Passwort",
    asked: "Jemand, hoffentlich du, hat ein neues Passwort für dein Konto verlangt. Wähle es hier:",
    ignore: "Wenn du das nicht warst, kümmere dich nicht um diese E-Mail: Dein Passwort bleibt, wie es ist.",
  },
  passwordAddition: {
    subject: "Bestätige dein neues Passwort",
    asked: "Jemand, hoffentlich du, hat ein Passwort für dein Konto gewählt, das noch keines hatte. Bestätige es hier:",
  },
  accountDeletion: {
    subject: "Bestätige, dass dein Konto gelöscht werden soll",
    asked:
      "Jemand, hoffentlich du, will dein Konto löschen. Das lässt sich nicht rückgängig machen. Bestätige es hier:",
    ignore:
      "Wenn du das nicht warst, kümmere dich nicht um diese E-Mail und wähle ein neues Passwort: Jemand ist mit deinem Konto angemeldet.",
  },
  emailChange: {
    subject: "Bestätige deine neue E-Mail-Adresse",
    asked: "Bitte bestätige, dass das die neue E-Mail-Adresse deines Kontos ist:",
    linkWorks: (duration) =>
      `Der Link gilt einmal, innerhalb von ${duration}. Bis dahin bleibt deine alte Adresse in Gebrauch.`,
  },
  addressConfirmation: {
    subject: "Bestätige deine E-Mail-Adresse",
    asked:
      "Jemand, hoffentlich du, hat dieses Konto mit deiner E-Mail-Adresse angelegt. Bitte bestätige, dass es deines ist:",
    linkWorks: (duration) =>
      `Der Link gilt einmal, innerhalb von ${duration}. Bis dahin kann das Konto nichts veröffentlichen.`,
    ignore:
      "Wenn du das Konto nicht angelegt hast, kümmere dich nicht um diese E-Mail: Deine Adresse bleibt für dich frei.",
  },
  addressTaken: {
    subject: "Du hast schon ein Konto",
    asked: (other, own) =>
      `Jemand, hoffentlich du, hat deine E-Mail-Adresse für das Konto ${other} angegeben. Die Adresse gehört zu deinem Konto ${own} und kann deshalb dort nicht benutzt werden.`,
    signIn: (name, link) =>
      `Melde dich stattdessen als ${name} an. Wenn du das Passwort nicht mehr weißt, wähle ein neues: ${link}`,
    both: (name) => `Um beide Konten zu benutzen, gib ${name} in den Einstellungen eine andere Adresse.`,
    ignore: "Wenn du das nicht warst, kümmere dich nicht um diese E-Mail: An deinem Konto hat sich nichts geändert.",
  },
  emailChanged: {
    subject: "Deine E-Mail-Adresse wurde geändert",
    changed: "Dein Konto hat eine neue E-Mail-Adresse. Das ist die letzte E-Mail an die alte.",
    ifNot: "Wenn nicht, ist jemand anderes in deinem Konto: Schreib sofort an die Leute, die diese Seite betreiben.",
  },
  passwordChanged: {
    subject: "Dein Passwort wurde geändert",
    changed:
      "Das Passwort deines Kontos wurde gerade geändert. Alle anderen Sitzungen wurden beendet, und die Zugangstokens, die nicht behalten wurden, gelten nicht mehr.",
    ifNot: (link) => `Wenn nicht, wähle jetzt ein neues Passwort: ${link}`,
  },
  invitation: {
    subject: "Du bist in ein Team eingeladen",
    invites: (inviter, name) =>
      `${inviter} lädt dich ein, an ${name} mitzuarbeiten. Sieh dir die Einladung hier an und nimm sie an oder lehne sie ab:`,
    account: "Dafür brauchst du ein Konto; auf der Seite kannst du eines anlegen. Die Einladung gilt 30 Tage.",
    ignore: "Wenn du nicht weißt, worum es geht, kümmere dich nicht um diese E-Mail: Es geschieht nichts.",
  },
  guestReport: {
    subject: "Bestätige deine Meldung",
    asked:
      "Jemand, hoffentlich du, möchte etwas auf dieser Seite melden. Sieh dir die Meldung hier an und sende sie ab:",
    ignore: "Wenn du das nicht warst, kümmere dich nicht um diese E-Mail: Nichts wird gemeldet.",
  },
  reportClosed: {
    subject: "Deine Meldung wurde angesehen",
    closed: (name) => `Die Moderation hat deine Meldung zu ${name} geschlossen.`,
    closedGone: "Die Moderation hat deine Meldung geschlossen. Was du gemeldet hast, gibt es nicht mehr.",
    outcomes: {
      action_taken: "Sie hat etwas unternommen.",
      no_violation: "Sie hat nichts gefunden, was gegen die Regeln verstößt.",
      other: "Sie hat sich anders darum gekümmert.",
    },
    say: "Sie sagt dazu:",
    thanks: "Danke, dass du uns Bescheid gesagt hast. Auf diese E-Mail kann man nicht antworten.",
  },
  newSession: {
    subject: "Neue Anmeldung bei deinem Konto",
    signedIn: (when, device, address) =>
      `Jemand hat sich bei deinem Konto angemeldet: am ${when}, mit ${device}, von ${address}.`,
    device: (browser, system) => `${browser} unter ${system}`,
    unknownProgram: "einem unbekannten Programm",
    unknownAddress: "einer unbekannten Adresse",
    ifNot: "Wenn nicht, beende diese Sitzung hier und wähle danach ein neues Passwort:",
    all: (link) => `Alle deine Sitzungen: ${link}`,
  },
  tokenExpiry: {
    subject: "Eines deiner Tokens gilt bald nicht mehr",
    subjectPast: "Eines deiner Tokens gilt nicht mehr",
    stops: (name, date) => `Dein Token „${name}“ gilt nur noch bis zum ${date}.`,
    stopped: (name, date) => `Dein Token „${name}“ gilt seit dem ${date} nicht mehr.`,
    more: (link) => `Verlängere es, oder mach ein neues: ${link}`,
    nothing: "Wenn du es nicht mehr brauchst, ist nichts zu tun.",
  },
  digest: {
    subject: (count) => plural(count, { one: "Eine neue Benachrichtigung", other: `${count} neue Benachrichtigungen` }),
    news: "es gibt Neues für dich auf",
    all: (more) => (more === 0 ? "Alle ansehen" : `Und ${more} weitere. Alle ansehen`),
    why: "Du bekommst diese E-Mail, weil du sie in deinen Einstellungen verlangt hast.",
    end: "Diese E-Mails beenden",
  },
};
