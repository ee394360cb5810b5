// German words of what is wrong with a pack.
import type { Words } from "#words/en/catalogue.js";

export const packs: Words["packs"] = {
  indexMissing: (file) => `${file} fehlt. Exportiere das Modpack noch einmal mit deinem Launcher oder Werkzeug`,
  indexTooLarge: (file, kib) => `${file} ist größer als ${kib} KiB. Führe weniger Dateien auf`,
  notJson: (file) => `${file} ist kein gültiges JSON. Exportiere das Modpack noch einmal`,
  notToml: (file) =>
    `${file} ist keine gültige TOML-Datei. Führe „packwiz refresh“ aus und packe den Ordner noch einmal`,
  wrongFormatVersion: (found) => `formatVersion ist ${found}. Unterstützt wird nur Version 1 des Formats`,
  wrongGame: (found) => `game ist ${found}. Das Format .mrpack gibt es nur für „minecraft“; nimm für andere packwiz`,
  wrongField: (field) => `${field} fehlt oder ist von der falschen Art. Exportiere das Modpack noch einmal`,
  empty: "Es enthält keine Dateien. Füge Dateien oder Overrides hinzu",
  tooManyFiles: (most) => `Es führt mehr als ${most} Dateien auf. Teile das Modpack auf`,
  hashMissing: (path, algorithm) => `${path} hat keinen ${algorithm}-Hash. Exportiere das Modpack noch einmal`,
  hashMalformed: (path, algorithm) => `Der ${algorithm}-Hash von ${path} ist ungültig`,
  sizeMalformed: (path) => `fileSize von ${path} muss eine Zahl von Bytes sein`,
  sideMalformed: (path) => `Die Umgebung von ${path} ist unbekannt. Verwende die Werte des Formats`,
  unsafePath: (path, why) => `Der Pfad ${path} ist nicht sicher (${why}). Verwende Pfade innerhalb des Spielordners`,
  downloadMissing: (path) => `${path} hat keine Download-Adresse`,
  tooManyDownloads: (path, most) => `${path} hat mehr als ${most} Download-Adressen`,
  urlMalformed: (path) => `Eine Download-Adresse von ${path} ist keine gültige URL`,
  notHttps: (path, host) => `${path} wird ohne HTTPS von ${host} geladen. Verwende https://`,
  hostNotAllowed: (path, host, allowed) =>
    `${path} wird von ${host} geladen, was hier nicht erlaubt ist. Erlaubt sind diese Website, ${allowed}. Lege die Datei zu den Overrides, wenn ihre Lizenz es zulässt`,
  fileMissing: (path) => `index.toml führt ${path} auf, aber die Datei ist nicht im Archiv. Packe den ganzen Ordner`,
  metafileField: (path, field) => `${path} hat kein gültiges „${field}“`,
  packwizHashMissing: (path) =>
    `${path} hat keinen brauchbaren Hash. Führe „packwiz refresh --build“ aus und packe den Ordner noch einmal`,
  packwizHashWrong: (path) =>
    `${path} passt nicht zu seinem Hash. Führe „packwiz refresh“ aus und packe den Ordner noch einmal`,
};
