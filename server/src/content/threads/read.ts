// Threads as their participants see them.

import { sql } from "kysely";
import { fromJson } from "#lib/json.js";
import { inList } from "#platform/db/dialect.js";
import type { Db, Row } from "#platform/db/tables.js";
import { invalid } from "#platform/errors.js";
import { timestamp } from "#platform/http/schemas.js";
import { isStaff, type SignedIn } from "#platform/http/viewer.js";
import { pictureUrl } from "#platform/pictures/read.js";
import { say } from "#words/said.js";
import type { Thread, ThreadMessage } from "./contract.js";
import type { MessageType } from "./messages.js";
import { isShownTo, moderatorName, takesPart } from "./policy.js";

export type ThreadRow = NonNullable<Awaited<ReturnType<typeof findThread>>>;

/** The thread with its project or report, if the caller takes part in it. */
export const findThread = (db: Db, viewer: SignedIn, threadId: string) =>
  db
    .selectFrom("threads")
    .leftJoin("projects", (join) =>
      join.onRef("projects.id", "=", "threads.entity_id").on("threads.type", "=", "project"),
    )
    .leftJoin("organizations as org", "org.id", "projects.org_id")
    .leftJoin("reports", (join) => join.onRef("reports.id", "=", "threads.entity_id").on("threads.type", "=", "report"))
    .selectAll("threads")
    .select(["projects.team_id", "projects.org_id", "org.team_id as org_team_id"])
    .select(["reports.reporter_id", "reports.closed", "reports.case_id"])
    .where("threads.id", "=", threadId)
    .where(takesPart(viewer))
    .executeTakeFirst();

interface Page {
  limit: number;
  /** Id of a message; only older ones are returned. */
  before?: string | undefined;
}

/** Needs three statements, however long the thread is. */
export async function readThread(
  db: Db,
  viewer: SignedIn,
  thread: ThreadRow,
  cdnUrl: string,
  page: Page,
): Promise<Thread> {
  const newest = await listMessages(db, viewer, thread.id, page);
  const rows = newest.slice(0, page.limit).reverse();
  const messages = rows.map((row) => toMessage(row, viewer));
  const speakers = messages.flatMap(({ authorId }) => (authorId === moderatorName ? [] : (authorId ?? [])));
  return {
    id: thread.id,
    type: thread.type,
    relatedEntity: thread.entity_id,
    members: [moderators, ...(await listMembers(db, thread, speakers, cdnUrl))],
    messages,
    hasMore: newest.length > rows.length,
  };
}

const moderators = { id: moderatorName, userName: moderatorName, avatar: null, role: moderatorName };

/** Newest first, with one more than the limit if there are more. */
async function listMessages(db: Db, viewer: SignedIn, threadId: string, { limit, before }: Page) {
  const shown = db
    .selectFrom("thread_messages")
    .selectAll()
    .where("thread_id", "=", threadId)
    .where(isShownTo(viewer))
    .orderBy("date_created", "desc")
    .orderBy("id", "desc")
    .limit(limit + 1);
  if (before === undefined) return shown.execute();
  const mark = await findMessage(db, viewer, before);
  if (mark?.thread_id !== threadId) throw invalid({ path: "before", message: say.problems.ownMessage });
  return shown
    .where(
      sql<boolean>`(date_created < ${mark.date_created} or (date_created = ${mark.date_created} and id < ${mark.id}))`,
    )
    .execute();
}

/** A message of a thread that the caller takes part in. */
export const findMessage = (db: Db, viewer: SignedIn, messageId: string): Promise<Row<"thread_messages"> | undefined> =>
  db
    .selectFrom("thread_messages")
    .innerJoin("threads", "threads.id", "thread_messages.thread_id")
    .leftJoin("projects", "projects.id", "threads.entity_id")
    .leftJoin("reports", "reports.id", "threads.entity_id")
    .selectAll("thread_messages")
    .where("thread_messages.id", "=", messageId)
    .where(takesPart(viewer))
    .where(isShownTo(viewer))
    .executeTakeFirst();

function toMessage(row: Row<"thread_messages">, viewer: SignedIn): ThreadMessage {
  const isHidden = row.by_moderator === 1;
  return {
    id: row.id,
    authorId: isHidden && !isStaff(viewer) ? moderatorName : row.author_id,
    createdAt: timestamp(row.date_created),
    authorHidden: isHidden,
    type: row.type as MessageType,
    body: fromJson(row.body) as ThreadMessage["body"],
  };
}

/** The participants except for moderators, and the other authors of messages. */
async function listMembers(db: Db, thread: ThreadRow, speakers: readonly string[], cdnUrl: string) {
  const teams = [thread.team_id, thread.org_team_id].filter((id) => id !== null);
  const named = thread.reporter_id === null ? speakers : [thread.reporter_id, ...speakers];
  // One list: with two of them, PostgreSQL would read all users.
  const ids = db
    .selectFrom("team_members")
    .select("user_id as id")
    .where("accepted", "=", 1)
    .where(inList(db, sql.ref("team_id"), teams))
    .union(
      db
        .selectFrom("users")
        .select("id")
        .where(inList(db, sql.ref("id"), named)),
    );
  const rows = await db
    .selectFrom("users")
    .leftJoin("images as avatar", "avatar.id", "users.avatar_id")
    .select(["users.id", "users.user_name", "users.role", "avatar.file_name"])
    .where("users.id", "in", ids)
    .orderBy("users.user_name")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    userName: row.user_name,
    avatar: pictureUrl(cdnUrl, "user", row.id, row.file_name),
    role: row.role,
  }));
}
