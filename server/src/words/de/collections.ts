// German words of the pages about collections.
import { pluralsIn } from "#lib/plurals.js";
import type { Words } from "#words/en/catalogue.js";

const plural = pluralsIn("de");

export const collections: Words["collections"] = {
  collection: {
    description: (name, curator, count) =>
      `${name}, eine Sammlung von ${curator}: ${count} ${plural(count, { one: "Projekt", other: "Projekte" })}.`,
    by: "Sammlung von",
    updated: "Aktualisiert",
    edit: "Sammlung bearbeiten",
    empty: "Diese Sammlung ist leer",
    emptyOwn: "Noch keine Projekte",
    browse: "Projekte durchstöbern",
    add: "Projekte hinzufügen",
    nothingFits: "Nichts in dieser Sammlung passt zu deinem Setup",
    nothingOfType: "Keine Projekte dieses Typs",
    seeAll: "Alle Projekte ansehen",
    hidden: (count) =>
      plural(count, {
        one: "1 Projekt dieser Sammlung ist nicht öffentlich.",
        other: `${count} Projekte dieser Sammlung sind nicht öffentlich.`,
      }),
    filter: (setup) => `Nur anzeigen, was zu ${setup} passt`,
    unfilter: (setup) => `Es wird nur angezeigt, was zu ${setup} passt. Alle anzeigen`,
    makeCopy: "In meine Sammlungen kopieren",
    download: "Alles herunterladen",
    take: {
      title: (name) => `${name} herunterladen`,
      choose: "Wähle deine Spielversion und deinen Loader, um die Dateien zu sehen.",
      all: (files, size) =>
        plural(files, {
          one: `1 Datei herunterladen (${size})`,
          other: `Alles herunterladen (${files} Dateien, ${size})`,
        }),
      empty: "In dieser Sammlung gibt es nichts herunterzuladen",
      back: "Zur Sammlung",
      nothing: "Nichts in dieser Sammlung passt zu deiner Auswahl",
      nothingHint:
        "Versuche eine andere Spielversion oder einen anderen Loader, oder nimm weniger stabile Versionen dazu.",
      tooHard: "Einige dieser Projekte passen nicht zusammen",
      tooHardHint: "Du kannst jedes Projekt auf seiner eigenen Seite herunterladen.",
      leftOut: (count) =>
        plural(count, { one: "1 Projekt ist nicht enthalten", other: `${count} Projekte sind nicht enthalten` }),
      because: {
        place: "hat keine Version für deine Auswahl",
        channel: "hat keine Version, die stabil genug ist",
      },
    },
    visibility: { public: "Öffentlich", unlisted: "Nicht gelistet", private: "Privat" },
    form: {
      newTitle: "Neue Sammlung",
      newLead: "Eine Liste von Projekten, zum Teilen oder für dich selbst.",
      editTitle: (name) => `${name} bearbeiten`,
      create: "Sammlung erstellen",
      name: "Name",
      nameHint: "2 bis 32 Zeichen",
      description: "Beschreibung",
      visibility: "Sichtbarkeit",
      visibilities: {
        public: "Öffentlich: steht in deinem Profil",
        unlisted: "Nicht gelistet: alle mit dem Link",
        private: "Privat: nur du",
      },
      icon: "Icon",
      iconHint: "PNG, JPEG, GIF oder WebP. Es wird quadratisch zugeschnitten.",
      removeIcon: "Icon entfernen",
      projects: "Projekte",
      addLabel: "Projekt hinzufügen",
      addHint: "URL, Kurzname oder ID",
      add: "Hinzufügen",
      added: "Hinzugefügt.",
      removed: (name) => `${name} wurde entfernt.`,
      delete: "Sammlung löschen",
      deleteTitle: (name) => `${name} löschen?`,
      deleteText:
        "Das lässt sich nicht rückgängig machen, und ihr Link funktioniert nicht mehr. Die Projekte darin werden nicht gelöscht.",
      back: "Zur Sammlung",
    },
  },
};
