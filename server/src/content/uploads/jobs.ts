// Deletes expired uploads with their bytes.
import type { Resources } from "#platform/http/resources.js";
import { removeUpload } from "./write.js";

const batch = 100;

export async function removeExpiredUploads(resources: Resources): Promise<void> {
  const { db, clock } = resources;
  for (;;) {
    const expired = await db
      .selectFrom("uploads")
      .selectAll()
      .where("date_expires", "<=", clock.now())
      .orderBy("date_expires")
      .limit(batch)
      .execute();
    for (const row of expired) await removeUpload(resources, row);
    if (expired.length < batch) return;
  }
}
