// Opens the prepared projects of a server: finds the files of its last run, applies what has changed since, and starts the
// thread that prepares. Without a folder that can be written, everything is in memory only.
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { keepSegments, openFolder } from "#content/catalog/answers-store.js";
import type { FiguresChange } from "#content/catalog/figures.js";
import { cacheFolderOf, fingerprintSecretOf } from "#content/catalog/fingerprint-secret.js";
import type { JournalContent } from "#content/catalog/journal.js";
import { type PreparedCatalog, preparedOf } from "#content/catalog/prepared-catalog.js";
import { formatNumber } from "#content/catalog/prepared-format.js";
import { PreparedUpkeep } from "#content/catalog/prepared-upkeep.js";
import type { PreparingTasks } from "#content/catalog/preparing-tasks.js";
import { Project, ProjectListItem } from "#content/shapes/project.js";
import { Version } from "#content/shapes/version.js";
import { fromJson, type Json } from "#lib/json.js";
import { version } from "#lib/version.js";
import type { ChangeKind } from "#platform/changes/change-log.js";
import { tryLock } from "#platform/db/server-lock.js";
import type { Resources } from "#platform/http/resources.js";
import { prepareHere, prepareInThread } from "./preparing-link.js";

export interface PreparingOptions {
  /** Whether answers are prepared in a thread, and all of them in the background. */
  inThread: boolean;
}

/** Several servers may share a data folder; each has its own files. */
const mostServers = 64;
/** After more changes, preparing everything again is as quick. */
const mostMissed = 200_000;
const rowsAtOnce = 1000;

/** Returns a function that stops it. */
export async function startPrepared(
  resources: Resources,
  { inThread }: PreparingOptions,
): Promise<() => Promise<void>> {
  const catalog = preparedOf(resources);
  const { folder, content, unlock }: Partial<OpenedFiles> = (await openFiles(resources)) ?? {};
  const tasks = inThread ? prepareInThread(resources, folder) : prepareHere(resources, folder);
  catalog.open({ tasks, spare: prepareHere(resources), folder, content });
  if (folder !== undefined) keepSegments(folder, catalog.places.segments);
  if (content) await applyMissed(resources, content.mark);
  const upkeep = new PreparedUpkeep(resources, catalog);
  upkeep.start({ fill: inThread, marked: content?.mark ?? -1 });
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

interface OpenedFiles {
  folder: string;
  content: JournalContent | undefined;
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
      const found = openFolder(folder, stamp);
      if (!found || (await reachesBack(resources, found.mark))) return { folder, content: found, unlock };
      return { folder, content: openFolder(folder, stamp), unlock };
    }
  } catch (error) {
    log.warn({ err: error }, "Prepared answers cannot be stored in the cache folder; they are in memory only");
  }
  return undefined;
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

/** Whether the change log still contains every change after this position. */
async function reachesBack({ db, changeLog }: Resources, mark: number): Promise<boolean> {
  if (mark === changeLog.position) return true;
  if (mark > changeLog.position || changeLog.position - mark > mostMissed) return false;
  const row = await db.selectFrom("changes").select("seq").where("seq", "=", mark).executeTakeFirst();
  return row !== undefined;
}

/** Later changes come from the change log itself. */
async function applyMissed(resources: Resources, mark: number): Promise<void> {
  const catalog = preparedOf(resources);
  for (let position = mark; ; ) {
    const rows = await resources.db
      .selectFrom("changes")
      .select(["seq", "kind", "object_id"])
      .where("seq", ">", position)
      .orderBy("seq")
      .limit(rowsAtOnce)
      .execute();
    for (const { seq, kind, object_id: id } of rows) catalog.apply({ seq, kind: kind as ChangeKind, id });
    await applyMissedFigures(
      resources,
      rows.flatMap(({ kind, object_id: id }) => (kind === "figures" ? [Number(id)] : [])),
    );
    if (rows.length < rowsAtOnce) return;
    position = rows.at(-1)!.seq;
  }
}

/** Changes of figures are kept for some minutes only. */
async function applyMissedFigures(resources: Resources, numbers: readonly number[]): Promise<void> {
  const catalog = preparedOf(resources);
  if (numbers.length === 0) return;
  const rows = await resources.db
    .selectFrom("figure_changes")
    .select("body")
    .where("seq", "in", [...numbers])
    .orderBy("seq")
    .execute();
  for (const { body } of rows) catalog.figuresChanged(fromJson(body as Json<FiguresChange[]>));
  if (rows.length < numbers.length) catalog.hasLostFigures = true;
}
