// Reads published versions and projects from the change log, and stores them for the followers of projects and of their
// authors.
import { fromJson } from "#lib/json.js";
import type { Consumer } from "#platform/changes/consumer.js";
import type { EventDetails, EventType } from "#platform/changes/events.js";
import { listEvents } from "#platform/changes/read-events.js";
import { gatherVersions } from "./announcements.js";
import { gatherProjects } from "./new-projects.js";

/** An edit can change the visibility. */
const publishing: readonly EventType[] = ["version.published", "project.status_changed", "project.edited"];

export const versionNews: Consumer = {
  name: "version-news",
  kinds: new Set(["event"]),
  async consume(tx, changes) {
    const events = (await listEvents(tx, changes)).filter(({ type }) => publishing.includes(type as EventType));
    const versions = events.filter(({ type }) => type === "version.published");
    if (versions.length > 0)
      await gatherVersions(
        tx,
        versions.map(({ project_id, detail }) => ({
          projectId: project_id,
          versionId: (fromJson(detail) as EventDetails["version.published"]).versionId,
        })),
      );
    const edited = events.filter(({ type }) => type !== "version.published").map(({ project_id }) => project_id);
    if (edited.length > 0) await gatherProjects(tx, [...new Set(edited)]);
  },
};
