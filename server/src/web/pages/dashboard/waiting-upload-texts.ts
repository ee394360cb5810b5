// The words about uploaded files of which nothing has come yet.
import { defineTexts } from "#web/texts.js";

export const waitingUploadTexts = defineTexts({
  en: {
    uploadWaits: (name: string, when: string) => `The file ${name} is uploaded and kept until ${when}`,
    uploadStopped: (name: string, received: string, size: string, when: string) =>
      `The file ${name} stopped at ${received} of ${size}; what is here is kept until ${when}`,
    uploadWhole: (when: string) => `It is whole, and kept until ${when}.`,
    uploadPart: (received: string, size: string) =>
      `${received} of ${size} are here. Choose the same file again on the next page: it goes on from there.`,
    goOn: "Go on",
    goOnWhere: "What shall become of it?",
    newVersionOf: (name: string) => `A new version of ${name}`,
    discard: "Discard",
  },
  de: {
    uploadWaits: (name, when) => `Die Datei ${name} ist hochgeladen und bleibt bis ${when}`,
    uploadStopped: (name, received, size, when) =>
      `Die Datei ${name} blieb bei ${received} von ${size} stehen; was hier ist, bleibt bis ${when}`,
    uploadWhole: (when) => `Sie ist vollständig und bleibt bis ${when}.`,
    uploadPart: (received, size) =>
      `${received} von ${size} sind hier. Wähle auf der nächsten Seite dieselbe Datei noch einmal: Es geht von da aus weiter.`,
    goOn: "Weitermachen",
    goOnWhere: "Was soll daraus werden?",
    newVersionOf: (name) => `Eine neue Version von ${name}`,
    discard: "Verwerfen",
  },
});
