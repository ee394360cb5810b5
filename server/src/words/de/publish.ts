// German words of the forms that create projects and versions.
import type { Words } from "#words/en/catalogue.js";

export const publish: Words["publish"] = {
  editorField: {
    help: "Markdown: **fett**, *kursiv*, # Überschrift, - Liste, [Verweis](https://…), ```Code```.",
    scratch: "Ausprobieren",
    words: {
      toolbar: "Gestaltung",
      write: "Schreiben",
      preview: "Vorschau",
      bold: "Fett",
      italic: "Kursiv",
      heading: "Überschrift",
      link: "Verweis",
      list: "Liste",
      quote: "Zitat",
      code: "Code",
      table: "Tabelle",
      details: "Eingeklappter Text",
      picture: "Bild",
      loading: "Wird dargestellt…",
      empty: "Noch nichts zu zeigen.",
      failed: "Die Vorschau geht gerade nicht.",
      signIn: "Melde dich an, um eine Vorschau zu sehen.",
      uploading: "Das Bild wird hinzugefügt…",
      pictureFailed: "Das Bild konnte nicht hinzugefügt werden:",
      restored: "Dein ungespeicherter Text ist wieder da.",
      discard: "Verwerfen",
      restore: "Wiederherstellen",
      offered: "Es gibt noch ungespeicherten Text.",
    },
  },
  markdownTools: {
    title: "Markdown ausprobieren",
    lead: "Beschreibungen, Änderungen und Nachrichten werden damit geschrieben. Nichts davon wird behalten.",
    text: "Text",
    show: "Zeigen",
    needsSignIn: "Eine Vorschau gibt es nur, wenn du angemeldet bist. Nichts von deinem Text ist verloren.",
    shown: "So sieht es aus",
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
    lead: "Es beginnt als Entwurf, den nur du siehst. Danach kommt die erste Version.",
    fileTitle: "Mit einer Datei beginnen",
    fileText: "Name, Kurzfassung, Art und vieles der ersten Version werden daraus gelesen.",
    file: "Die Datei, die Spielende herunterladen werden",
    readFile: "Datei lesen",
    noFile: "wähle zuerst eine Datei",
    handTitle: "Oder von Hand",
    checkTitle: "Sieh es durch",
    fromFile: (name) => `Eingetragen aus ${name}. Sie kommt mit zum nächsten Schritt.`,
    labels: {
      name: "Name",
      slug: "Adresse",
      type: "Art",
      visibility: "Sichtbarkeit",
      summary: "Kurzfassung",
      owner: "Inhaber",
    },
    slugHint: (site) => `${site}/project/…, kleine Buchstaben, Ziffern und . _ + -`,
    free: "Frei wären:",
    summaryHint: "Ein oder zwei Sätze, die in Listen stehen.",
    typeHint: "Manche lassen sich verbinden.",
    visibilities: {
      listed: "Gelistet: alle finden es",
      unlisted: "Nicht gelistet: wer die Adresse hat, findet es",
      private: "Privat: nur das Team sieht es",
    },
    me: (name) => `${name} (du)`,
    create: "Projekt anlegen",
    taken: "Diese Adresse ist vergeben.",
    full: (most) => `Dir gehören ${most} Projekte, so viele, wie einer Person hier gehören dürfen`,
    fullText:
      "Die von Organisationen zählen nicht: Leg es für eine an, oder verschieb einige dorthin. Oder bitte um mehr:",
    fullLink: "die Leute, die diese Seite betreiben",
  },
  upload: {
    choose: "Datei auswählen",
    chooseMany: "Dateien auswählen",
    drop: "oder hierher ziehen",
    dropMany: "oder hierher ziehen",
    limit: (types, size) => `${types}, bis zu ${size}`,
    kept: "Sie ist schon da und muss nicht noch einmal gesendet werden.",
    unfinished: (done, all) => `${done} von ${all} sind angekommen. Wähle dieselbe Datei noch einmal, um fortzufahren.`,
    another: "Andere Datei nehmen",
    words: {
      pause: "Anhalten",
      resume: "Fortsetzen",
      retry: "Noch einmal",
      remove: "Entfernen",
      starting: "Beginnt…",
      paused: "Angehalten",
      waiting: "Keine Verbindung. Es geht von selbst weiter.",
      checking: "Die Datei wird geprüft…",
      done: "Fertig",
      left: "übrig",
      percent: "{percent} % von {name} hochgeladen",
      finished: "{name} ist hochgeladen",
      failed: "{name} konnte nicht hochgeladen werden: {reason}",
      tooLarge: "größer als {size}",
      signedOut: "du bist abgemeldet; melde dich in einem anderen Tab an und versuch es noch einmal",
      sending: "Es wird abgeschickt, sobald die Datei da ist.",
    },
  },
  versionActs: {
    yankTitle: (number) => `${number} zurückziehen`,
    yankText:
      "Sie wird nicht mehr als neueste angeboten, nicht in der Suche und nicht denen, die dieses Projekt brauchen. Wer sie beim Namen oder nach ihrem Hash verlangt, bekommt sie weiterhin, mit einem Vermerk.",
    reason: "Grund",
    reasonHint: "Spielende sehen ihn. Zum Beispiel: stürzt bei Welten aus 0.4.6 ab.",
    replacement: "Ersatz",
    replacementHint: "Eine Version, die man stattdessen nimmt; wer diese ansieht, wird dorthin geführt.",
    noReplacement: "Keine",
    security: "Sie gefährdet alle, die sie benutzen",
    securityHint: "Alle, die dem Projekt folgen, erfahren davon, mit dem Grund.",
    securityReason: "Sag, worin die Gefahr besteht: Das erfahren alle, die dir folgen",
    yank: "Version zurückziehen",
    unyankTitle: (number) => `${number} wieder anbieten`,
    unyankText: "Sie wird angeboten wie vor dem Zurückziehen.",
    unyank: "Wieder anbieten",
    deleteTitle: (number) => `${number} löschen`,
    deleteText:
      "Die Version verschwindet mit ihren Dateien und Zahlen, endgültig. Wer von ihr abhängt, findet sie nicht mehr. Um eine schlechte Version zurückzunehmen, ist Zurückziehen freundlicher.",
    yankInstead: "Lieber zurückziehen",
    wrongNumber: "Das ist nicht die Nummer der Version",
    delete: "Endgültig löschen",
  },
  versionLinks: { edit: "Bearbeiten", yank: "Zurückziehen…", unyank: "Wieder anbieten…", delete: "Löschen…" },
  versionForm: {
    newTitle: "Version hochladen",
    editTitle: (number) => `${number} bearbeiten`,
    lead: "Was die Datei über sich sagt, ist eingetragen. Sieh es durch und veröffentliche.",
    labels: {
      primaryFile: "Datei",
      additionalFiles: "Weitere Dateien",
      versionNumber: "Versionsnummer",
      title: "Titel",
      releaseChannel: "Kanal",
      featured: "Hervorgehoben",
      loaders: "Loader",
      gameVersions: "Spielversionen",
      dependencies: "Abhängigkeiten",
      changelog: "Änderungen",
    },
    additionalHint: "Quelltext, Dokumentation, ein anderer Build. Spielende bekommen die Datei oben.",
    immutable:
      "Was veröffentlicht ist, bleibt: Die Bytes hinter einer Nummer ändern sich nie. Lade eine neue Version hoch, um eine Datei zu ersetzen, und ziehe diese zurück, wenn sie niemand mehr benutzen soll.",
    numberHint: "Wo sie leer ist, aus der Datei gelesen.",
    titleHint: "Wo er leer ist, aus Name und Nummer gebildet.",
    featuredHint: "Neben der Beschreibung gezeigt.",
    gameVersionsHint: "Die, mit denen sie ausprobiert wurde.",
    more: (series, count) => `${series} (${count})`,
    dependenciesHint: "Projekte mit dem letzten Teil ihrer Adresse. Lass die Version leer, wo jede genügt.",
    depProject: "Projekt",
    depVersion: "Version (freiwillig)",
    depType: "Art",
    depTypes: {
      required: "Erforderlich",
      optional: "Möglich",
      incompatible: "Unverträglich",
      embedded: "In der Datei enthalten",
    },
    row: (number) => `Abhängigkeit ${number}`,
    changelogHint: "Was sich seit der letzten Version geändert hat.",
    publish: "Version veröffentlichen",
    save: "Version speichern",
    archived: "Dieses Projekt ist archiviert",
    archivedText: "Es nimmt keine neuen Versionen. Ändere zuerst seine Sichtbarkeit.",
    archivedAction: "Zu den Einstellungen",
    notKept: "Die Datei konnte nicht behalten werden; wähle sie noch einmal.",
    files: "Dateien dieser Version",
  },
};
