// German names of the checks of the machine and the site, by the names that `modshelf doctor` prints.
import type { Words } from "#words/en/catalogue.js";

export const checks: Words["checks"] = {
  "data folder": "Datenordner",
  "free disk": "Freier Speicherplatz",
  "open files": "Offene Dateien",
  address: "URL der Seite",
  "content host": "Host für Dateien",
  taxonomy: "Taxonomie",
  mail: "E-Mail",
  storage: "Speicher",
  scanner: "Virenscanner",
  backup: "Sicherung",
  forecast: "Speicherprognose",
  version: "Version",
};
