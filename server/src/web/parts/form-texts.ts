// The words that forms have in common.
import { defineTexts } from "#web/texts.js";

export const formTexts = defineTexts({
  en: {
    failed: "That did not work",
    passwordHint: "At least 8 characters; a few random words make a good one.",
    conflict: "Somebody else saved something in the meantime",
    conflictHelp: "What you typed is below. Look at what was saved; if you save now, yours takes its place.",
    savedNow: (label: string) => `${label}, as it is saved`,
    nothing: "(empty)",
  },
  de: {
    failed: "Das hat nicht geklappt",
    passwordHint: "Mindestens 8 Zeichen; ein paar zufällige Wörter sind gut.",
    conflict: "Inzwischen hat jemand anders etwas gespeichert",
    conflictHelp:
      "Was du eingegeben hast, steht unten. Sieh dir an, was gespeichert ist; speicherst du jetzt, tritt deines an seine Stelle.",
    savedNow: (label) => `${label}, wie es gespeichert ist`,
    nothing: "(leer)",
  },
});
