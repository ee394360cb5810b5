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
    emptyOwn: "Hier ist noch nichts",
    browse: "Projekte ansehen",
    add: "Projekte hinzufügen",
    nothingFits: "Nichts hier passt zu deinem Setup",
    nothingOfType: "Nichts von dieser Art",
    seeAll: "Alle Projekte ansehen",
    hidden: (count) =>
      plural(count, {
        one: "Ein Projekt hier ist nicht öffentlich.",
        other: `${count} Projekte hier sind nicht öffentlich.`,
      }),
    filter: (setup) => `Nur, was zu ${setup} passt`,
    unfilter: (setup) => `Gezeigt wird, was zu ${setup} passt. Alle zeigen`,
    makeCopy: "Als eigene anlegen",
    download: "Alles herunterladen",
    take: {
      title: (name) => `${name} herunterladen`,
      choose: "Wähle, womit du spielst, um zu sehen, welche Dateien das sind.",
      all: (files, size) =>
        plural(files, {
          one: `1 Datei herunterladen (${size})`,
          other: `Alles herunterladen (${files} Dateien, ${size})`,
        }),
      empty: "Darin gibt es nichts herunterzuladen",
      back: "Zur Sammlung",
      nothing: "Nichts hier passt dazu",
      nothingHint: "Versuche eine andere Spielversion, einen anderen Loader oder weniger stabile Versionen.",
      tooHard: "Nicht alles davon passt zusammen",
      tooHardHint: "Jedes Projekt hat eine eigene Download-Seite.",
      leftOut: (count) => plural(count, { one: "Ein Projekt fehlt", other: `${count} Projekte fehlen` }),
      because: {
        place: "hat keine Version dafür",
        channel: "hat keine Version, die stabil genug ist",
      },
    },
    visibility: { public: "Öffentlich", unlisted: "Nicht gelistet", private: "Privat" },
    form: {
      newTitle: "Neue Sammlung",
      newLead: "Eine Liste von Projekten: zum Teilen oder Wiederfinden.",
      editTitle: (name) => `${name} bearbeiten`,
      create: "Sammlung anlegen",
      name: "Name",
      nameHint: "2 bis 32 Zeichen",
      description: "Beschreibung",
      visibility: "Wer sie sieht",
      visibilities: {
        public: "Öffentlich: alle, und sie steht in deinem Profil",
        unlisted: "Nicht gelistet: alle, die die Adresse kennen",
        private: "Privat: nur du",
      },
      icon: "Bild",
      iconHint: "PNG, JPEG, GIF oder WebP. Es wird quadratisch zugeschnitten.",
      removeIcon: "Bild entfernen",
      projects: "Projekte",
      addLabel: "Projekt hinzufügen",
      addHint: "Adresse, Kurzname oder Id",
      add: "Hinzufügen",
      added: "Hinzugefügt.",
      removed: (name) => `${name} ist nicht mehr in der Sammlung.`,
      delete: "Sammlung löschen",
      deleteTitle: (name) => `${name} löschen?`,
      deleteText: "Die Liste geht verloren, und ihre Adresse führt dann ins Leere. Die Projekte darin bleiben.",
      back: "Zur Sammlung",
    },
  },
};
