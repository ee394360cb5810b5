// German words of the API reference.
import type { Words } from "#words/en/catalogue.js";

export const docs: Words["docs"] = {
  reference: {
    title: "API-Referenz",
    description: "Jeder Aufruf der API von Modshelf: Parameter, Antworten, Zugriffsregeln und Beispiele. Auf Englisch.",
    lead: "Alles, was Launcher, Build-Skripte und andere Programme dieses Modshelf fragen können, auf Englisch. Dasselbe als Daten:",
    address: "Adresse",
    version: "Version",
    contents: "Inhalt der Referenz",
    find: "In der Referenz suchen",
    found: "% gefunden",
    notFound: "Nichts enthält alle diese Wörter. Die Referenz ist auf Englisch.",
  },
};
