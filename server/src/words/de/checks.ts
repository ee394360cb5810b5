// German names of the checks of the machine and the site, by the names that `modshelf doctor` prints.
import type { Words } from "#words/en/catalogue.js";

export const checks: Words["checks"] = {
  "data folder": "Datenordner",
  "free disk": "Platz auf der Festplatte",
  "open files": "Offene Dateien",
  address: "Adresse",
  "content host": "Adresse für Dateien",
  taxonomy: "Taxonomie",
  mail: "E-Mail",
  storage: "Speicher",
  scanner: "Virenscanner",
  backup: "Sicherung",
  forecast: "Speicherprognose",
  version: "Version",
};
