// German words of what is said about uploaded files and pictures.
import type { Words } from "#words/en/catalogue.js";

export const files: Words["files"] = {
  pictureType: "Es muss PNG, JPEG, GIF oder WebP sein",
  tooManyPixels: "Es hat mehr als 25 Millionen Pixel",
  notDecoded: "Es lässt sich nicht lesen",
  slowPicture: "Es zu lesen dauert zu lange. Nimm ein einfacheres",
  noName: "Sie hat keinen brauchbaren Namen",
  theFile: "Die Datei",
  thisContent: "diese Datei",
  unknownType: "Ihr Inhalt ist von keiner bekannten Art, oder nicht, was ihr Name sagt",
  primaryType: (types) => `Die Hauptdatei muss hier ${types} sein`,
  notSeenInto: (type) => `Was in einem ${type}-Archiv ist, lässt sich nicht prüfen. Lade es als ZIP-Datei hoch`,
  infected: (signature) => `Der Virenscanner hat darin ${signature} gefunden`,
  tooLargeToScan: "Sie ist größer, als der Virenscanner annimmt",
  notScanned: "Der Virenscanner ist gerade nicht erreichbar. Versuch es später noch einmal",
  archive: (problem, detail, path) => `${problem}${detail && ` (${detail})`}${path && `: ${path}`}`,
};
