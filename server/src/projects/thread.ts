// The conversation about a project between its team and the moderators: made with the project, added to at every change
// of its status.
import type { Tx } from "../changes/write.js";
import type { ProjectStatus } from "../db/tables.js";
import { toJson } from "../lib/json.js";
import { newId } from "../lib/random.js";

export async function createProjectThread(tx: Tx, projectId: string): Promise<string> {
  const id = newId(tx.random);
  await tx.db
    .insertInto("threads")
    .values({ id, type: "project", entity_id: projectId, date_created: tx.now })
    .execute();
  return id;
}

/** Says what became of the status, and why where a reason was given. */
export async function addStatusMessage(
  tx: Tx,
  projectId: string,
  authorId: string,
  change: { from: ProjectStatus; to: ProjectStatus },
  text = "",
): Promise<void> {
  const thread = await tx.db
    .selectFrom("threads")
    .select("id")
    .where("type", "=", "project")
    .where("entity_id", "=", projectId)
    .executeTakeFirst();
  const threadId = thread?.id ?? (await createProjectThread(tx, projectId));
  const message = (type: string, body: unknown) => ({
    id: newId(tx.random),
    thread_id: threadId,
    author_id: authorId,
    type,
    body: toJson(body),
    is_private: 0 as const,
    date_created: tx.now,
  });
  const messages = [message("status_change", { prev_status: change.from, new_status: change.to })];
  if (text !== "") messages.push(message("text", { text, replying_to: null, isPrivate: false }));
  await tx.db.insertInto("thread_messages").values(messages).execute();
}
