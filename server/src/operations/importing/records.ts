// The table of what was imported: the object at the source, the object here, and digests of both. With it an import
// changes only what has changed at the source since, and leaves alone what has changed here.
import { createHash } from "node:crypto";
import type { Tx } from "#platform/changes/write.js";
import type { Db, Row } from "#platform/db/tables.js";

export type ImportRow = Row<"imports">;
export type ImportKind = ImportRow["kind"];

export const digestOf = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("hex");

export const findImported = (db: Db, source: string, kind: ImportKind, id: string): Promise<ImportRow | undefined> =>
  db
    .selectFrom("imports")
    .selectAll()
    .where("source", "=", source)
    .where("kind", "=", kind)
    .where("source_id", "=", id)
    .executeTakeFirst();

/** A change is going to be written in several transactions. If it is interrupted, it is not taken for one made here. */
export const pending = "";

type Place = Pick<Imported, "source" | "kind" | "sourceId">;

export const notePending = (tx: Tx, { source, kind, sourceId }: Place): Promise<unknown> =>
  tx.db
    .updateTable("imports")
    .set({ digest: pending, local_digest: pending })
    .where("source", "=", source)
    .where("kind", "=", kind)
    .where("source_id", "=", sourceId)
    .execute();

export interface Imported {
  source: string;
  kind: ImportKind;
  sourceId: string;
  localId: string;
  digest: string;
  localDigest: string;
  finished?: boolean;
}

export async function noteImported(tx: Tx, noted: Imported): Promise<void> {
  const state = {
    local_id: noted.localId,
    digest: noted.digest,
    local_digest: noted.localDigest,
    date_updated: tx.now,
  };
  const finished = noted.finished === false ? (0 as const) : (1 as const);
  await tx.db
    .insertInto("imports")
    .values({
      ...{ source: noted.source, kind: noted.kind, source_id: noted.sourceId },
      ...state,
      ...{ finished, date_imported: tx.now },
    })
    .onConflict((conflict) =>
      conflict
        .columns(["source", "kind", "source_id"])
        .doUpdateSet(noted.finished === undefined ? state : { ...state, finished }),
    )
    .execute();
}

/** The action that an object needs. */
export type Verdict =
  | { act: "created"; row: undefined }
  | { act: "updated" | "unchanged" | "changedHere" | "deletedHere"; row: ImportRow };

/** `localDigest` is undefined if the object does not exist here any more. */
export function judge(
  row: ImportRow | undefined,
  digest: string,
  localDigest: string | undefined,
  { overwrite }: { overwrite: boolean },
): Verdict {
  if (!row) return { act: "created", row };
  if (localDigest === undefined) return { act: "deletedHere", row };
  const isChangedHere = row.local_digest !== pending && row.local_digest !== localDigest;
  if (row.digest === digest && !(isChangedHere && overwrite)) return { act: "unchanged", row };
  return { act: isChangedHere && !overwrite ? "changedHere" : "updated", row };
}

/** Digests of the imported fields as they are here now; undefined if the object is gone. */
export const localDigests = {
  async organization(db: Db, id: string): Promise<string | undefined> {
    const fields = ["name", "slug", "description"] as const;
    const row = await db.selectFrom("organizations").select(fields).where("id", "=", id).executeTakeFirst();
    return row && digestOf(row);
  },

  async project(db: Db, id: string): Promise<string | undefined> {
    const row = await db
      .selectFrom("projects")
      .select(["name", "slug", "summary", "description", "types", "visibility", "client_side", "server_side"])
      .select(["license_id", "license_name", "license_url", "issue_tracker_url", "source_url", "wiki_url"])
      .select(["discord_url", "donation_links", "disclosures"])
      .where("id", "=", id)
      .executeTakeFirst();
    if (!row) return undefined;
    const categories = await db
      .selectFrom("project_categories")
      .select(["category", "featured"])
      .where("project_id", "=", id)
      .orderBy("category")
      .execute();
    return digestOf([row, categories]);
  },

  async picture(db: Db, id: string): Promise<string | undefined> {
    const fields = ["name", "description", "featured", "order_index"] as const;
    const row = await db.selectFrom("gallery_items").select(fields).where("id", "=", id).executeTakeFirst();
    return row && digestOf(row);
  },

  async version(db: Db, id: string): Promise<string | undefined> {
    const row = await db
      .selectFrom("versions")
      .select(["title", "version_number", "changelog", "channel", "featured", "game_versions", "loaders"])
      .select(["date_yanked", "yank_reason", "yank_replacement_id"])
      .where("id", "=", id)
      .executeTakeFirst();
    if (!row) return undefined;
    const dependencies = await db
      .selectFrom("dependencies")
      .select(["on_project_id", "on_version_id", "type"])
      .where("version_id", "=", id)
      .orderBy("on_project_id")
      .execute();
    return digestOf([row, dependencies]);
  },
};
