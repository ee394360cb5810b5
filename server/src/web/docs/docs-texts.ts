// The words around the API reference. The reference itself comes from the contracts and speaks English, as the API does.
import { defineTexts } from "#web/texts.js";

export const docsTexts = defineTexts({
  en: {
    title: "API reference",
    description: "Every route of the Modshelf API: parameters, answers, access rules and examples.",
    lead: "Everything that launchers, build scripts and other programs can ask of this Modshelf. The same as data:",
    address: "Address",
    version: "Version",
    contents: "Contents of the reference",
    find: "Find in the reference",
    found: "% found",
    notFound: "Nothing has all of these words.",
  },
  de: {
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
});
