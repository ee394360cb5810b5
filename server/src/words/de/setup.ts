// German words of the first-run setup.
import type { Words } from "#words/en/catalogue.js";

export const setup: Words["setup"] = {
  steps: {
    title: "Diese Seite einrichten",
    step: (at, name) => `Schritt\u00a0${at}\u00a0von\u00a03: ${name}`,
    steps: { admin: "Verwaltung", site: "Seite", content: "Inhalt" },
    adminLead: "Hier entsteht das erste Konto der Verwaltung. Der Link, der dich hergebracht hat, gilt einmal.",
    make: "Konto anlegen",
    userName: "Name",
    userNameHint: "2 bis 32 Buchstaben, Ziffern, _ oder -. Alle sehen ihn.",
    email: "E-Mail",
    emailHint: "Für vergessene Passwörter. Sonst sieht sie niemand.",
    password: "Passwort",
    newLinkTitle: "So bekommst du einen neuen Link",
    newLink: (run, create) =>
      `Rufe auf dem Server ${run} auf, oder starte ihn neu und sieh ins Log. ${create} legt ein Konto der Verwaltung ohne diese Seite an.`,
    linkNeeded: "Der einmalige Link, der das erste Konto der Verwaltung anlegt, steht im Log des Servers.",
    deadTitle: "Dieser Link zum Einrichten gilt nicht",
    deadLead: "Er ist vertippt, wurde schon benutzt oder ist älter als eine Stunde.",
    siteLead: "All das kannst du später unter Verwaltung ändern.",
    address: "Adresse der Seite",
    addressFits: (url) => `${url}, und da bist du gerade.`,
    addressDiffers: (configured, seen) =>
      `In den Einstellungen steht ${configured}, aber du bist bei ${seen}. Links, Cookies und Anmeldung brauchen die richtige.`,
    addressTodo: "Schreib das in die Konfigurationsdatei oder die Umgebung und starte den Server neu:",
    next: "Weiter",
    skip: "Überspringen",
    contentLead:
      "Welche Arten von Projekten es gibt, für welche Loader und Spielversionen. Unter Verwaltung lässt es sich jederzeit bearbeiten.",
    preset: "Beginnen mit",
    presets: {
      included: "Cosmic Reach: was dabei ist",
      minecraft: "Ein Spiel wie Minecraft: Loader, Plugins, Datenpakete",
      luanti: "Ein Spiel wie Luanti: Mods, Spiele, Texturpakete",
      blank: "Fast nichts: eine Art, eine Spielversion",
      file: "Eine eigene Datei",
    },
    file: "Taxonomie-Datei",
    fileHint: "YAML oder JSON, wie unter Verwaltung, Taxonomie exportiert",
    fileMissing: "Wähle eine Datei",
    fileWrong: (line, message) => `Zeile ${line}: ${message}`,
    locked: (file) => `Der Inhalt kommt aus der Datei ${file}; ändere die und starte den Server neu`,
    inUse: "Es gibt schon Projekte: Was sie verwenden, ginge verloren; ändere es unter Verwaltung, Taxonomie.",
    finish: "Fertig",
  },
};
