// Threads and what is said in them, as rows. Who may say what is decided by those who call this.

import { toJson } from "#lib/json.js";
import { newId } from "#lib/random.js";
import type { Tx } from "#platform/changes/write.js";
import type { Row } from "#platform/db/tables.js";

export const messageTypes = ["text", "status_change", "thread_closure", "thread_reopen", "deleted"] as const;
export type MessageType = (typeof messageTypes)[number];

export interface NewMessage {
  authorId: string;
  type: MessageType;
  body: unknown;
  /** Among moderators. */
  isPrivate?: boolean;
  /** Its author's name stays among moderators, whatever becomes of him. */
  byModerator?: boolean;
}

export const textBody = (text: string, replyingTo: string | null = null, isPrivate = false) => ({
  text,
  replying_to: replyingTo,
  isPrivate,
});

export async function createThread(tx: Tx, type: Row<"threads">["type"], entityId: string): Promise<string> {
  const id = newId(tx.random);
  await tx.db.insertInto("threads").values({ id, type, entity_id: entityId, date_created: tx.now }).execute();
  return id;
}

/** The conversation about a project between its team and the moderators; made here where it is missing. */
export async function getProjectThreadId(tx: Tx, projectId: string): Promise<string> {
  const thread = await tx.db
    .selectFrom("threads")
    .select("id")
    .where("type", "=", "project")
    .where("entity_id", "=", projectId)
    .executeTakeFirst();
  return thread?.id ?? createThread(tx, "project", projectId);
}

/** Returns their ids. */
export async function addMessages(tx: Tx, threadId: string, messages: readonly NewMessage[]): Promise<string[]> {
  const rows = messages.map(({ authorId, type, body, isPrivate, byModerator }, at) => ({
    id: newId(tx.random),
    thread_id: threadId,
    author_id: authorId,
    type,
    body: toJson(body),
    is_private: isPrivate ? (1 as const) : (0 as const),
    by_moderator: byModerator ? (1 as const) : (0 as const),
    // What is said together is read in the order in which it was said.
    date_created: tx.now + at,
  }));
  if (rows.length > 0) await tx.db.insertInto("thread_messages").values(rows).execute();
  return rows.map(({ id }) => id);
}
