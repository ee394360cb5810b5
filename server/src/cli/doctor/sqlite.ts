// Checks of a SQLite database file, through a connection that cannot write.
import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Check, type Condition, ok, problem, warning } from "#operations/checks/check.js";
import { findServer } from "#platform/db/server-lock.js";

interface SqliteFile {
  path: string;
  dataDir: string;
}

export const sqliteChecks: readonly Check<SqliteFile>[] = [
  { name: "database file", find: checkFile },
  { name: "database disk", find: checkFileSystem },
  { name: "server", find: ({ dataDir }) => ok(findServer(dataDir) ?? "No server is running on this data folder.") },
];

function checkFile({ path }: SqliteFile): Condition {
  const todo = "Stop the server and restore a backup; keep the damaged file aside.";
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      const faults = database.prepare("PRAGMA quick_check(5)").all().map(only);
      if (faults[0] !== "ok") return problem(`${path} is damaged: ${faults.join("; ")}`, todo);
      const mode = only(database.prepare("PRAGMA journal_mode").get());
      return mode === "wal"
        ? ok(`${path} is whole.`)
        : warning(
            `${path} is whole, but its journal mode is ${mode} instead of WAL.`,
            "Start the server, which sets it. If it stays, the file system under it cannot do WAL: use a local disk.",
          );
    } finally {
      database.close();
    }
  } catch (error) {
    return problem(`${path} cannot be read: ${(error as Error).message}`, todo);
  }
}

const only = (row: object | undefined): unknown => Object.values(row ?? {})[0];

/** From Linux's magic.h; locks and shared memory, which SQLite needs, do not work over a network. */
const networkFileSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xfe534d42, "SMB"],
  [0xff534d42, "SMB"],
  [0x01021997, "9P"],
  [0x5346414f, "AFS"],
  [0x00c36400, "Ceph"],
  [0x0bd00bd0, "Lustre"],
  [0x47504653, "GPFS"],
  [0x7461636f, "OCFS2"],
]);

function checkFileSystem({ path }: SqliteFile): Condition {
  const name = nameNetworkFileSystem(statfsSync(dirname(path)).type);
  if (name === undefined) return ok("The database lies on a local file system.");
  return problem(
    `The database lies on a network file system (${name}), where SQLite's locks cannot be trusted.`,
    "Move it to a local disk (MODSHELF_DATABASE_URL), or use PostgreSQL.",
  );
}

/** Some systems report the type as a signed number. */
export const nameNetworkFileSystem = (type: number): string | undefined => networkFileSystems.get(type >>> 0);
