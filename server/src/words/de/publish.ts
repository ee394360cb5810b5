// German words of the forms that create projects and versions.
import type { Words } from "#words/en/catalogue.js";

export const publish: Words["publish"] = {
  editorField: {
    help: "Markdown: **fett**, *kursiv*, # Überschrift, - Liste, [Link](https://…), ```Code```.",
    scratch: "Markdown ausprobieren",
    words: {
      toolbar: "Formatierung",
      write: "Schreiben",
      preview: "Vorschau",
      bold: "Fett",
      italic: "Kursiv",
      heading: "Überschrift",
      link: "Link",
      list: "Liste",
      quote: "Zitat",
      code: "Code",
      table: "Tabelle",
      details: "Spoiler",
      picture: "Bild",
      loading: "Wird gerendert…",
      empty: "Noch nichts anzuzeigen.",
      failed: "Die Vorschau ist gerade nicht verfügbar.",
      signIn: "Melde dich an, um eine Vorschau zu sehen.",
      uploading: "Das Bild wird hinzugefügt…",
      pictureFailed: "Das Bild konnte nicht hinzugefügt werden:",
      restored: "Dein ungespeicherter Text wurde wiederhergestellt.",
      restoredPart:
        "Dein ungespeicherter Text unter „Änderungen“ wurde wiederhergestellt. Die übrigen Felder werden aus deiner Datei ausgefüllt.",
      discard: "Verwerfen",
      restore: "Wiederherstellen",
      offered: "Du hast ungespeicherten Text.",
    },
  },
  markdownTools: {
    title: "Markdown ausprobieren",
    lead: "Beschreibungen, Änderungslisten und Nachrichten werden in Markdown geschrieben. Nichts, was du hier eingibst, wird gespeichert.",
    text: "Text",
    show: "Vorschau",
    needsSignIn: "Melde dich an, um eine Vorschau zu sehen. Dein Text ist noch da.",
    shown: "Vorschau",
    sample: `# Lampen

Sie gehen in der **Dämmerung** von *selbst* an. Siehe [das Wiki](https://example.org).

- [x] Überleben
- [ ] Kreativ

| Einstellung | Vorgabe |
|---|---:|
| \`range\` | 12 |

\`\`\`json
{ "range": 12 }
\`\`\`

<details><summary>Für Server</summary>

Leg die Datei nach \`mods\`.

</details>
`,
  },
  newProject: {
    title: "Projekt veröffentlichen",
    lead: "Dein Projekt beginnt als Entwurf, den nur du sehen kannst. Danach fügst du die erste Version hinzu.",
    fileTitle: "Mit einer Datei beginnen",
    fileText: "Wir lesen daraus Name, Kurzbeschreibung, Typ und Angaben zur ersten Version.",
    file: "Datei, die Spieler herunterladen",
    readFile: "Datei lesen",
    noFile: "Wähle zuerst eine Datei",
    handTitle: "Oder selbst ausfüllen",
    checkTitle: "Prüfe die Angaben",
    fromFile: (name) => `Aus ${name} übernommen. Wir verwenden die Datei für die erste Version.`,
    labels: {
      name: "Name",
      slug: "URL",
      type: "Typ",
      visibility: "Sichtbarkeit",
      summary: "Kurzbeschreibung",
      license: "Lizenz",
      owner: "Inhaber",
    },
    slugHint: (site) => `${site}/project/… mit Kleinbuchstaben, Ziffern und . _ + -`,
    free: "Verfügbar:",
    summaryHint: "Ein oder zwei Sätze. Erscheint in Listen.",
    typeHint: "Manche Typen lassen sich kombinieren.",
    visibilities: {
      listed: "Gelistet: alle können es finden",
      unlisted: "Nicht gelistet: alle mit dem Link",
      private: "Privat: nur das Team",
    },
    me: (name) => `${name} (du)`,
    create: "Projekt erstellen",
    taken: "Diese URL ist vergeben. Wähle eine andere.",
    full: (most) => `Dir gehören ${most} Projekte; mehr sind nicht erlaubt`,
    fullText:
      "Projekte von Organisationen zählen nicht. Erstelle dieses Projekt in einer Organisation, verschiebe einige dorthin oder bitte um ein höheres Limit.",
    fullLink: "Betreiber der Website kontaktieren",
  },
  upload: {
    choose: "Datei auswählen",
    chooseMany: "Dateien auswählen",
    drop: "oder hierher ziehen",
    dropMany: "oder hierher ziehen",
    limit: (types, size) => `${types}, bis zu ${size}`,
    kept: "Hochgeladen",
    unfinished: (done, all) => `${done} von ${all} hochgeladen. Wähle dieselbe Datei noch einmal aus, um fortzufahren.`,
    another: "Andere Datei auswählen",
    words: {
      pause: "Pausieren",
      resume: "Fortsetzen",
      retry: "Noch einmal versuchen",
      remove: "Entfernen",
      starting: "Upload beginnt…",
      paused: "Pausiert",
      waiting: "Keine Verbindung. Der Upload wird automatisch fortgesetzt.",
      checking: "Die Datei wird geprüft…",
      done: "Fertig",
      left: "übrig",
      percent: "{percent} % von {name} hochgeladen",
      finished: "{name} ist hochgeladen",
      failed: "{name} konnte nicht hochgeladen werden: {reason}",
      tooLarge: "größer als {size}",
      signedOut: "du bist abgemeldet. Melde dich in einem anderen Tab an und versuch es noch einmal.",
      sending: "Das Formular wird abgeschickt, sobald der Upload fertig ist.",
    },
  },
  versionActs: {
    yankTitle: (number) => `${number} zurückziehen`,
    yankText:
      "Eine zurückgezogene Version wird nicht mehr als neueste, in der Suche oder als Abhängigkeit angeboten. Über ihre Nummer oder ihren Hash lässt sie sich weiterhin herunterladen und ist dann als zurückgezogen gekennzeichnet.",
    reason: "Grund",
    reasonHint: "Spieler sehen ihn. Zum Beispiel: stürzt bei Welten aus 0.4.6 ab.",
    replacement: "Ersatz",
    replacementHint: "Wer diese Version öffnet, wird auf den Ersatz hingewiesen.",
    noReplacement: "Keiner",
    security: "Das ist ein Sicherheitsproblem",
    securityHint: "Alle Follower des Projekts werden benachrichtigt, mit dem Grund.",
    securityReason: "Beschreibe das Sicherheitsproblem. Deine Follower sehen es.",
    yank: "Version zurückziehen",
    unyankTitle: (number) => `${number} wiederherstellen`,
    unyankText: "Die Version wird wieder wie zuvor angeboten.",
    unyank: "Version wiederherstellen",
    deleteTitle: (number) => `${number} löschen`,
    deleteText:
      "Die Version wird mit ihren Dateien und ihrer Statistik endgültig gelöscht. Projekte, die von ihr abhängen, finden sie nicht mehr. Um eine fehlerhafte Version zurückzunehmen, ziehe sie besser zurück.",
    yankInstead: "Stattdessen zurückziehen",
    wrongNumber: "Das stimmt nicht mit der Versionsnummer überein",
    delete: "Version löschen",
  },
  versionLinks: { edit: "Bearbeiten", yank: "Zurückziehen…", unyank: "Wiederherstellen…", delete: "Löschen…" },
  versionForm: {
    newTitle: "Version hochladen",
    editTitle: (number) => `${number} bearbeiten`,
    lead: "Wähle eine Datei, und wir tragen ein, was wir darin finden. Prüfe die Angaben und veröffentliche dann.",
    labels: {
      primaryFile: "Datei",
      additionalFiles: "Weitere Dateien",
      versionNumber: "Versionsnummer",
      title: "Titel",
      releaseChannel: "Kanal",
      featured: "In der Seitenleiste anheften",
      loaders: "Loader",
      gameVersions: "Spielversionen",
      dependencies: "Abhängigkeiten",
      changelog: "Änderungen",
      again: "Diese Datei noch einmal als neue Version veröffentlichen",
    },
    same: (number) => `Diese Datei ist schon als ${number} veröffentlicht`,
    sameText:
      "Eine Version mit anderer Nummer und derselben Datei erwartet kaum jemand. Wenn du eine andere Datei hochladen wolltest, wähle sie oben aus.",
    sameLink: (number) => `${number} öffnen`,
    sameRefused: (number) =>
      `Diese Datei ist schon als ${number} veröffentlicht. Wähle eine andere Datei, oder setze das Häkchen, um sie noch einmal zu veröffentlichen.`,
    additionalHint: "Quelltext, Dokumentation oder ein anderer Build. Spieler laden die Datei oben herunter.",
    immutable:
      "Veröffentlichte Dateien lassen sich nicht ändern. Um eine Datei zu ersetzen, lade eine neue Version hoch. Ziehe diese zurück, wenn sie nicht mehr benutzt werden soll.",
    numberHint: "Leer lassen, um sie aus der Datei zu lesen.",
    titleHint: "Leer lassen, um Projektname und Versionsnummer zu verwenden.",
    featuredHint: "Zeigt diese Version neben der Beschreibung.",
    gameVersionsHint: "Versionen, die du getestet hast",
    more: (series, count) => `${series} (${count})`,
    wholeFamily: (series) => `Alle von ${series}`,
    range: {
      label: "Bereich von Spielversionen",
      from: "Von",
      to: "Bis",
      newest: "Neueste",
      none: "Kein Bereich",
      tick: "Diese Versionen ankreuzen",
    },
    dependenciesHint:
      "Tippe einen Namen, um zu suchen, oder gib das Ende der Projekt-URL ein. Lass die Version leer, wenn jede geht.",
    addRow: "Zeile hinzufügen",
    depProject: "Projekt",
    depVersion: "Version (optional)",
    depType: "Typ",
    depTypes: { required: "Erforderlich", optional: "Optional", incompatible: "Inkompatibel", embedded: "Enthalten" },
    row: (number) => `Abhängigkeit ${number}`,
    changelogHint: "Was sich seit der letzten Version geändert hat.",
    publish: "Version veröffentlichen",
    save: "Version speichern",
    archived: "Dieses Projekt ist archiviert",
    archivedText:
      "Zu einem archivierten Projekt kannst du keine Versionen hinzufügen. Ändere zuerst seine Sichtbarkeit.",
    archivedAction: "Zu den Einstellungen",
    notKept: "Die Datei wurde nicht gespeichert. Wähle sie noch einmal aus.",
    files: "Dateien dieser Version",
  },
};
