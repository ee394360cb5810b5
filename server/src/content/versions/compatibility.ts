// Rows derived from a version: compatibility, dependencies, and the project's lists over all versions.

import { sql } from "kysely";
import { visibleTo } from "#content/projects/policy.js";
import { fromJson, toJson } from "#lib/json.js";
import { newId } from "#lib/random.js";
import type { Tx } from "#platform/changes/write.js";
import { inList, type Statement, together } from "#platform/db/dialect.js";
import type { Db, Row } from "#platform/db/tables.js";
import type { Viewer } from "#platform/http/viewer.js";
import type { DependencyInput } from "./version-input.js";

interface Compat {
  id: string;
  projectId: string;
  datePublished: number;
  channel: Row<"versions">["channel"];
  gameVersions: readonly string[];
  loaders: readonly string[];
}

const rowsAtOnce = 500;

/** One row per pair of game version and loader, because filters on both must match the same version. */
export async function replaceCompat({ db }: Tx, version: Compat): Promise<void> {
  const before = db.deleteFrom("version_compat").where("version_id", "=", version.id);
  await together(db, [before, ...insertingCompat(db, version)]);
}

export function insertingCompat(db: Db, version: Compat): Statement[] {
  const loaders = version.loaders.length > 0 ? version.loaders : [""];
  const rows = version.gameVersions.flatMap((game_version) =>
    loaders.map((loader) => ({
      version_id: version.id,
      project_id: version.projectId,
      game_version,
      loader,
      channel: version.channel,
      date_published: version.datePublished,
    })),
  );
  const statements: Statement[] = [];
  for (let start = 0; start < rows.length; start += rowsAtOnce)
    statements.push(db.insertInto("version_compat").values(rows.slice(start, start + rowsAtOnce)));
  return statements;
}

/**
 * Keeps dependencies that `editor` may not see: no form and no answer showed them, so the editor did not remove them. The
 * contents of a pack stay too, unless the editor names the same project in another way.
 */
export async function replaceDependencies(
  tx: Tx,
  versionId: string,
  dependencies: readonly DependencyInput[],
  editor: Viewer,
): Promise<void> {
  await tx.db
    .deleteFrom("dependencies")
    .where("version_id", "=", versionId)
    .where((or) =>
      or.or([
        or("from_pack", "=", 0),
        inList(
          tx.db,
          sql.ref("on_project_id"),
          dependencies.map(({ projectId }) => projectId),
        ),
      ]),
    )
    // Not a list of all projects that the editor may see: it would be read as a whole.
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("projects")
          .select("projects.id")
          .whereRef("projects.id", "=", "dependencies.on_project_id")
          .where(visibleTo(editor)),
      ),
    )
    .execute();
  await together(tx.db, insertingDependencies(tx, versionId, dependencies));
}

export function insertingDependencies(
  tx: Tx,
  versionId: string,
  dependencies: readonly DependencyInput[],
): Statement[] {
  if (dependencies.length === 0) return [];
  const rows = dependencies.map((dependency) => ({
    id: newId(tx.random),
    version_id: versionId,
    on_project_id: dependency.projectId,
    on_version_id: dependency.versionId,
    type: dependency.type,
  }));
  return [tx.db.insertInto("dependencies").values(rows)];
}

/**
 * The project's lists are the union over its versions. Its row must be locked: otherwise two concurrent requests would
 * each miss the other's version. For `versions` see tx.changed.
 */
export async function refreshProject(tx: Tx, projectId: string, versions?: readonly string[]): Promise<void> {
  const { gameVersions, loaders } = await readUnion(tx.db, projectId);
  await tx.db
    .updateTable("projects")
    .set({ game_versions: toJson(gameVersions), loaders: toJson(loaders) })
    .where("id", "=", projectId)
    .execute();
  tx.changed("project", projectId, versions);
}

/** The same after a version was added: its lists are added to those of the locked row, and no other version is read. */
export function extendingProject(
  tx: Tx,
  project: Pick<Row<"projects">, "id" | "game_versions" | "loaders">,
  added: Pick<Compat, "id" | "gameVersions" | "loaders"> & { namedLicense?: string | null | undefined },
): Statement {
  const union = (all: readonly string[], more: readonly string[]) => toJson([...new Set([...all, ...more])].sort());
  tx.changed("project", project.id, [added.id], { areAdded: true });
  return tx.db
    .updateTable("projects")
    .set({
      game_versions: union(fromJson(project.game_versions), added.gameVersions),
      loaders: union(fromJson(project.loaders), added.loaders),
      date_updated: tx.now,
      ...(added.namedLicense !== undefined && { named_license: added.namedLicense }),
    })
    .where("id", "=", project.id);
}

export async function readUnion(
  db: Tx["db"],
  projectId: string,
): Promise<{ gameVersions: string[]; loaders: string[] }> {
  const rows = await db
    .selectFrom("version_compat")
    .select(["game_version", "loader"])
    .distinct()
    .where("project_id", "=", projectId)
    .execute();
  return {
    gameVersions: [...new Set(rows.map((row) => row.game_version))].sort(),
    loaders: [...new Set(rows.map((row) => row.loader))].filter((loader) => loader !== "").sort(),
  };
}
