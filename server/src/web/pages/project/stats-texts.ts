// The words about download figures.
import { defineTexts } from "#web/texts.js";

export const statsTexts = defineTexts({
  en: {
    range: "Time",
    ranges: {
      previous_30_days: "Last 30 days",
      previous_90_days: "Last 90 days",
      previous_365_days: "Last 365 days",
      all_time: "From the beginning",
    },
    perStep: { day: "Downloads per day", week: "Downloads per week", month: "Downloads per month" },
    described: (total: string, first: string, last: string) => `${total} downloads from ${first} to ${last}.`,
    total: (total: string) => `${total} downloads in this time.`,
    asTable: "The figures as a table",
    csv: "Download as CSV",
    date: "Date",
    downloads: "Downloads",
    byVersion: "By version",
    byGameVersion: "By game version",
    byLoader: "By loader",
    sinceBeginning: "Since the beginning. A version that runs on several game versions or loaders counts for each.",
    noLoader: "No loader",
    others: (count: number) => `${count} more`,
    none: "Nobody has downloaded this yet",
    noneInTime: "There were no downloads in this time.",
    young: "A chart is drawn as soon as there are figures of seven days.",
    closed:
      "Figures of a project that is not public are for members with the permission view_analytics. Its owner can give it.",
  },
  de: {
    range: "Zeitraum",
    ranges: {
      previous_30_days: "Letzte 30 Tage",
      previous_90_days: "Letzte 90 Tage",
      previous_365_days: "Letzte 365 Tage",
      all_time: "Von Anfang an",
    },
    perStep: { day: "Downloads pro Tag", week: "Downloads pro Woche", month: "Downloads pro Monat" },
    described: (total, first, last) => `${total} Downloads vom ${first} bis zum ${last}.`,
    total: (total) => `${total} Downloads in dieser Zeit.`,
    asTable: "Die Zahlen als Tabelle",
    csv: "Als CSV herunterladen",
    date: "Datum",
    downloads: "Downloads",
    byVersion: "Nach Version",
    byGameVersion: "Nach Spielversion",
    byLoader: "Nach Loader",
    sinceBeginning: "Von Anfang an. Eine Version für mehrere Spielversionen oder Loader zählt bei jedem davon.",
    noLoader: "Kein Loader",
    others: (count) => `${count} weitere`,
    none: "Das hat noch niemand heruntergeladen",
    noneInTime: "In dieser Zeit gab es keine Downloads.",
    young: "Sobald es Zahlen von sieben Tagen gibt, wird daraus ein Bild.",
    closed:
      "Zahlen eines nicht öffentlichen Projekts sind für Mitglieder mit dem Recht view_analytics. Der Inhaber kann es vergeben.",
  },
});
