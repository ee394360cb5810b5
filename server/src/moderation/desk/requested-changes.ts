// The changes that moderators ask for: the last decision about a project, while the project is still in the state that
// the decision put it in. A project that was sent back is a draft to the public interface; for its team it needs changes.
import { sql } from "kysely";
import { fromJson } from "#lib/json.js";
import { inList } from "#platform/db/dialect.js";
import type { Db, Row } from "#platform/db/tables.js";
import { timestamp } from "#platform/http/schemas.js";
import type { ProjectReview } from "./contract.js";
import type { ReasonId } from "./reasons.js";

export type Decision = ProjectReview["history"][number];

const askingStatuses = ["rejected", "withheld", "draft"];

export const toDecision = (row: Row<"reviews">): Decision => ({
  status: row.status,
  reason: (row.reason || null) as ReasonId | null,
  problems: fromJson(row.problems) as ReasonId[],
  message: row.message,
  dateDecided: timestamp(row.date_decided),
});

export const problemsOf = ({ problems, reason }: Decision): readonly ReasonId[] =>
  problems.length > 0 ? problems : [reason ?? "other"];

/** By project, in one statement. Only for projects whose team the caller belongs to, and for staff. */
export async function listRequestedChanges(
  db: Db,
  projects: readonly { id: string; status: string }[],
): Promise<Map<string, Decision>> {
  const statuses = new Map(
    projects.filter(({ status }) => askingStatuses.includes(status)).map(({ id, status }) => [id, status]),
  );
  if (statuses.size === 0) return new Map();
  const rows = await db
    .selectFrom("reviews")
    .selectAll()
    .where(inList(db, sql.ref("reviews.project_id"), [...statuses.keys()]))
    .where("date_decided", "=", (of) =>
      of
        .selectFrom("reviews as other")
        .select((each) => each.fn.max("other.date_decided").as("last"))
        .whereRef("other.project_id", "=", "reviews.project_id"),
    )
    .execute();
  const open = rows.filter(({ project_id, status }) => statuses.get(project_id) === status);
  return new Map(open.map((row) => [row.project_id, toDecision(row)]));
}
