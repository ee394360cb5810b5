// Moderators' private notes about a user. A strike is counted; a note is only text.

import { newId } from "#lib/random.js";
import type { Tx } from "#platform/changes/write.js";
import type { Db, Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { SignedIn } from "#platform/http/viewer.js";

export interface UserNote extends Pick<Row<"user_notes">, "id" | "kind" | "body" | "date_created" | "author_id"> {
  authorName: string | null;
}

export const noteKinds = ["note", "strike"] as const;

/** Newest first. */
export const listNotes = (db: Db, userId: string): Promise<UserNote[]> =>
  db
    .selectFrom("user_notes as note")
    .leftJoin("users as author", "author.id", "note.author_id")
    .select([
      "note.id",
      "note.kind",
      "note.body",
      "note.date_created",
      "note.author_id",
      "author.user_name as authorName",
    ])
    .where("note.user_id", "=", userId)
    .orderBy("note.date_created", "desc")
    .orderBy("note.id")
    .limit(100)
    .execute();

export async function addNote(
  tx: Tx,
  authorId: string,
  userId: string,
  { kind, body }: Pick<UserNote, "kind" | "body">,
): Promise<void> {
  const id = newId(tx.random);
  await tx.db
    .insertInto("user_notes")
    .values({ id, user_id: userId, author_id: authorId, kind, body, date_created: tx.now })
    .execute();
  tx.audit("user.note.add", { kind: "user", id: userId }, { noteId: id, kind });
}

/** For the author of the note, and administrators. */
export async function removeNote(tx: Tx, { user }: SignedIn, userId: string, noteId: string): Promise<void> {
  const note = await tx.db
    .selectFrom("user_notes")
    .select(["author_id", "kind"])
    .where("id", "=", noteId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (!note) throw fail.notFound();
  if (note.author_id !== user.id && user.role !== "admin") throw fail.othersMessage();
  await tx.db.deleteFrom("user_notes").where("id", "=", noteId).execute();
  tx.audit("user.note.remove", { kind: "user", id: userId }, { noteId, kind: note.kind });
}
