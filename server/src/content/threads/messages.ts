// Threads and their messages, as rows. The callers check permissions.

import { toJson } from "#lib/json.js";
import { newId } from "#lib/random.js";
import type { Tx } from "#platform/changes/write.js";
import type { Row } from "#platform/db/tables.js";

export const messageTypes = ["text", "status_change", "thread_closure", "thread_reopen", "deleted"] as const;
export type MessageType = (typeof messageTypes)[number];

export interface NewMessage {
  /** Null for the malware scanner. */
  authorId: string | null;
  type: MessageType;
  body: unknown;
  /** Visible to moderators only. */
  isPrivate?: boolean;
  /** Hides the author's name from other users, even if they are no moderator any more. */
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

/** The thread between a project's team and the moderators; created if it does not exist. */
export async function getProjectThreadId(tx: Tx, projectId: string): Promise<string> {
  const thread = await tx.db
    .selectFrom("threads")
    .select("id")
    .where("type", "=", "project")
    .where("entity_id", "=", projectId)
    .executeTakeFirst();
  return thread?.id ?? createThread(tx, "project", projectId);
}

/** Returns the ids of the messages. */
export async function addMessages(tx: Tx, threadId: string, messages: readonly NewMessage[]): Promise<string[]> {
  const rows = messages.map(({ authorId, type, body, isPrivate, byModerator }, at) => ({
    id: newId(tx.random),
    thread_id: threadId,
    author_id: authorId,
    type,
    body: toJson(body),
    is_private: isPrivate ? (1 as const) : (0 as const),
    by_moderator: byModerator ? (1 as const) : (0 as const),
    // Messages that are added together keep their order.
    date_created: tx.now + at,
  }));
  if (rows.length > 0) await tx.db.insertInto("thread_messages").values(rows).execute();
  return rows.map(({ id }) => id);
}
