// German words of the parts that several pages share.
import type { Words } from "#words/en/catalogue.js";

export const parts: Words["parts"] = {
  pastTheEnd: { title: "Diese Seite gibt es nicht", action: "Zur letzten Seite" },
  common: {
    save: "Speichern",
    cancel: "Abbrechen",
    remove: "Entfernen",
    delete: "Löschen",
    edit: "Bearbeiten",
    copy: "Kopieren",
    copied: "Kopiert",
    previous: "Vorige Seite",
    next: "Nächste Seite",
    pages: "Seiten",
    page: (number) => `Seite ${number}`,
    by: "von",
    optional: "optional",
    downloads: (count) => (count === "1" ? "1 Download" : `${count} Downloads`),
    followers: (count) => (count === "1" ? "1 Follower" : `${count} Follower`),
    updated: (when) => `aktualisiert ${when}`,
    published: (when) => `veröffentlicht ${when}`,
    fits: "Passt zu deinem Setup",
    notFor: (loader) => `Keine ${loader}-Version`,
    newestFor: (gameVersion) => `Für ${gameVersion}`,
    download: "Herunterladen",
    downloadWithAll: "Zeigt zuerst die Abhängigkeiten",
    goToPage: "Zu Seite",
    go: "Los",
    inTerminal: "Im Terminal:",
    downloadFor: (name) => `${name} für dein Setup herunterladen`,
    channels: { release: "Release", beta: "Beta", alpha: "Alpha", dev: "Dev" },
    typeToConfirm: (word) => `Gib zur Bestätigung „${word}“ ein`,
  },
  markdown: {
    callouts: { note: "Hinweis", tip: "Tipp", important: "Wichtig", warning: "Warnung", caution: "Vorsicht" },
  },
  evidence: { title: "Bilder", picture: (at) => `Bild ${at} zur Meldung` },
  form: {
    failed: "Das hat nicht geklappt",
    passwordHint: "Mindestens 8 Zeichen. Ein paar zufällige Wörter sind gut geeignet.",
    conflict: "Jemand anders hat inzwischen Änderungen gespeichert",
    conflictHelp:
      "Deine Eingaben stehen unten. Wenn du jetzt speicherst, ersetzen sie die hier gezeigten gespeicherten Werte.",
    savedNow: (label) => `${label} (gespeichert)`,
    nothing: "(leer)",
  },
};
