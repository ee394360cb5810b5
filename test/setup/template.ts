// The database that every server under test starts with: migrated, with the default taxonomy in force and an empty search
// index, so that no server builds one. It is created once and then copied, because creating it takes longer than most
// tests.
import { installTaxonomy } from "#content/taxonomy/write.js";
import { rebuildIndex } from "#discovery/search/rebuild.js";
import { systemClock } from "#lib/clock.js";
import { systemRandom } from "#lib/random.js";
import { ChangeLog } from "#platform/changes/change-log.js";
import { ServerMemory } from "#platform/changes/server-memory.js";
import { migrate } from "#platform/db/migrate.js";
import type { Database } from "#platform/db/open.js";

export async function fillTemplate(database: Database): Promise<void> {
  const { db } = database;
  await migrate(db, 0);
  const changeLog = new ChangeLog(database, { warn() {} });
  const memory = new ServerMemory({ changeLog, clock: systemClock });
  const to = { db, clock: systemClock, random: systemRandom, changeLog, memory };
  await installTaxonomy(to, undefined);
  await rebuildIndex(to, { fromScratch: true });
}
