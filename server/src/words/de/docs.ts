// German words of the API reference.
import type { Words } from "#words/en/catalogue.js";

export const docs: Words["docs"] = {
  reference: {
    title: "API-Referenz",
    description: "Alle Endpunkte der Modshelf-API: Parameter, Antworten, Zugriffsregeln und Beispiele. Auf Englisch.",
    lead: "Die API für Launcher, Build-Skripte und andere Programme, auf Englisch. Maschinenlesbare Fassung:",
    address: "Basis-URL",
    version: "Version",
    contents: "Inhalt",
    find: "In der Referenz suchen",
    found: "% gefunden",
    notFound: "Kein Treffer enthält alle diese Wörter. Die Referenz ist auf Englisch.",
  },
};
