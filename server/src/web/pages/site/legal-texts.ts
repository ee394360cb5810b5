// What the legal pages say where the operator has written nothing, and the words around them.
import { defineTexts } from "#web/texts.js";

export const legalTexts = defineTexts({
  en: {
    pages: "Legal",
    titles: {
      terms: "Terms of use",
      rules: "Rules for content",
      privacy: "Privacy",
      copyright: "Copyright claims",
      security: "Security",
    },
    notReviewed: "Not reviewed by the operator",
    notReviewedText:
      "Whoever runs this site has not written this page yet. The text below comes with the software and binds nobody.",
    updated: "Last changed",
    edit: "Edit this page",
    admin: {
      title: "Legal pages",
      lead: "What you write here replaces the text that comes with the software. Markdown. Leave it empty to go back.",
      text: "Text",
      save: "Save",
      own: "Written by you",
      standIn: "Comes with the software",
      seen: "See the page",
      tooLong: (most: string) => `Must be at most ${most} characters long`,
    },
    defaults: {
      terms: `You may read and download everything here without an account. Whoever publishes keeps the rights to his work, and lets this site store it and give it to visitors, under the licence that he chose.

## What we ask

- Publish only what you made, or may publish.
- Follow the [rules for content](/legal/rules).
- Do not overload the service. The [API reference](/api/docs) says how much is welcome.

## What you can rely on

- Files stay what they are: their bytes never change under the same version.
- You can take your projects away, and [export or delete your account](/settings/account).

Everything is provided as it is, without warranty.`,
      rules: `## Not allowed

- Programs that harm, spy, or take over what is not theirs.
- Other people's work without their permission.
- Hatred, threats, sexual content, private details of other people.
- Names taken only to keep others from them.

## Expected

- A description that says what a project does and does not do.
- True details: game versions, loaders, dependencies, licence.

Moderators look at what is [reported](/report), and say why they decide what they decide.`,
      privacy: `## What is stored

- For an account: user name, e-mail address, what you write on your profile, and how you sign in.
- For sessions: the device, its address, and when it was last used. You see them under [sessions](/settings/sessions).
- For downloads: a keyed digest of the address, for a day, so that nobody is counted twice. The address itself is not kept.

## What is not

- No advertising, no tracking by others, no cookies but those that the site needs: for signing in, for forms, theme, language and your setup.

You can [export or delete](/settings/account) what belongs to your account.`,
      copyright: `Was something of yours published here without your permission? Write to whoever runs this site, and name:

1. the work that is yours, and where it is to be seen;
2. the address here at which it was published;
3. how to reach you;
4. that you hold the rights, or act for who does.

Or [report the project](/report), with the reason "Somebody else's work".`,
      security: `Found a hole? Please tell whoever runs this site before you tell the world. The address stands in
[security.txt](/.well-known/security.txt).

- Try it on your own account and your own projects only.
- Do not read, change or delete what belongs to others.

A file that does harm is not a hole in the site: [report it](/report).`,
    },
  },
  de: {
    pages: "Rechtliches",
    titles: {
      terms: "Nutzungsbedingungen",
      rules: "Regeln für Inhalte",
      privacy: "Datenschutz",
      copyright: "Urheberrecht geltend machen",
      security: "Sicherheit",
    },
    notReviewed: "Vom Betreiber nicht geprüft",
    notReviewedText:
      "Wer diese Seite betreibt, hat sie noch nicht geschrieben. Der Text unten kommt mit der Software und bindet niemanden.",
    updated: "Zuletzt geändert",
    edit: "Diese Seite bearbeiten",
    admin: {
      title: "Rechtliche Seiten",
      lead: "Was du hier schreibst, ersetzt den Text, der mit der Software kommt. Markdown. Leer lassen, um zurückzukehren.",
      text: "Text",
      save: "Speichern",
      own: "Von dir geschrieben",
      standIn: "Kommt mit der Software",
      seen: "Seite ansehen",
      tooLong: (most) => `Darf höchstens ${most} Zeichen lang sein`,
    },
    defaults: {
      terms: `Alles hier darfst du ohne Konto lesen und herunterladen. Wer veröffentlicht, behält die Rechte an seinem Werk und erlaubt dieser Seite, es zu speichern und an Besucher weiterzugeben, unter der gewählten Lizenz.

## Worum wir bitten

- Veröffentliche nur, was du gemacht hast oder veröffentlichen darfst.
- Halte dich an die [Regeln für Inhalte](/legal/rules).
- Überlaste den Dienst nicht. Die [API-Referenz](/api/docs) sagt, wie viel willkommen ist.

## Worauf du dich verlassen kannst

- Dateien bleiben, was sie sind: Ihre Bytes ändern sich unter derselben Version nie.
- Du kannst deine Projekte entfernen und [dein Konto exportieren oder löschen](/settings/account).

Alles wird ohne Gewähr bereitgestellt.`,
      rules: `## Nicht erlaubt

- Programme, die schaden, ausspähen oder übernehmen, was ihnen nicht gehört.
- Werke anderer ohne deren Erlaubnis.
- Hass, Drohungen, Sexuelles, Privates über andere Leute.
- Namen, die nur besetzt werden, damit andere sie nicht haben.

## Erwartet

- Eine Beschreibung, die sagt, was ein Projekt tut und was nicht.
- Wahre Angaben: Spielversionen, Loader, Abhängigkeiten, Lizenz.

Moderatoren sehen sich an, was [gemeldet](/report) wird, und begründen ihre Entscheidungen.`,
      privacy: `## Was gespeichert wird

- Für ein Konto: Benutzername, E-Mail-Adresse, was du in dein Profil schreibst, und wie du dich anmeldest.
- Für Sitzungen: das Gerät, seine Adresse und die letzte Nutzung. Du siehst sie unter [Sitzungen](/settings/sessions).
- Für Downloads: einen Tag lang ein verschlüsselter Fingerabdruck der Adresse, damit niemand doppelt zählt. Die Adresse selbst wird nicht aufbewahrt.

## Was nicht

- Keine Werbung, keine Verfolgung durch andere, keine Cookies außer den nötigen: für Anmeldung, Formulare, Farben, Sprache und dein Setup.

Was zu deinem Konto gehört, kannst du [exportieren oder löschen](/settings/account).`,
      copyright: `Wurde hier etwas von dir ohne deine Erlaubnis veröffentlicht? Schreib dem Betreiber dieser Seite und nenne:

1. das Werk, das dir gehört, und wo es zu sehen ist;
2. die Adresse hier, unter der es veröffentlicht wurde;
3. wie man dich erreicht;
4. dass du die Rechte hast oder für jemanden handelst, der sie hat.

Oder [melde das Projekt](/report) mit dem Grund „Das Werk anderer“.`,
      security: `Eine Lücke gefunden? Sag es bitte dem Betreiber dieser Seite, bevor du es der Welt sagst. Die Adresse steht in
[security.txt](/.well-known/security.txt).

- Probiere es nur mit deinem eigenen Konto und deinen eigenen Projekten.
- Lies, ändere und lösche nichts, was anderen gehört.

Eine Datei, die Schaden anrichtet, ist keine Lücke der Seite: [melde sie](/report).`,
    },
  },
});
