// Valid and invalid values for the settings of backups and of the update notice.
import { join } from "node:path";
import { asIs, badAddresses, choice, list, numbers, type Samples } from "./sample-kinds.js";

export const backupSamples = (cwd: string): Record<string, Samples> => ({
  MODSHELF_BACKUP_DIR: {
    pick: (c) => c.backup.dir,
    good: [
      ["folder", join(cwd, "folder")],
      ["/mnt/other disk", "/mnt/other disk"],
    ],
    bad: list("taxonomy.yaml | taxonomy.yaml/CANARY | /dev/null | LONG"),
  },
  MODSHELF_UPDATE_URL: {
    pick: (c) => c.updateUrl,
    good: asIs("https://updates.example/modshelf.json | http://10.0.0.5:8080/newest"),
    bad: badAddresses,
  },
  MODSHELF_BACKUP_SCHEDULE: choice((c) => c.backup.schedule, { off: "off", daily: "daily", weekly: "weekly" }),
  MODSHELF_BACKUP_HOUR: numbers((c) => c.backup.hour, 0, 23),
  MODSHELF_BACKUP_KEEP: numbers((c) => c.backup.keep, 1, 1000),
});
