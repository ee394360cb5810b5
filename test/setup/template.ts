// The database that every server under test starts with: migrated, and with the default taxonomy in force. It is made once
// and then copied, because making it takes longer than most tests.
import { installTaxonomy } from "#content/taxonomy/write.js";
import { systemClock } from "#lib/clock.js";
import { systemRandom } from "#lib/random.js";
import { ChangeLog } from "#platform/changes/change-log.js";
import { migrate } from "#platform/db/migrate.js";
import type { Database } from "#platform/db/open.js";

export async function fillTemplate(database: Database): Promise<void> {
  const { db } = database;
  await migrate(db, 0);
  const changeLog = new ChangeLog(database, { warn() {} });
  await installTaxonomy({ db, clock: systemClock, random: systemRandom, changeLog }, undefined);
}
