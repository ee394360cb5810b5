// What moderators look at, in the order in which the page shows it. Each check stands for a reason of a decision and has
// a sentence prepared for the author.
import type { ReasonId } from "#moderation/desk/reasons.js";
import { defineTexts } from "#web/texts.js";

export type CheckId = Exclude<ReasonId, "fits" | "legal" | "second_look" | "other">;

/** Each with the part of the page that it is about. */
export const checks: readonly { id: CheckId; section: string }[] = [
  { id: "name", section: "see-head" },
  { id: "metadata", section: "see-head" },
  { id: "description", section: "see-description" },
  { id: "spam", section: "see-description" },
  { id: "licence", section: "see-licence" },
  { id: "links", section: "see-links" },
  { id: "media", section: "see-pictures" },
  { id: "inappropriate", section: "see-pictures" },
  { id: "others_work", section: "see-files" },
  { id: "malicious", section: "see-files" },
];

export const isCheck = (id: string): id is CheckId => checks.some((check) => check.id === id);

export const checkTexts = defineTexts({
  en: {
    titles: {
      fits: "Everything is as it should be",
      name: "The name misleads or is held without use",
      metadata: "Types, categories, versions or sides are wrong",
      description: "The description says too little",
      spam: "Advertising or no content of its own",
      licence: "The licence is missing or does not fit",
      links: "A link leads elsewhere",
      media: "Pictures are missing or unfit",
      inappropriate: "Not fit for everybody",
      others_work: "Somebody else's work",
      malicious: "It does harm",
      legal: "The law or a court forbids it",
      second_look: "It needs another look",
      other: "Another reason",
    },
    sentences: {
      name: "Please choose a name and an address that say what the project is and that nobody takes for another.",
      metadata: "Please check the types, categories, game versions, loaders and sides of the project and its versions.",
      description: "Please say in the description what the project does and how to use it.",
      spam: "The project has no content of its own.",
      licence: "Please choose the licence under which you may publish everything that is in the files.",
      links: "Please check the links: each must lead to what its label says.",
      media: "Please check the icon and the gallery: they must show the project and be fit for everybody.",
      inappropriate: "The project holds something that is not fit for everybody who visits this site.",
      others_work: "The project holds work of others. Please show that you may publish it.",
      malicious: "A file of the project does something that its users would not want.",
    },
  },
  de: {
    titles: {
      fits: "Alles ist, wie es sein soll",
      name: "Der Name führt irre oder ist ungenutzt besetzt",
      metadata: "Arten, Kategorien, Versionen oder Seiten stimmen nicht",
      description: "Die Beschreibung sagt zu wenig",
      spam: "Werbung oder kein eigener Inhalt",
      licence: "Die Lizenz fehlt oder passt nicht",
      links: "Ein Link führt woandershin",
      media: "Bilder fehlen oder sind ungeeignet",
      inappropriate: "Nicht für alle geeignet",
      others_work: "Das Werk von anderen",
      malicious: "Es richtet Schaden an",
      legal: "Ein Gesetz oder Gericht verbietet es",
      second_look: "Es braucht einen zweiten Blick",
      other: "Ein anderer Grund",
    },
    sentences: {
      name: "Bitte wähle einen Namen und eine Adresse, die sagen, was das Projekt ist, und die niemand verwechselt.",
      metadata: "Bitte prüfe Arten, Kategorien, Spielversionen, Loader und Seiten des Projekts und seiner Versionen.",
      description: "Bitte schreib in die Beschreibung, was das Projekt tut und wie man es benutzt.",
      spam: "Das Projekt hat keinen eigenen Inhalt.",
      licence: "Bitte wähle die Lizenz, unter der du alles veröffentlichen darfst, was in den Dateien ist.",
      links: "Bitte prüfe die Links: Jeder muss zu dem führen, was an ihm steht.",
      media: "Bitte prüfe Icon und Galerie: Sie müssen das Projekt zeigen und für alle geeignet sein.",
      inappropriate: "Das Projekt enthält etwas, das nicht für alle geeignet ist, die diese Seite besuchen.",
      others_work: "Das Projekt enthält das Werk von anderen. Bitte zeige, dass du es veröffentlichen darfst.",
      malicious: "Eine Datei des Projekts tut etwas, das die, die es benutzen, nicht wollen würden.",
    },
  },
});
