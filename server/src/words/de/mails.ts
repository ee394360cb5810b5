// German words of the emails. Each has a subject and paragraphs; links stand between them.
import { pluralsIn } from "#lib/plurals.js";
import type { Words } from "#words/en/catalogue.js";

const plural = pluralsIn("de");

export const mails: Words["mails"] = {
  frame: {
    hello: "Hallo!",
    helloName: (name) => `Hallo ${name}!`,
    minutes: (count) => plural(count, { one: "einer Minute", other: `${count} Minuten` }),
    hours: (count) => plural(count, { one: "einer Stunde", other: `${count} Stunden` }),
    linkWorks: (duration) => `Der Link funktioniert einmal und läuft nach ${duration} ab.`,
    ifYou: "Wenn du das warst, musst du nichts tun.",
    ignore: "Wenn du das nicht warst, ignoriere diese E-Mail. Es ändert sich nichts.",
  },
  passwordReset: {
    subject: "Setze dein Passwort zurück",
    asked: "Jemand, hoffentlich du, hat ein neues Passwort für dein Konto angefordert. Wähle es hier:",
    ignore: "Wenn du das nicht warst, ignoriere diese E-Mail. Dein Passwort bleibt unverändert.",
  },
  passwordAddition: {
    subject: "Bestätige dein neues Passwort",
    asked:
      "Jemand, hoffentlich du, möchte deinem Konto ein Passwort hinzufügen; bisher hat es keines. Bestätige es hier:",
  },
  accountDeletion: {
    subject: "Bestätige die Löschung deines Kontos",
    asked:
      "Jemand, hoffentlich du, möchte dein Konto löschen. Das lässt sich nicht rückgängig machen. Bestätige es hier:",
    ignore:
      "Wenn du das nicht warst, ist jemand anderes in deinem Konto angemeldet. Ignoriere den Link und ändere dein Passwort.",
  },
  emailChange: {
    subject: "Bestätige deine neue E-Mail-Adresse",
    asked: "Bitte bestätige, dass dies die neue E-Mail-Adresse deines Kontos ist:",
    linkWorks: (duration) =>
      `Der Link funktioniert einmal und läuft nach ${duration} ab. Bis du bestätigst, gilt weiter deine alte Adresse.`,
  },
  addressConfirmation: {
    subject: "Bestätige deine E-Mail-Adresse",
    asked:
      "Jemand, hoffentlich du, hat dieses Konto mit deiner E-Mail-Adresse erstellt. Bitte bestätige, dass es deines ist:",
    linkWorks: (duration) =>
      `Der Link funktioniert einmal und läuft nach ${duration} ab. Bis du bestätigst, kann das Konto nichts veröffentlichen.`,
    ignore:
      "Wenn du das Konto nicht erstellt hast, ignoriere diese E-Mail. Du kannst deine Adresse weiterhin für ein eigenes Konto verwenden.",
  },
  addressTaken: {
    subject: "Du hast schon ein Konto",
    asked: (other, own) =>
      `Jemand, hoffentlich du, hat deine E-Mail-Adresse für das Konto ${other} angegeben. Die Adresse gehört zu deinem Konto ${own} und kann deshalb dort nicht verwendet werden.`,
    signIn: (name, link) =>
      `Melde dich stattdessen als ${name} an. Wenn du das Passwort vergessen hast, wähle ein neues: ${link}`,
    both: (name) => `Um beide Konten zu verwenden, gib in den Einstellungen von ${name} eine andere Adresse an.`,
    ignore: "Wenn du das nicht warst, ignoriere diese E-Mail. An deinem Konto hat sich nichts geändert.",
  },
  emailChanged: {
    subject: "Deine E-Mail-Adresse wurde geändert",
    changed: "Dein Konto hat eine neue E-Mail-Adresse. Dies ist die letzte E-Mail an die alte.",
    ifNot:
      "Wenn du das nicht warst, hat jemand anderes Zugriff auf dein Konto. Wende dich sofort an die Betreiber dieser Website.",
  },
  passwordChanged: {
    subject: "Dein Passwort wurde geändert",
    changed:
      "Das Passwort deines Kontos wurde geändert. Alle anderen Sitzungen wurden beendet und alle Zugriffstokens widerrufen, die du nicht behalten hast.",
    ifNot: (link) => `Wenn du das nicht warst, setze dein Passwort jetzt zurück: ${link}`,
  },
  invitation: {
    subject: "Du bist in ein Team eingeladen",
    invites: (inviter, name) =>
      `${inviter} lädt dich ein, an ${name} mitzuarbeiten. Sieh dir die Einladung hier an und nimm sie an oder lehne sie ab:`,
    account:
      "Dafür brauchst du ein Konto; du kannst es auf dieser Seite erstellen. Die Einladung läuft nach 30 Tagen ab.",
    ignore: "Wenn du nicht weißt, worum es geht, ignoriere diese E-Mail. Es passiert nichts.",
  },
  guestReport: {
    subject: "Bestätige deine Meldung",
    asked:
      "Jemand, hoffentlich du, möchte etwas auf dieser Website melden. Sieh dir die Meldung hier an und sende sie ab:",
    ignore: "Wenn du das nicht warst, ignoriere diese E-Mail. Es wird nichts gesendet.",
  },
  reportClosed: {
    subject: "Deine Meldung wurde geprüft",
    closed: (name) => `Die Moderation hat deine Meldung zu ${name} geschlossen.`,
    closedGone: "Die Moderation hat deine Meldung geschlossen. Was du gemeldet hast, gibt es nicht mehr.",
    outcomes: {
      action_taken: "Sie hat Maßnahmen ergriffen.",
      no_violation: "Sie hat keinen Regelverstoß gefunden.",
      other: "Sie hat den Fall auf andere Weise gelöst.",
    },
    say: "Ihre Nachricht:",
    thanks: "Danke für deine Meldung. Auf diese E-Mail kannst du nicht antworten.",
  },
  newSession: {
    subject: "Neue Anmeldung in deinem Konto",
    signedIn: (when, device, address) =>
      `Jemand hat sich am ${when} mit ${device} von ${address} aus in deinem Konto angemeldet.`,
    device: (browser, system) => `${browser} auf ${system}`,
    unknownProgram: "einem unbekannten Programm",
    unknownAddress: "einer unbekannten Adresse",
    ifNot: "Wenn du das nicht warst, beende die Sitzung hier und ändere danach dein Passwort:",
    all: (link) => `Alle deine Sitzungen: ${link}`,
  },
  tokenExpiry: {
    subject: "Dein Zugriffstoken läuft bald ab",
    subjectPast: "Dein Zugriffstoken ist abgelaufen",
    stops: (name, date) => `Dein Token „${name}“ läuft am ${date} ab.`,
    stopped: (name, date) => `Dein Token „${name}“ ist am ${date} abgelaufen.`,
    more: (link) => `Verlängere es oder erstelle ein neues: ${link}`,
    nothing: "Wenn du es nicht mehr brauchst, musst du nichts tun.",
  },
  digest: {
    subject: (count) => plural(count, { one: "1 neue Benachrichtigung", other: `${count} neue Benachrichtigungen` }),
    news: "Es gibt Neues für dich auf",
    all: (more) => (more === 0 ? "Alle ansehen" : `Und ${more} weitere. Alle ansehen`),
    why: "Du bekommst diese E-Mail aufgrund deiner Benachrichtigungseinstellungen.",
    end: "Abbestellen",
  },
};
