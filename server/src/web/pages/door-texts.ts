// The words of the pages that mailed links lead to: a new password, a new address, the end of mails.
import { defineTexts } from "../texts.js";

export const doorTexts = defineTexts({
  en: {
    dead: "This link does not work",
    reset: {
      title: "Choose a new password",
      askLead: "Tell us your account's e-mail address, and we send a link to it.",
      email: "E-mail",
      send: "Send the link",
      chooseLead: "Once it is set, you are signed out everywhere.",
      newPassword: "New password",
      again: "The same again",
      set: "Set the password",
      sentTitle: "Look into your mailbox",
      sentLead: "If the address belongs to an account, a link is on its way. It works once, within an hour.",
      doneTitle: "Your password is set",
      doneLead: "Sign in with it. All earlier sessions are signed out.",
      noMail: "This site sends no mail, so its operator has to help you.",
      operator: "For the operator",
      command: "prints a one-time link for the user.",
      deadLead: "It is mistyped, was used already, or is older than an hour.",
      askAgain: "Ask for a new one",
    },
    verify: {
      title: "Confirm your e-mail address",
      lead: "From then on your account uses the address this link was sent to.",
      confirm: "Confirm the address",
      doneTitle: "Your e-mail address is confirmed",
      doneLead: "Your account uses it from now on.",
      deadLead:
        "It is mistyped, was used already, or is older than a day. Change your address once more to get a new one.",
    },
    unsubscribe: {
      title: "End these mails",
      lead: "You will still find your notifications on this site.",
      end: "Send me no more of them",
      doneTitle: "No more of these mails",
      doneLead: "You will get no mails about notifications. Your settings let you ask for them again.",
      deadLead: "It is mistyped or very old. Sign in and change your notification settings instead.",
    },
  },
  de: {
    dead: "Dieser Link funktioniert nicht",
    reset: {
      title: "Wähle ein neues Passwort",
      askLead: "Sag uns die E-Mail-Adresse deines Kontos, und wir schicken einen Link dorthin.",
      email: "E-Mail",
      send: "Link schicken",
      chooseLead: "Sobald es gesetzt ist, bist du überall abgemeldet.",
      newPassword: "Neues Passwort",
      again: "Noch einmal dasselbe",
      set: "Passwort setzen",
      sentTitle: "Sieh in dein Postfach",
      sentLead: "Wenn die Adresse zu einem Konto gehört, ist ein Link unterwegs. Er gilt einmal und eine Stunde lang.",
      doneTitle: "Dein Passwort ist gesetzt",
      doneLead: "Melde dich damit an. Alle früheren Sitzungen sind beendet.",
      noMail: "Diese Seite verschickt keine E-Mails, deshalb muss dir ihr Betreiber helfen.",
      operator: "Für den Betreiber",
      command: "gibt einen Link aus, der einmal gilt.",
      deadLead: "Er ist vertippt, schon verbraucht oder älter als eine Stunde.",
      askAgain: "Einen neuen anfordern",
    },
    verify: {
      title: "Bestätige deine E-Mail-Adresse",
      lead: "Danach benutzt dein Konto die Adresse, an die dieser Link ging.",
      confirm: "Adresse bestätigen",
      doneTitle: "Deine E-Mail-Adresse ist bestätigt",
      doneLead: "Dein Konto benutzt sie von jetzt an.",
      deadLead:
        "Er ist vertippt, schon verbraucht oder älter als ein Tag. Ändere deine Adresse noch einmal, um einen neuen zu bekommen.",
    },
    unsubscribe: {
      title: "Diese E-Mails beenden",
      lead: "Deine Benachrichtigungen findest du weiterhin auf dieser Seite.",
      end: "Schickt mir keine mehr davon",
      doneTitle: "Keine E-Mails mehr davon",
      doneLead:
        "Du bekommst keine E-Mails über Benachrichtigungen. In deinen Einstellungen kannst du sie wieder verlangen.",
      deadLead: "Er ist vertippt oder sehr alt. Melde dich an und ändere stattdessen deine Einstellungen.",
    },
  },
});
