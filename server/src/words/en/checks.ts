// English names of the checks of the machine and the site, by the names that `modshelf doctor` prints.

export const checks = {
  "data folder": "data folder",
  "free disk": "free disk space",
  "open files": "open files",
  address: "site URL",
  "content host": "content host",
  taxonomy: "taxonomy",
  mail: "email",
  storage: "storage",
  scanner: "malware scanner",
  backup: "backup",
  forecast: "disk forecast",
  version: "version",
};
