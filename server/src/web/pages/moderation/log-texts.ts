// The words of the audit log.
import { defineTexts } from "#web/texts.js";

export const logTexts = defineTexts({
  en: {
    actor: "Who",
    action: "Action",
    kind: "About (kind)",
    object: "About (id)",
    since: "From",
    until: "Before",
    csv: "Download as CSV",
    when: "When",
    detail: "Details",
    where: "From where",
    empty: "Nothing was done that fits",
    clear: "Clear the filters",
    older: "Older",
    service: "the service",
  },
  de: {
    actor: "Wer",
    action: "Handlung",
    kind: "Worüber (Art)",
    object: "Worüber (Id)",
    since: "Von",
    until: "Vor",
    csv: "Als CSV herunterladen",
    when: "Wann",
    detail: "Einzelheiten",
    where: "Woher",
    empty: "Nichts davon ist geschehen",
    clear: "Filter entfernen",
    older: "Ältere",
    service: "der Dienst",
  },
});
