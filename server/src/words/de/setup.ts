// German words of the first-run setup.
import type { Words } from "#words/en/catalogue.js";

export const setup: Words["setup"] = {
  steps: {
    title: "Diese Seite einrichten",
    step: (at, name) => `Schritt\u00a0${at}\u00a0von\u00a03: ${name}`,
    steps: { admin: "Administrator", site: "Seite", content: "Inhalt" },
    adminLead: "Erstelle den ersten Administrator. Der Link, der dich hergebracht hat, gilt nur einmal.",
    make: "Administrator erstellen",
    userName: "Benutzername",
    userNameHint: "2 bis 32 Buchstaben, Ziffern, _ oder -. Alle können ihn sehen.",
    email: "E-Mail",
    emailHint: "Zum Zurücksetzen des Passworts. Andere sehen sie nie.",
    password: "Passwort",
    newLinkTitle: "So bekommst du einen neuen Link",
    newLink: (run, create) =>
      `Führe auf dem Server \`${run}\` aus, oder starte ihn neu und sieh in sein Protokoll. Ohne diese Seite erstellst du einen Administrator mit \`${create}\`.`,
    linkNeeded:
      "Um den ersten Administrator zu erstellen, brauchst du den einmaligen Link aus dem Protokoll des Servers.",
    deadTitle: "Dieser Einrichtungslink funktioniert nicht",
    deadLead: "Vielleicht ist er vertippt, schon benutzt oder älter als eine Stunde.",
    siteLead: "Das alles kannst du später unter Verwaltung ändern.",
    address: "URL der Seite",
    addressFits: (url) => `${url}, das stimmt mit deinem Browser überein.`,
    addressDiffers: (configured, seen) =>
      `Eingestellt ist ${configured}, aber du bist auf ${seen}. Links, Cookies und Anmeldung brauchen die richtige URL.`,
    addressTodo: "Füge das in die Konfigurationsdatei oder die Umgebung ein und starte dann den Server neu:",
    next: "Weiter",
    skip: "Überspringen",
    contentLead:
      "Wähle die Projekttypen, Loader und Spielversionen deiner Seite. Du kannst sie jederzeit unter Verwaltung bearbeiten.",
    preset: "Beginnen mit",
    presets: {
      included: "Cosmic Reach (Standard)",
      minecraft: "Ein Spiel wie Minecraft: Loader, Plugins, Datenpakete",
      luanti: "Ein Spiel wie Luanti: Mods, Spiele, Texturpakete",
      factory: "Ein Fabrikspiel: Mods, Szenarien, Modpakete, Welten",
      blank: "Minimal: ein Typ, eine Spielversion",
      file: "Eine eigene Datei",
    },
    file: "Taxonomie-Datei",
    fileHint: "YAML oder JSON, wie unter Verwaltung, Taxonomie exportiert",
    fileMissing: "Wähle eine Datei",
    fileWrong: (line, message) => `Zeile ${line}: ${message}`,
    locked: (file) => `Die Taxonomie kommt aus der Datei ${file}. Bearbeite die Datei und starte den Server neu`,
    inUse: "Es gibt schon Projekte, die die jetzige Taxonomie verwenden. Bearbeite sie unter Verwaltung, Taxonomie.",
    finish: "Fertig",
  },
};
