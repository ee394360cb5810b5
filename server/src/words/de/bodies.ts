// German words of why the body of a request cannot be read. They follow a colon, except for the last ones.
import type { Words } from "#words/en/catalogue.js";

export const bodies: Words["bodies"] = {
  notUtf8: "Er ist kein UTF-8",
  nul: "NUL-Zeichen sind nicht erlaubt",
  nulIn: (part) => `Der Teil ${part} enthält ein NUL-Zeichen`,
  tooMuch: "Mehr als 10.000 Werte oder 32 Ebenen. Schick weniger auf einmal",
  halfCharacter: "Er enthält ein halbes Zeichen",
  syntax: "Prüfe die Anführungszeichen, Kommas und Klammern",
  wrongLength: "Die Länge stimmt nicht mit Content-Length überein",
  boundary: "Die Trennlinie ist zu lang",
  afterEnd: "Nach dem Ende folgen weitere Daten",
  noEnd: "Das Ende fehlt",
  closedEarly: "Die Verbindung wurde vor dem Ende geschlossen",
  tooManyFields: (most) => `Mehr als ${most} Felder. Schick weniger auf einmal`,
  tooManyParts: "Zu viele Teile",
  tooManyTexts: "Zu viele Textfelder",
  tooManyFiles: "Zu viele Dateien",
  noPartName: "Ein Teil hat keinen Namen",
  twice: (part) => `Der Teil ${part} kommt zweimal vor`,
  tooOften: (part, most) => `Der Teil ${part} kommt mehr als ${most}-mal vor`,
  textLimit: (size) => `${size} Text und Kopfzeilen`,
  brokenOff: "Die Verbindung wurde geschlossen, bevor die Anfrage vollständig war.",
};
