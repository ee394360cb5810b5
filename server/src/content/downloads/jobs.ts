// Folds old rows of the ledger into daily figures: the clients are deleted, the counts stay.
import { sql } from "kysely";
import { write } from "#platform/changes/write.js";
import { lockLedger } from "#platform/db/dialect.js";
import type { Resources } from "#platform/http/resources.js";
import { windowMs } from "./policy.js";

const byCounter = { credential: "download counter" };

export async function foldDownloads(resources: Resources): Promise<void> {
  await write(resources, byCounter, async (tx) => {
    await lockLedger(tx.db);
    // A little longer than the window, so that rows exist for every event that is still in a node's memory.
    const before = tx.now - windowMs - 60_000;
    await sql`insert into download_days (version_id, project_id, day, country, count)
      select version_id, project_id, day, country, count(*) from downloads where date_created <= ${before}
      group by version_id, project_id, day, country
      on conflict (version_id, day, country) do update set count = download_days.count + excluded.count`.execute(tx.db);
    await tx.db.deleteFrom("downloads").where("date_created", "<=", before).execute();
  });
}
