// The queue for moderators and for waiting authors. Each takes a constant number of statements.
import { sql } from "kysely";
import { findVisibleRow } from "#content/projects/change.js";
import { type ProjectEntry, projectEntries } from "#content/projects/entries.js";
import { seesPermissions } from "#content/projects/read.js";
import { isByNewcomer } from "#content/submissions/newcomers.js";
import { inList } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { maybeTimestamp, timestamp } from "#platform/http/schemas.js";
import { isStaff, type SignedIn } from "#platform/http/viewer.js";
import { findClaims } from "./claims.js";
import type { ModerationItem, ProjectReview } from "./contract.js";
import { toDecision } from "./requested-changes.js";
import { isMarked, isRisky } from "./risks.js";
import { toClaim } from "./shapes.js";

export interface QueueFilter {
  type?: string;
  claimed?: "any" | "free" | "mine";
  /** Only projects of users who have no approved project yet. */
  byNewcomers?: boolean;
  /** Only projects with an earlier decision. */
  again?: boolean;
  /** Only projects with an executable file, or with a mark that needs a closer look. */
  hasCode?: boolean;
  isRisky?: boolean;
  limit?: number;
  offset?: number;
}

/** The order of the queue. An author who resubmits soon keeps the previous place. */
const rankOf = (projects: string) =>
  sql`coalesce(${sql.ref(`${projects}.date_ranked`)}, ${sql.ref(`${projects}.date_queued`)}, 0)`;

/** The place of every project in review, the longest waiting first. */
const queue = (db: Db) =>
  db
    .selectFrom("projects")
    .select(["projects.id", "projects.types", "projects.team_id"])
    .select(sql<number>`coalesce(projects.date_queued, 0)`.as("date_queued"))
    .select(sql<number>`row_number() over (order by ${rankOf("projects")}, projects.id)`.as("position"))
    .where("projects.status", "=", "processing");

export async function listQueue(
  resources: Resources,
  viewer: SignedIn,
  filter: QueueFilter,
): Promise<ModerationItem[]> {
  const { db, clock } = resources;
  const { type, claimed = "any", byNewcomers = false, again = false, limit = 100, offset = 0 } = filter;
  const { hasCode = false, isRisky: onlyRisky = false } = filter;
  const now = clock.now();
  const standing = db.selectFrom("review_claims").select("object_id").where("kind", "=", "project");
  const others = standing.where("date_expires", ">", now).where("user_id", "!=", viewer.user.id);
  const mine = standing.where("date_expires", ">", now).where("user_id", "=", viewer.user.id);
  const rows = await db
    .selectFrom(queue(db).as("queue"))
    .selectAll()
    // The column is a JSON list of strings: with its quotes, a whole string is matched.
    .$if(type !== undefined, (query) => query.where("types", "like", `%"${type}"%`))
    .$if(claimed === "free", (query) => query.where("id", "not in", others))
    .$if(claimed === "mine", (query) => query.where("id", "in", mine))
    .$if(byNewcomers, (query) => query.where(isByNewcomer("queue")))
    .$if(again, (query) => query.where("id", "in", db.selectFrom("reviews").select("project_id")))
    .$if(hasCode, (query) => query.where(isMarked("queue", "code")))
    .$if(onlyRisky, (query) => query.where(isRisky("queue")))
    // Projects with a pending decision need no review, unless it is undone.
    .where("id", "not in", db.selectFrom("held_decisions").select("project_id"))
    .orderBy("position")
    .limit(limit)
    .offset(offset)
    .execute();
  const ids = rows.map(({ id }) => id);
  const entries = await projectEntries(resources).load(ids);
  const claims = await findClaims(db, "project", ids, now);
  const decisions = await countDecisions(db, ids);
  return rows.flatMap(({ id, date_queued, position }) => {
    const entry = entries.get(id);
    if (!entry) return [];
    const place = { dateQueued: timestamp(date_queued), position: Number(position) };
    return { ...toItem(entry), ...place, decisions: decisions.get(id) ?? 0, claim: toClaim(claims.get(id)) };
  });
}

function toItem({ project }: ProjectEntry): Omit<ModerationItem, "dateQueued" | "position" | "decisions" | "claim"> {
  const { organisation: org } = project;
  const owner = project.members.find(({ isOwner }) => isOwner);
  return {
    id: project.id,
    slug: project.slug,
    name: project.name,
    summary: project.summary,
    type: project.type,
    icon: project.icon,
    downloads: project.downloads,
    followers: project.followers,
    status: project.status,
    requestedStatus: project.requestedStatus,
    visibility: project.visibility,
    author: org
      ? { name: org.name, slug: org.slug, icon: org.icon, isOrg: true }
      : { name: owner?.userName ?? "", slug: owner?.userName ?? "", icon: owner?.avatar ?? null, isOrg: false },
  };
}

async function countDecisions(db: Db, projectIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom("reviews")
    .select(["project_id", db.fn.countAll<number>().as("count")])
    .where(inList(db, sql.ref("project_id"), projectIds))
    .groupBy("project_id")
    .execute();
  return new Map(rows.map(({ project_id, count }) => [project_id, count]));
}

const day = 24 * 60 * 60 * 1000;

/** The waiting time of the 100 most recent decisions, at most 90 days old. */
export async function findMedianWait(db: Db, now: number): Promise<number | null> {
  const rows = await db
    .selectFrom("reviews")
    .select(sql<number>`date_decided - date_queued`.as("wait"))
    .where("date_queued", "is not", null)
    .where("date_decided", ">", now - 90 * day)
    .orderBy("date_decided", "desc")
    .limit(100)
    .execute();
  const waits = rows.map(({ wait }) => Number(wait)).sort((a, b) => a - b);
  if (waits.length === 0) return null;
  const [lower, upper] = [waits[(waits.length - 1) >> 1]!, waits[waits.length >> 1]!];
  return Math.round((lower + upper) / 2 / 1000);
}

/** For members of the project and moderators: only they can read the thread and past decisions. */
export async function getReview({ db, clock }: Resources, viewer: SignedIn, ref: string): Promise<ProjectReview> {
  const project = await findVisibleRow(db, viewer, ref);
  if (!project) throw fail.projectNotFound();
  if (!(await seesPermissions(db, viewer, project.id))) throw fail.membersOnly();
  const isInReview = project.status === "processing";
  const { length, before } = await countQueue(db, project.date_ranked ?? project.date_queued ?? 0, project.id);
  return {
    status: project.status,
    dateQueued: maybeTimestamp(project.date_queued),
    position: isInReview ? before + 1 : null,
    queueLength: length,
    medianWaitSeconds: await findMedianWait(db, clock.now()),
    threadId: await findThreadId(db, project.id),
    history: await listDecisions(db, viewer, project.id),
  };
}

async function countQueue(db: Db, rank: number, id: string): Promise<{ length: number; before: number }> {
  const queued = rankOf("projects");
  const { rows } = await sql<{ length: number; before: number | null }>`
    select count(*) as length,
      sum(case when ${queued} < ${rank} or (${queued} = ${rank} and id < ${id}) then 1 else 0 end) as before
    from projects where status = 'processing'`.execute(db);
  return { length: Number(rows[0]?.length ?? 0), before: Number(rows[0]?.before ?? 0) };
}

async function findThreadId(db: Db, projectId: string): Promise<string | null> {
  const thread = await db
    .selectFrom("threads")
    .select("id")
    .where("type", "=", "project")
    .where("entity_id", "=", projectId)
    .executeTakeFirst();
  return thread?.id ?? null;
}

async function listDecisions(db: Db, viewer: SignedIn, projectId: string): Promise<ProjectReview["history"]> {
  const rows = await db
    .selectFrom("reviews")
    .selectAll()
    .where("project_id", "=", projectId)
    .orderBy("date_decided", "desc")
    .limit(20)
    .execute();
  return rows.map((row) => ({
    ...toDecision(row),
    ...(isStaff(viewer) && { moderatorId: row.moderator_id }),
  }));
}
