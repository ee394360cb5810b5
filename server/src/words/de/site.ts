// German words of the pages about the site itself: legal pages, feeds, about.
import type { Words } from "#words/en/catalogue.js";

export const site: Words["site"] = {
  about: {
    about: "Über diese Seite",
    aboutLead:
      "Modshelf ist ein Verzeichnis und Download-Dienst für Spiele-Erweiterungen: Mods, Shader, Ressourcenpakete und was Spieler sonst noch einbauen.",
    version: "Version",
    figures: "Was es hier gibt",
    counts: { projects: "Projekte", versions: "Versionen", files: "Dateien", authors: "Autoren", users: "Benutzer" },
    more: "Mehr",
    source: "Modshelf ist freie Software. Wer es betreibt, kann es ändern, und gibt dir die Lizenz mit.",
    links: {
      status: "Zustand",
      docs: "Dokumentation",
      feeds: "Feeds",
      rules: "Regeln",
      privacy: "Datenschutz",
      security: "Sicherheit",
    },
    status: "Zustand",
    allWell: "Alles läuft",
    trouble: "Etwas läuft gerade nicht",
    parts: "Teile",
    part: { database: "Datenbank", storage: "Dateispeicher", server: "Dieser Server", jobs: "Arbeit im Hintergrund" },
    states: { ok: "läuft", failing: "gestört", unknown: "noch nicht bekannt", stopping: "startet neu" },
    waits: "Wartezeiten",
    review: "Projekte, die auf Freigabe warten",
    median: "Mittlere Wartezeit auf Freigabe",
    noMedian: "zuletzt wurde nichts entschieden",
    jobs: "Aufgaben im Hintergrund",
    oldest: "Die älteste davon wartet seit",
    parked: "Nach zehn Versuchen aufgegebene Aufgaben",
    updated: "Nachgesehen",
    machines: "Für Maschinen:",
    docs: "Dokumentation",
    docsLead: "Wie man diese Seite mit Programmen benutzt, und was ihre Seiten können.",
    guides: {
      api: "API-Referenz",
      apiText: "Jede Route mit Parametern, Antworten, Zugriffsregel und einem Beispiel zum Kopieren.",
      openapi: "OpenAPI-Dokument",
      openapiText: "Dasselbe als Daten, um einen Client daraus zu machen oder es in ein Werkzeug zu laden.",
      feeds: "Feeds",
      feedsText: "Neue Projekte und Versionen für Feedreader und Bots, als Atom und JSON Feed.",
      tokens: "Tokens",
      tokensText: "Persönliche Zugangstokens für Skripte und Build-Server, mit so wenig Rechten wie möglich.",
      badges: "Plaketten",
      badgesText: "Kleine Bilder mit Downloads, Version oder Loadern eines Projekts, für eine README.",
      maven: "Maven",
      mavenText: "Dateien von Projekten als Abhängigkeiten eines Builds.",
    },
  },
  feeds: {
    title: "Feeds",
    lead: "Ein Feedreader oder Bot fragt diese Adressen nach Neuem. Ein Konto ist nicht nötig.",
    formats: "Jeder kommt als Atom (.atom) und als JSON Feed (.json), mit höchstens 50 Einträgen, die neuesten zuerst.",
    ofAll: "Von der ganzen Seite",
    releases: "Neue Versionen aller Projekte",
    projects: "Neue Projekte",
    both: "Beides in einem",
    ofOne: "Von einem Projekt, einer Person, Organisation oder Sammlung",
    ofOneText: "Setze den Namen anstelle des Teils in Klammern ein. Ihre Seiten verlinken sie auch.",
    project: "Neue Versionen eines Projekts",
    user: "Neue Versionen der Projekte eines Benutzers",
    organization: "Neue Versionen der Projekte einer Organisation",
    collection: "Neue Versionen der Projekte in einer Sammlung",
    filters: "Nur, was passt",
    filtersText: "Hänge an jede der Adressen an:",
    v: "eine Spielversion",
    l: "einen Loader",
    ch: "einen Kanal: release, beta, alpha oder dev, jeder mit den stabileren",
    yours: "Für dein Setup:",
    copy: (what) => `Adresse kopieren: ${what}`,
  },
  followingFeed: {
    title: "Was du verfolgst",
    lead: "Neue Versionen der Projekte, denen du folgst. Feedreader kennen keine Anmeldung: Die Adresse selbst enthält einen Schlüssel, behalte sie also für dich. Sie öffnet nur diesen Feed.",
    signIn: "Melde dich an, um deine zu bekommen",
    make: "Meine Adresse anlegen",
    renew: "Neue Adresse anlegen",
    remove: "Widerrufen",
    made: "Du hast eine Adresse, angelegt",
    renewHint: "Eine neue tritt an ihre Stelle; die alte gilt dann nicht mehr.",
    once: "Das ist deine Adresse. Sie wird nur dieses eine Mal gezeigt.",
    back: "Alle Feeds",
    copy: "Adresse kopieren",
  },
  legal: {
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
};
