// Quarantined versions as the team of their project sees them: that they are held, and why. All others get the same
// answer as for a version that does not exist.
import { sql } from "kysely";
import { isMemberOfProject } from "#content/members/rights.js";
import { isWaitingForScan } from "#content/scans/policy.js";
import type { Db } from "#platform/db/tables.js";
import type { Viewer } from "#platform/http/viewer.js";

export interface TeamVersion {
  id: string;
  slug: string;
  title: string;
  versionNumber: string;
  /** The text of the moderators. */
  reason: string;
  /** It is hidden only until the malware scanner has seen its files. */
  isWaiting: boolean;
}

const most = 100;

/** Newest first; empty for everybody outside of the team. */
export async function listHeldForTeam(db: Db, viewer: Viewer, projectId: string): Promise<TeamVersion[]> {
  if (viewer.kind === "anonymous") return [];
  const rows = await db
    .selectFrom("versions")
    .innerJoin("projects", "projects.id", "versions.project_id")
    .select(["versions.id", "versions.slug", "versions.title", "versions.version_number as versionNumber"])
    .select(
      sql<string>`coalesce(
        (select reason from quarantines where quarantines.version_id = versions.id and date_lifted is null limit 1),
        (select reason from version_files
          join quarantines on quarantines.sha512 = version_files.sha512 and quarantines.date_lifted is null
          where version_files.version_id = versions.id limit 1),
        '')`.as("reason"),
    )
    .select(sql<number>`case when ${isWaitingForScan} then 1 else 0 end`.as("waits"))
    .where("versions.project_id", "=", projectId)
    .where("versions.date_quarantined", "is not", null)
    .where(isMemberOfProject(viewer.user))
    .orderBy("versions.date_published", "desc")
    .orderBy("versions.id")
    .limit(most)
    .execute();
  return rows.map(({ waits, ...version }) => ({ ...version, isWaiting: waits === 1 && version.reason === "" }));
}
