// Opens the prepared projects of a server: finds the files of its last run, applies what has changed since, and starts the
// thread that prepares. Without a folder that can be written, everything is in memory only.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { FollowedRecords } from "#content/catalog/followed-records.js";
import { applyMissed, type MissedChanges, readMissed } from "#content/catalog/missed-changes.js";
import { type PreparedCatalog, preparedOf } from "#content/catalog/prepared-catalog.js";
import { PreparedUpkeep } from "#content/catalog/prepared-upkeep.js";
import { RecordSharing } from "#content/catalog/record-sharing.js";
import { cacheFolderOf, fingerprintSecretOf } from "#content/hashes/fingerprint-secret.js";
import { dropContent, hasStamp, keepSegments, openFolder } from "#content/records/answers-store.js";
import type { JournalContent } from "#content/records/journal.js";
import { formatNumber } from "#content/records/prepared-format.js";
import type { PreparingTasks } from "#content/records/preparing-tasks.js";
import { Project, ProjectListItem } from "#content/shapes/project.js";
import { Version } from "#content/shapes/version.js";
import { version } from "#lib/version.js";
import { tryLock } from "#platform/db/server-lock.js";
import type { Resources } from "#platform/http/resources.js";
import { prepareHere, prepareInThread } from "./preparing-link.js";

export interface PreparingOptions {
  /** Whether answers are prepared in a thread, and all of them in the background. */
  inThread: boolean;
}

/** Several servers may share a data folder; each has its own files. */
const mostServers = 64;

/** Returns a function that stops it. */
export async function startPrepared(
  resources: Resources,
  { inThread }: PreparingOptions,
): Promise<() => Promise<void>> {
  if (resources.peers.number > 1) return followFirst(resources, inThread);
  const catalog = preparedOf(resources);
  const { folder, missed, unlock, ...found }: Partial<OpenedFiles> = (await openFiles(resources)) ?? {};
  const content = missed && found.content;
  const tasks = inThread ? prepareInThread(resources, folder) : prepareHere(resources, folder);
  catalog.open({ tasks, spare: prepareHere(resources), folder, content });
  if (folder !== undefined) keepSegments(folder, catalog.places.segments);
  if (missed) applyMissed(catalog, missed);
  const upkeep = new PreparedUpkeep(resources, catalog);
  upkeep.start({ fill: inThread, marked: content?.mark ?? -1 });
  if (resources.peers.count > 1) new RecordSharing(resources, catalog, folder);
  return stopper({ upkeep, tasks, catalog, unlock });
}

/** A function of its own, so that the content of the journal is not kept with it. */
function stopper({ upkeep, tasks, catalog, unlock }: Opened): () => Promise<void> {
  return async () => {
    await upkeep.stop();
    await tasks.close();
    catalog.close();
    unlock?.();
  };
}

interface Opened {
  upkeep: PreparedUpkeep;
  tasks: PreparingTasks;
  catalog: PreparedCatalog;
  unlock: (() => void) | undefined;
}

/** The workers of a server share the files of the first one. */
async function followFirst(resources: Resources, fill: boolean): Promise<() => Promise<void>> {
  const catalog = preparedOf(resources);
  const upkeep = new PreparedUpkeep(resources, catalog);
  // The first worker prepares everything; here the files become known to look-ups.
  const onOpened = () => void (fill && upkeep.fill());
  const followed = new FollowedRecords(resources, catalog, prepareHere(resources), onOpened);
  await followed.open();
  upkeep.start({ fill: false, marked: -1 });
  return async () => {
    await followed.tasks.close();
    await upkeep.stop();
    catalog.close();
  };
}

interface OpenedFiles {
  folder: string;
  content: JournalContent | undefined;
  /** The changes since the content was marked. */
  missed: MissedChanges | undefined;
  unlock(): void;
}

async function openFiles(resources: Resources): Promise<OpenedFiles | undefined> {
  const { config, log } = resources;
  try {
    for (let number = 0; number < mostServers; number++) {
      const folder = join(cacheFolderOf(config.dataDir), `answers-${number}`);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const unlock = tryLock(join(folder, "lock"));
      if (!unlock) continue;
      const stamp = await stampOf(resources);
      const content = openFolder(folder, stamp);
      const missed = content && (await readMissed(resources, content.mark));
      if (content && !missed) dropContent(folder);
      dropOutdated(config.dataDir, stamp);
      return { folder, content, missed, unlock };
    }
  } catch (error) {
    log.warn({ err: error }, "Prepared answers cannot be stored in the cache folder; they are in memory only");
  }
  return undefined;
}

/** Empties folders that no server uses and that were written by another version, which had one for each worker. */
function dropOutdated(dataDir: string, stamp: string): void {
  for (const name of readdirSync(cacheFolderOf(dataDir))) {
    const folder = join(cacheFolderOf(dataDir), name);
    if (!/^answers-\d+$/.test(name) || hasStamp(folder, stamp)) continue;
    const unlock = tryLock(join(folder, "lock"));
    if (unlock) dropContent(folder);
    unlock?.();
  }
}

/** Everything that prepared answers depend on besides rows that the change log names. */
async function stampOf(resources: Resources): Promise<string> {
  const { db, config } = resources;
  const { rows } = await sql<{ date_run: number }>`select date_run from migrations order by name limit 1`.execute(db);
  const database = config.database.engine === "sqlite" ? config.database.path : config.database.url;
  const shapes = JSON.stringify([Project, ProjectListItem, Version]);
  const hash = createHash("sha256");
  for (const part of [formatNumber, version, config.http.cdnUrl, database, rows[0]?.date_run, shapes])
    hash.update(`${part}\0`);
  return hash.update(fingerprintSecretOf(resources)).digest("hex");
}
