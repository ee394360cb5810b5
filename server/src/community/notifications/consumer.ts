// Hears of published versions on the change log and notes them for those who follow their projects.
import { sql } from "kysely";
import { fromJson } from "#lib/json.js";
import type { Consumer } from "#platform/changes/consumer.js";
import type { EventDetails } from "#platform/changes/events.js";
import { inList } from "#platform/db/dialect.js";
import { gatherVersions } from "./announcements.js";

export const versionNews: Consumer = {
  name: "version-news",
  kinds: new Set(["event"]),
  async consume(tx, changes) {
    const events = await tx.db
      .selectFrom("events")
      .select(["project_id", "detail"])
      .where("type", "=", "version.published")
      .where(
        inList(
          tx.db,
          sql.ref("id"),
          changes.map(({ id }) => id),
        ),
      )
      .orderBy("date_created")
      .orderBy("id")
      .execute();
    if (events.length === 0) return;
    await gatherVersions(
      tx,
      events.map(({ project_id, detail }) => ({
        projectId: project_id,
        versionId: (fromJson(detail) as EventDetails["version.published"]).versionId,
      })),
    );
  },
};
