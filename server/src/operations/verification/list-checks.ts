// Lists that follow from versions: the pairs that each runs on, and the union over all of a project's.
import { sql } from "kysely";
import { lockProject } from "#content/projects/change.js";
import { refreshProject, replaceCompat } from "#content/versions/compatibility.js";
import { fromJson } from "#lib/json.js";
import { type Breach, error } from "#operations/checks/check.js";
import { type Tx, write } from "#platform/changes/write.js";
import { engineOf, inList } from "#platform/db/dialect.js";
import type { Db, Row } from "#platform/db/tables.js";
import { byRepair, check, type RegistryCheck, type Subject } from "./registry-check.js";

interface WrongList extends Breach {
  projectId: string;
}

const pageSize = 200;

async function findWrongLists({ db }: Subject): Promise<WrongList[]> {
  const wrong: WrongList[] = [];
  for (let last = ""; ; ) {
    const page = await db
      .selectFrom("projects")
      .select("id")
      .where("id", ">", last)
      .orderBy("id")
      .limit(pageSize)
      .execute();
    const ids = page.map(({ id }) => id);
    if (ids.length === 0) return wrong;
    const suspects = await compareLists(db, ids);
    // The tables were read one after the other, so suspects are checked again in one moment.
    for (const projectId of new Set(suspects.map((suspect) => suspect.projectId)))
      wrong.push(...(await atOneMoment(db, (at) => compareLists(at, [projectId]))));
    last = ids.at(-1)!;
  }
}

const atOneMoment = <T>(db: Subject["db"], work: (at: Db) => Promise<T>): Promise<T> =>
  engineOf(db) === "postgres"
    ? db.transaction().setIsolationLevel("repeatable read").execute(work)
    : db.transaction().execute(work);

async function compareLists(db: Db, ids: readonly string[]): Promise<WrongList[]> {
  const projects = await db
    .selectFrom("projects")
    .select(["id", "game_versions", "loaders"])
    .where(inList(db, sql.ref("id"), ids))
    .execute();
  const inProjects = inList(db, sql.ref("project_id"), ids);
  const versions = await db.selectFrom("versions").selectAll().where(inProjects).execute();
  const compat = await db.selectFrom("version_compat").selectAll().where(inProjects).execute();
  const versionsOf = Map.groupBy(versions, (version) => version.project_id);
  const compatOf = Map.groupBy(compat, (row) => row.version_id);
  return projects.flatMap((project) => {
    const mine = versionsOf.get(project.id) ?? [];
    const lists = mine.filter(
      (version) => !isSame(expectedPairs(version), (compatOf.get(version.id) ?? []).map(toPair)),
    );
    const found = lists.map(({ id }) => ({
      ...error(`version ${id}`, "is not found under all that it runs on"),
      projectId: project.id,
    }));
    const shown = mine.filter((version) => version.date_quarantined === null);
    const isTrue =
      isSame(
        fromJson(project.game_versions),
        shown.flatMap((version) => fromJson(version.game_versions)),
      ) &&
      isSame(
        fromJson(project.loaders),
        shown.flatMap((version) => fromJson(version.loaders)),
      );
    const about = error(`project ${project.id}`, "shows other game versions or loaders than its versions have");
    return isTrue ? found : [...found, { ...about, projectId: project.id }];
  });
}

const toPair = (row: Pick<Row<"version_compat">, "game_version" | "loader" | "channel" | "date_published">): string =>
  JSON.stringify([row.game_version, row.loader, row.channel, row.date_published]);

function expectedPairs(version: Row<"versions">): string[] {
  const { game_versions, loaders, channel, date_published, date_quarantined } = version;
  // Quarantined versions have no compatibility rows.
  if (date_quarantined !== null) return [];
  const names = fromJson(loaders);
  return fromJson(game_versions).flatMap((game_version) =>
    (names.length > 0 ? names : [""]).map((loader) => toPair({ game_version, loader, channel, date_published })),
  );
}

const isSame = (one: readonly string[], other: readonly string[]): boolean => {
  const [a, b] = [new Set(one), new Set(other)];
  return a.size === b.size && [...a].every((item) => b.has(item));
};

async function rebuild(tx: Tx, projectId: string): Promise<void> {
  await lockProject(tx, projectId);
  const versions = await tx.db.selectFrom("versions").selectAll().where("project_id", "=", projectId).execute();
  for (const version of versions)
    await replaceCompat(tx, {
      id: version.id,
      projectId,
      datePublished: version.date_published,
      channel: version.channel,
      gameVersions: version.date_quarantined === null ? fromJson(version.game_versions) : [],
      loaders: fromJson(version.loaders),
    });
  await refreshProject(tx, projectId);
}

export const listChecks: readonly RegistryCheck[] = [
  check<WrongList>({
    name: "project lists",
    find: findWrongLists,
    mend: {
      what: "make the lists from the versions again",
      act: async (subject, found) => {
        for (const projectId of new Set(found.map((wrong) => wrong.projectId)))
          await write(subject, byRepair, (tx) => rebuild(tx, projectId));
      },
    },
  }),
];
