// Figures about backups for /metrics, read when they are asked for.
import { Gauge, type Registry } from "prom-client";
import type { Db } from "#platform/db/tables.js";
import { findLastBackup } from "./last.js";
import { findBackupRun } from "./run-record.js";

export function showBackups(registry: Registry, db: Db): void {
  new Gauge({
    name: "modshelf_backup_last_success_timestamp_seconds",
    help: "When the last backup was finished; 0 if there is none",
    aggregator: "max",
    registers: [registry],
    async collect() {
      // The other figures are needed most when the database does not answer.
      await findLastBackup(db).then(
        (last) => this.set((last?.date ?? 0) / 1000),
        () => this.reset(),
      );
    },
  });
  new Gauge({
    name: "modshelf_backup_failed",
    help: "1 if the last backup that the site itself started has failed",
    aggregator: "max",
    registers: [registry],
    async collect() {
      await findBackupRun(db).then(
        (run) => this.set(run?.error ? 1 : 0),
        () => this.reset(),
      );
    },
  });
}
