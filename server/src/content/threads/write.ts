// Posting and deleting messages. Each function runs in the caller's transaction.

import { toJson } from "#lib/json.js";
import type { Tx } from "#platform/changes/write.js";
import { lockRows } from "#platform/db/dialect.js";
import type { Row } from "#platform/db/tables.js";
import { fail, invalid } from "#platform/errors.js";
import { needPowers } from "#platform/http/staff-powers.js";
import { isStaff, type SignedIn } from "#platform/http/viewer.js";
import { say } from "#words/said.js";
import { addMessages, textBody } from "./messages.js";
import { listOwnerIds, notify } from "./notifications.js";
import { maxUnanswered } from "./policy.js";
import { findMessage, findThread, type ThreadRow } from "./read.js";

export interface MessageInput {
  text: string;
  replyingTo: string | null;
  isPrivate: boolean;
}

/** Returns the id of the message. */
export async function postMessage(
  tx: Tx,
  viewer: SignedIn,
  threadId: string,
  { text, replyingTo, isPrivate }: MessageInput,
): Promise<string> {
  const thread = await findThread(tx.db, viewer, threadId);
  if (!thread) throw fail.threadNotFound();
  if (isPrivate) needPowers(viewer, "moderator");
  if (thread.closed === 1 && !isPrivate) throw fail.wrongState(say.states.reportClosed);
  if (replyingTo !== null && (await findMessage(tx.db, viewer, replyingTo))?.thread_id !== threadId)
    throw invalid({ path: "replyingTo", message: say.problems.ownMessage });
  // In the thread of their own report or project, a moderator is treated like any other participant.
  const byModerator = isStaff(viewer) && !(await isParty(tx, thread, viewer.user.id));
  if (!byModerator) await refuseFlood(tx, threadId, viewer.user.id);
  const author = { authorId: viewer.user.id, byModerator, isPrivate };
  const body = textBody(text, replyingTo, isPrivate);
  const [messageId] = await addMessages(tx, threadId, [{ ...author, type: "text", body }]);
  if (byModerator && !isPrivate) await tellOthers(tx, thread, messageId!);
  else if (thread.case_id !== null) await touchCase(tx, thread.case_id);
  return messageId!;
}

async function isParty({ db }: Tx, thread: ThreadRow, userId: string): Promise<boolean> {
  if (thread.reporter_id === userId) return true;
  const teams = [thread.team_id, thread.org_team_id].filter((id) => id !== null);
  if (teams.length === 0) return false;
  const entry = await db
    .selectFrom("team_members")
    .select("id")
    .where("user_id", "=", userId)
    .where("accepted", "=", 1)
    .where("team_id", "in", teams)
    .limit(1)
    .executeTakeFirst();
  return entry !== undefined;
}

/** Reads only the last few messages, however long the thread is. */
async function refuseFlood({ db }: Tx, threadId: string, userId: string): Promise<void> {
  // Locked, so that concurrent messages are counted one after the other.
  await db.selectFrom("threads").select("id").where("id", "=", threadId).modifyEnd(lockRows(db)).execute();
  const last = await db
    .selectFrom("thread_messages")
    .select("author_id")
    .where("thread_id", "=", threadId)
    .where("is_private", "=", 0)
    .orderBy("date_created", "desc")
    .orderBy("id", "desc")
    .limit(maxUnanswered)
    .execute();
  if (last.length === maxUnanswered && last.every(({ author_id }) => author_id === userId))
    throw fail.wrongState(say.states.writtenALot);
}

/** Notifies the owners of the project, or the reporter. */
async function tellOthers(tx: Tx, thread: ThreadRow, messageId: string): Promise<void> {
  const { id: threadId, entity_id: entityId, team_id, org_id, reporter_id } = thread;
  const readers = team_id === null ? [] : await listOwnerIds(tx.db, { team_id, org_id });
  if (reporter_id !== null) readers.push(reporter_id);
  const about = thread.type === "project" ? { projectId: entityId } : { reportId: entityId };
  await notify(tx, readers, {
    type: "thread_message",
    groupKey: `thread:${threadId}`,
    body: { threadId, ...about, messageId },
  });
}

async function touchCase({ db, now }: Tx, caseId: string): Promise<void> {
  await db.updateTable("report_cases").set({ date_updated: now }).where("id", "=", caseId).execute();
}

/** Removes the text. The message stays, so that replies to it make sense. */
export async function deleteMessage(tx: Tx, viewer: SignedIn, messageId: string): Promise<void> {
  const message = await findMessage(tx.db, viewer, messageId);
  if (!message) throw fail.messageNotFound();
  needPowers(viewer, "moderator");
  if (message.type !== "text") throw fail.wrongState(say.states.noTextToRemove);
  if (!canDelete(viewer, message)) throw fail.othersMessage();
  const body = textBody("", null, message.is_private === 1);
  await tx.db
    .updateTable("thread_messages")
    .set({ type: "deleted", body: toJson<unknown>(body) })
    .where("id", "=", messageId)
    .execute();
  tx.audit("thread.message.delete", { kind: "thread", id: message.thread_id }, { messageId });
}

const canDelete = ({ user }: SignedIn, message: Row<"thread_messages">): boolean =>
  message.author_id === user.id || message.by_moderator === 0 || user.role === "admin";
