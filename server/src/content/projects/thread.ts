// What becomes of a project's status, said in the conversation between its team and the moderators.

import { addMessages, getProjectThreadId, type NewMessage, textBody } from "#content/threads/messages.js";
import type { Tx } from "#platform/changes/write.js";
import type { ProjectStatus } from "#platform/db/tables.js";

/** Says what became of the status, and why where a reason was given. */
export async function addStatusMessage(
  tx: Tx,
  projectId: string,
  author: { id: string; isModerator: boolean },
  change: { from: ProjectStatus; to: ProjectStatus },
  text = "",
): Promise<void> {
  const by = { authorId: author.id, byModerator: author.isModerator };
  const messages: NewMessage[] = [
    { ...by, type: "status_change", body: { prev_status: change.from, new_status: change.to } },
  ];
  if (text !== "") messages.push({ ...by, type: "text", body: textBody(text) });
  await addMessages(tx, await getProjectThreadId(tx, projectId), messages);
}
