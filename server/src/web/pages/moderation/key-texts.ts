// What single keys do at the desk, in words.
import type { DeskAct } from "#lib/shortcuts.js";
import { defineTexts } from "#web/texts.js";

export const keyTexts = defineTexts({
  en: {
    next: "Next check",
    previous: "Previous check",
    mark: "Mark or unmark a problem",
    approved: "Approve",
    draft: "Request changes",
    withheld: "Withhold",
    skip: "Skip",
    undo: "Undo the last decision",
    help: "List of the keys",
  } as Record<DeskAct, string>,
  de: {
    next: "Nächster Prüfpunkt",
    previous: "Voriger Prüfpunkt",
    mark: "Ankreuzen oder nicht",
    approved: "Freigeben",
    draft: "Änderungen verlangen",
    withheld: "Zurückhalten",
    skip: "Überspringen",
    undo: "Die letzte Entscheidung zurücknehmen",
    help: "Liste der Tasten",
  },
});
