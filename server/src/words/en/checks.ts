// English names of the checks of the machine and the site, by the names that `modshelf doctor` prints.

export const checks = {
  "data folder": "data folder",
  "free disk": "free disk",
  "open files": "open files",
  address: "address",
  "content host": "content host",
  taxonomy: "taxonomy",
  mail: "mail",
  storage: "storage",
  backup: "backup",
};
