// German words of the pages about the site itself: legal pages, feeds, about.
import type { Words } from "#words/en/catalogue.js";

export const site: Words["site"] = {
  about: {
    about: "Über diese Website",
    aboutLead:
      "Modshelf bietet Erweiterungen für Spiele zum Herunterladen an: Mods, Shader, Ressourcenpakete und alles andere, womit Spieler ihre Spiele ergänzen.",
    version: "Version",
    figures: "Statistik",
    counts: { projects: "Projekte", versions: "Versionen", files: "Dateien", authors: "Autoren", users: "Benutzer" },
    more: "Mehr",
    source: "Modshelf ist freie Software. Alle dürfen es unter den Bedingungen seiner Lizenz betreiben und ändern.",
    links: {
      status: "Status",
      docs: "Dokumentation",
      feeds: "Feeds",
      rules: "Regeln",
      privacy: "Datenschutz",
      security: "Sicherheit",
    },
    status: "Status",
    allWell: "Alle Systeme funktionieren",
    trouble: "Einige Systeme haben Probleme",
    parts: "Komponenten",
    part: { database: "Datenbank", storage: "Dateispeicher", server: "Dieser Server", jobs: "Hintergrundjobs" },
    states: { ok: "funktioniert", failing: "gestört", unknown: "unbekannt", stopping: "startet neu" },
    waits: "Warteschlangen",
    review: "Projekte, die auf Prüfung warten",
    median: "Mittlere Prüfdauer",
    noMedian: "zuletzt keine Prüfungen",
    jobs: "Hintergrundjobs",
    oldest: "Ältester Job wartet seit",
    parked: "Nach zehn Versuchen fehlgeschlagene Jobs",
    updated: "Zuletzt geprüft",
    machines: "Maschinenlesbar:",
  },
  guides: {
    title: "Dokumentation",
    lead: "So nutzt du diese Website, veröffentlichst darauf, baust auf ihrer API auf und betreibst eine eigene.",
    readers: {
      players: "Für Spieler",
      authors: "Für Autoren",
      launchers: "Für Launcher-Entwickler",
      operators: "Für Betreiber",
    },
    find: "Dokumentation durchsuchen",
    search: "Suchen",
    found: (words) => `Ergebnisse für „${words}“`,
    none: "Kein Abschnitt enthält alle diese Wörter.",
    all: "Alle Seiten",
    contents: "Auf dieser Seite",
    language: "Diese Seiten sind auf Englisch.",
    programs: "Für Programme",
    api: "API-Referenz",
    apiText: "Alle Endpunkte mit Parametern, Antworten, Zugriffsregeln und einem Beispiel zum Kopieren.",
    openapi: "OpenAPI-Dokument",
    openapiText:
      "Eine maschinenlesbare Beschreibung der API, um einen Client zu erzeugen oder sie in ein Werkzeug zu importieren.",
    tokens: "Tokens",
    tokensText: "Persönliche Zugriffstokens für Skripte und Build-Server.",
  },
  feeds: {
    title: "Feeds",
    lead: "Verfolge Neues in einem Feedreader oder Bot. Du brauchst kein Konto.",
    formats:
      "Jeden Feed gibt es als Atom (.atom) und als JSON Feed (.json), mit bis zu 50 Einträgen, die neuesten zuerst.",
    ofAll: "Gesamte Website",
    releases: "Neue Versionen aller Projekte",
    projects: "Neue Projekte",
    both: "Neue Projekte und Versionen",
    ofOne: "Ein Projekt, ein Benutzer, eine Organisation oder eine Sammlung",
    ofOneText: "Ersetze den Teil in Klammern durch den Namen. Du findest diese Feeds auch auf den jeweiligen Seiten.",
    project: "Neue Versionen eines Projekts",
    user: "Neue Versionen der Projekte eines Benutzers",
    organization: "Neue Versionen der Projekte einer Organisation",
    collection: "Neue Versionen der Projekte in einer Sammlung",
    filters: "Filter",
    filtersText: "Hänge diese Parameter an eine beliebige Feed-URL an:",
    v: "eine Spielversion",
    l: "ein Loader",
    ch: "ein Kanal: release, beta, alpha oder dev, jeweils mit den stabileren",
    yours: "Für dein Setup:",
    copy: (what) => `${what}-URL kopieren`,
  },
  followingFeed: {
    title: "Dein persönlicher Feed",
    lead: "Neue Versionen der Projekte, denen du folgst. Feedreader können sich nicht anmelden, deshalb enthält die URL einen geheimen Schlüssel. Gib sie nicht weiter. Der Schlüssel öffnet nur diesen Feed.",
    signIn: "Melde dich an, um deinen Feed zu bekommen",
    make: "Feed-URL erstellen",
    renew: "Neue URL erstellen",
    remove: "URL widerrufen",
    made: "Du hast eine Feed-URL, erstellt",
    renewHint: "Eine neue URL ersetzt die alte, die dann nicht mehr gilt.",
    once: "Das ist deine Feed-URL. Kopiere sie jetzt: Sie wird nur einmal angezeigt.",
    back: "Alle Feeds",
    copy: "URL kopieren",
  },
  legal: {
    pages: "Rechtliches",
    titles: {
      terms: "Nutzungsbedingungen",
      rules: "Regeln für Inhalte",
      privacy: "Datenschutz",
      copyright: "Urheberrecht",
      security: "Sicherheit",
    },
    notReviewed: "Vom Betreiber nicht geprüft",
    notReviewedText:
      "Die Betreiber dieser Website haben diesen Text noch nicht geschrieben. Der Text unten kommt mit der Software und ist nicht verbindlich.",
    updated: "Zuletzt geändert",
    edit: "Seite bearbeiten",
    admin: {
      title: "Rechtliche Seiten",
      lead: "Dein Text ersetzt den Standardtext der Software. Du kannst Markdown verwenden. Lass ihn leer, um den Standardtext wiederherzustellen.",
      text: "Text",
      save: "Speichern",
      own: "Dein Text",
      standIn: "Standardtext",
      seen: "Seite ansehen",
      tooLong: (most) => `Darf höchstens ${most} Zeichen lang sein`,
    },
    defaults: {
      terms: `Du kannst alles hier ohne Konto ansehen und herunterladen. Autoren behalten die Rechte an ihren Werken. Mit der Veröffentlichung erlauben sie dieser Website, sie zu speichern und unter der gewählten Lizenz an Besucher weiterzugeben.

## Worum wir bitten

- Veröffentliche nur, was du gemacht hast oder veröffentlichen darfst.
- Halte dich an die [Regeln für Inhalte](/legal/rules).
- Überlaste den Dienst nicht. Die Grenzen stehen in der [API-Referenz](/api/docs).

## Worauf du dich verlassen kannst

- Veröffentlichte Dateien ändern sich nie: Eine Version hat immer dieselben Bytes.
- Du kannst deine Projekte löschen und [deine Daten exportieren oder dein Konto löschen](/settings/account).

Alles wird ohne Gewähr bereitgestellt.`,
      rules: `## Nicht erlaubt

- Schadsoftware, Spionagesoftware und alles, was andere Programme oder Konten übernimmt.
- Werke anderer ohne deren Erlaubnis.
- Hass, Drohungen, sexuelle Inhalte und Privates über andere.
- Namen, die nur besetzt werden, damit andere sie nicht verwenden können.

## Erwartet

- Eine Beschreibung, die erklärt, was das Projekt tut und was nicht.
- Richtige Angaben: Spielversionen, Loader, Abhängigkeiten und Lizenz.

Moderatoren prüfen [Meldungen](/report) und begründen ihre Entscheidungen.`,
      privacy: `## Was gespeichert wird

- Für ein Konto: Benutzername, E-Mail-Adresse, Profil und wie du dich anmeldest.
- Für Sitzungen: das Gerät, seine IP-Adresse und die letzte Nutzung. Du siehst sie unter [Sitzungen](/settings/sessions).
- Für Downloads und Seitenaufrufe: einige Stunden lang ein mit einem Schlüssel gebildeter Hash der IP-Adresse oder des Kontos, damit jeder Besucher einmal zählt. Die IP-Adresse selbst wird nicht gespeichert.
- Für Autoren: wie viele Aufrufe und Downloads ihre Projekte pro Tag haben, nach Land, falls es bekannt ist, und nach der Website, die auf die Seite verlinkt hat (nur ihr Hostname). Wenn dein Browser „Do Not Track“ oder „Global Privacy Control“ sendet, wird dein Aufruf nur zur Zahl addiert.

## Was nicht gespeichert wird

- Es gibt keine Werbung und kein Tracking durch Dritte. Die Website verwendet nur die nötigen Cookies: für Anmeldung, Formulare, Design, Sprache und dein Setup.

Die Daten deines Kontos kannst du [exportieren oder löschen](/settings/account).`,
      copyright: `Wurde dein Werk hier ohne deine Erlaubnis veröffentlicht? Schreib den Betreibern dieser Website und nenne:

1. dein ursprüngliches Werk und wo es zu sehen ist;
2. die URL auf dieser Website, unter der es veröffentlicht wurde;
3. deine Kontaktdaten;
4. dass du die Rechte hast oder für jemanden handelst, der sie hat.

Oder [melde das Projekt](/report) mit dem Grund „Werk von anderen“.`,
      security: `Eine Sicherheitslücke gefunden? Sag es bitte den Betreibern dieser Website, bevor du sie öffentlich machst. Der Kontakt steht in
[security.txt](/.well-known/security.txt).

- Teste nur mit deinem eigenen Konto und deinen eigenen Projekten.
- Lies, ändere oder lösche keine Daten, die anderen gehören.

Eine schädliche Datei ist keine Sicherheitslücke der Website: [melde sie](/report).`,
    },
  },
};
