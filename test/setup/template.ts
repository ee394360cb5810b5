// The database that every server under test starts with: migrated, with the default taxonomy in force. It is created
// once and then copied, because creating it takes longer than most tests.
import { installTaxonomy } from "#content/taxonomy/write.js";
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
  await installTaxonomy({ db, clock: systemClock, random: systemRandom, changeLog, memory }, undefined);
}
