// The thread or process that reads a SQLite file from start to end, with a connection that cannot write.
import { DatabaseSync } from "node:sqlite";
import { isMainThread, parentPort, workerData } from "node:worker_threads";

/** Empty if the file is intact; otherwise the first few errors. */
export type Faults = string[];

function findFaults(path: string): Faults {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = database.prepare("PRAGMA quick_check(5)").all();
    const words = rows.map((row) => String(Object.values(row)[0]));
    return words[0] === "ok" ? [] : words;
  } catch (error) {
    return [String(error)];
  } finally {
    database.close();
  }
}

if (isMainThread) process.send?.(findFaults(process.argv[2]!), () => process.disconnect?.());
else parentPort?.postMessage(findFaults(workerData as string));
