// Counters that are stored next to the rows they count: downloads and their days, followers and the follows.
import { type RawBuilder, sql } from "kysely";
import { type Breach, error } from "#operations/checks/check.js";
import { write } from "#platform/changes/write.js";
import { lockProjects } from "#platform/db/dialect.js";
import { byRepair, check, type RegistryCheck } from "./registry-check.js";

interface Miscount extends Breach {
  projectId: string;
}

const counted = (column: RawBuilder<unknown>, id: RawBuilder<unknown>): RawBuilder<number> => sql<number>`
  cast((select coalesce(sum(count), 0) from download_days where ${column} = ${id}) as bigint)`;

const ofVersion = counted(sql.ref("version_id"), sql.ref("versions.id"));
const ofProject = counted(sql.ref("project_id"), sql.ref("projects.id"));
const followers = sql<number>`(select count(*) from follows where follows.project_id = projects.id)`;

const followersOf = {
  users: sql<number>`(select count(*) from user_follows where user_follows.author_id = users.id)`,
  organizations: sql<number>`(select count(*) from organization_follows where author_id = organizations.id)`,
};

interface Row {
  about: string;
  project_id: string;
  shown: number;
  counted: number;
}

const toMiscount =
  (what: string) =>
  (row: Row): Miscount => ({
    ...error(row.about, `shows ${row.shown} ${what}, but there are ${row.counted}`),
    projectId: row.project_id,
  });

const downloads = check<Miscount>({
  name: "download figures",
  find: async ({ db }) => {
    const { rows } = await sql<Row>`select * from (
      select 'version ' || id as about, project_id, downloads as shown, ${ofVersion} as counted from versions
      union all
      select 'project ' || id, id, downloads, ${ofProject} from projects
    ) as figures where shown <> counted`.execute(db);
    return rows.map(toMiscount("downloads"));
  },
  mend: {
    what: "set the figures to the sum of the days",
    act: (subject, found) =>
      write(subject, byRepair, async (tx) => {
        const ids = projectsOf(found);
        await lockProjects(tx.db, ids);
        for (const id of ids) {
          await tx.db.updateTable("projects").set({ downloads: ofProject }).where("id", "=", id).execute();
          await tx.db.updateTable("versions").set({ downloads: ofVersion }).where("project_id", "=", id).execute();
          tx.changed("project", id);
        }
      }),
  },
});

const follows = check<Miscount>({
  name: "follower figures",
  find: async ({ db }) => {
    const { rows } = await sql<Row>`select * from (
      select 'project ' || id as about, id as project_id, followers as shown, ${followers} as counted from projects
    ) as figures where shown <> counted`.execute(db);
    return rows.map(toMiscount("followers"));
  },
  mend: {
    what: "set the figures to how many follow",
    act: (subject, found) =>
      write(subject, byRepair, async (tx) => {
        for (const id of projectsOf(found)) {
          await tx.db.updateTable("projects").set({ followers }).where("id", "=", id).execute();
          tx.changed("project", id);
        }
      }),
  },
});

const authors = check<Breach & { table: "users" | "organizations"; id: string }>({
  name: "follower figures of authors",
  find: async ({ db }) => {
    const { rows } = await sql<{ table: "users" | "organizations"; id: string; shown: number; counted: number }>`
      select * from (
        select 'users' as "table", id, followers as shown, ${followersOf.users} as counted from users
        union all
        select 'organizations', id, followers, ${followersOf.organizations} from organizations
      ) as figures where shown <> counted`.execute(db);
    return rows.map(({ table, id, shown, counted: right }) => ({
      ...error(
        `${table === "users" ? "user" : "organization"} ${id}`,
        `shows ${shown} followers, but there are ${right}`,
      ),
      ...{ table, id },
    }));
  },
  mend: {
    what: "set the figures to how many follow",
    act: (subject, found) =>
      write(subject, byRepair, async (tx) => {
        for (const { table, id } of found)
          await tx.db.updateTable(table).set({ followers: followersOf[table] }).where("id", "=", id).execute();
      }),
  },
});

const projectsOf = (found: readonly Miscount[]): string[] =>
  [...new Set(found.map(({ projectId }) => projectId))].sort();

export const figureChecks: readonly RegistryCheck[] = [downloads, follows, authors];
