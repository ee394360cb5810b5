// The words of the pages that mailed links lead to: a new password, a new address, the end of mails.
import { defineTexts } from "#web/texts.js";

export const doorTexts = defineTexts({
  en: {
    dead: "This link does not work",
    reset: {
      title: "Choose a new password",
      askLead: "Tell us your account's e-mail address, and we send a link to it.",
      email: "E-mail",
      send: "Send the link",
      chooseLead: (userName: string) => `For the account ${userName}. Once it is set, you are signed out everywhere.`,
      newPassword: "New password",
      again: "The same again",
      set: "Set the password",
      sentTitle: "Look into your mailbox",
      sentLead:
        "If the address belongs to an account, a link is on its way. It works once, within an hour; so do links that you got before.",
      doneTitle: "Your password is set",
      doneLead: "Sign in with it. All earlier sessions are signed out.",
      signIn: "Sign in",
      noMail: "This site sends no mail, so its operator has to help you.",
      operator: "For the operator",
      command: "prints a one-time link for the user.",
      deadLead: "It is mistyped, was used already, or is older than an hour.",
      askAgain: "Ask for a new one",
    },
    verify: {
      title: "Confirm your e-mail address",
      lead: (userName: string, email: string) => `From then on the account ${userName} uses the address ${email}.`,
      firstLead: (userName: string, email: string) =>
        `The account ${userName} was made with the address ${email}. Confirm it only if you made this account.`,
      confirm: "Confirm the address",
      doneTitle: "Your e-mail address is confirmed",
      doneLead: "Your account uses it from now on.",
      toAccount: "To your account",
      deadLead:
        "It is mistyped, was used already, or is older than a day. You can have a new one sent from your account settings.",
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
      chooseLead: (userName) => `Für das Konto ${userName}. Sobald es gesetzt ist, bist du überall abgemeldet.`,
      newPassword: "Neues Passwort",
      again: "Noch einmal dasselbe",
      set: "Passwort setzen",
      sentTitle: "Sieh in dein Postfach",
      sentLead:
        "Wenn die Adresse zu einem Konto gehört, ist ein Link unterwegs. Er gilt einmal und eine Stunde lang, und ebenso jeder Link von vorher.",
      doneTitle: "Dein Passwort ist gesetzt",
      doneLead: "Melde dich damit an. Alle früheren Sitzungen sind beendet.",
      signIn: "Anmelden",
      noMail: "Diese Seite verschickt keine E-Mails, deshalb muss dir ihr Betreiber helfen.",
      operator: "Für den Betreiber",
      command: "gibt einen Link aus, der einmal gilt.",
      deadLead: "Er ist vertippt, schon verbraucht oder älter als eine Stunde.",
      askAgain: "Einen neuen anfordern",
    },
    verify: {
      title: "Bestätige deine E-Mail-Adresse",
      lead: (userName, email) => `Danach benutzt das Konto ${userName} die Adresse ${email}.`,
      firstLead: (userName, email) =>
        `Das Konto ${userName} wurde mit der Adresse ${email} angelegt. Bestätige sie nur, wenn du dieses Konto angelegt hast.`,
      confirm: "Adresse bestätigen",
      doneTitle: "Deine E-Mail-Adresse ist bestätigt",
      doneLead: "Dein Konto benutzt sie von jetzt an.",
      toAccount: "Zu deinem Konto",
      deadLead:
        "Er ist vertippt, schon verbraucht oder älter als ein Tag. In den Einstellungen deines Kontos kannst du dir einen neuen schicken lassen.",
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
