// Compares the site's figures with the rows they count. They are consumers of the change log: changes that are not
// processed yet are no fault. Each check is one statement, and so sees the figures, the rows and the log at one moment.
import { type RawBuilder, sql } from "kysely";
import { isListedProject } from "#content/projects/policy.js";
import { statisticsConsumer } from "#discovery/statistics/consumer.js";
import { type CounterName, counterNames, toCounter } from "#discovery/statistics/counters.js";
import { filesOf, recountMembers, recountProjects, recountUsers, versionsOf } from "#discovery/statistics/recount.js";
import { type Breach, error } from "#operations/checks/check.js";
import { type Tx, write } from "#platform/changes/write.js";
import { lockRows } from "#platform/db/dialect.js";
import { placeholderId } from "#platform/db/placeholder.js";
import { byRepair, check, type RegistryCheck } from "./registry-check.js";

type Kind = "project" | "user" | "team" | "counter";

interface Miscount extends Breach {
  kind: Kind;
  id: string;
}

/** The changes since the figures were last updated. */
const pending = sql`pending as (select kind, object_id from changes
  where seq > coalesce((select seq from feed_cursors where name = ${statisticsConsumer.name}), 0))`;
const isPending = (kind: string, id: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from pending where pending.kind = ${kind} and pending.object_id = ${id})`;

/** The rows that each counter sums up. */
const sums: Record<CounterName, RawBuilder<number>> = {
  users: sql<number>`(select count(*) from counted_users)`,
  authors: sql<number>`(select count(distinct user_id) from counted_members)`,
  projects: sql<number>`(select count(*) from project_counts)`,
  versions: sql<number>`(select coalesce(sum(versions), 0) from project_counts)`,
  files: sql<number>`(select coalesce(sum(files), 0) from project_counts)`,
};

/** Found by the kind of thing that is counted wrongly. */
const findings: readonly RawBuilder<{ kind: Kind; id: string; message: string }>[] = [
  sql`with ${pending},
    there as (select projects.id, ${versionsOf} as versions, ${filesOf} as files from projects where ${isListedProject})
    select 'project' as kind, coalesce(there.id, project_counts.project_id) as id,
      'is in the site''s figures with other versions and files than it has' as message
    from there full join project_counts on project_counts.project_id = there.id
    where (there.id is null or project_counts.project_id is null
        or there.versions <> project_counts.versions or there.files <> project_counts.files)
      and not ${isPending("project", sql`coalesce(there.id, project_counts.project_id)`)}`,

  sql`with ${pending}
    select 'user' as kind, coalesce(users.id, counted_users.user_id) as id,
      'is counted as a user and is none, or the reverse' as message
    from (select id from users where id <> ${placeholderId}) as users
      full join counted_users on counted_users.user_id = users.id
    where (users.id is null or counted_users.user_id is null)
      and not ${isPending("user", sql`coalesce(users.id, counted_users.user_id)`)}`,

  sql`with ${pending}, wrong as (
      select coalesce(members.team_id, counted_members.team_id) as team_id,
        coalesce(members.user_id, counted_members.user_id) as user_id
      from (select team_id, user_id from team_members where accepted = 1 and user_id <> ${placeholderId}) as members
        full join counted_members on counted_members.team_id = members.team_id
          and counted_members.user_id = members.user_id
      where members.team_id is null or counted_members.team_id is null)
    select distinct 'team' as kind, wrong.team_id as id,
      'has other members than those who are counted as authors' as message
    from wrong
      left join projects on projects.team_id = wrong.team_id
      left join organizations on organizations.team_id = wrong.team_id or organizations.id = projects.org_id
    where not ${isPending("team", sql`wrong.team_id`)} and not ${isPending("user", sql`wrong.user_id`)}
      and not ${isPending("project", sql`projects.id`)} and not ${isPending("organization", sql`organizations.id`)}`,

  sql`with counted as (${sql.join(
    counterNames.map((name) => sql`select ${toCounter(name)} as name, ${sums[name]} as sum`),
    sql` union all `,
  )})
    select 'counter' as kind, counted.name as id,
      'shows ' || coalesce(cast(value as text), 'nothing') || ', but there are ' || cast(sum as text) as message
    from counted left join counters on counters.name = counted.name
    where coalesce(value, 0) <> sum`,
];

const idsOf = (found: readonly Miscount[], kind: Kind): string[] =>
  found.filter((miscount) => miscount.kind === kind).map(({ id }) => id);

/** Sets the counters to the sums at the end, whatever their previous values were. */
async function recount({ db }: Tx, found: readonly Miscount[]): Promise<void> {
  // Keeps the consumer from running at the same time.
  await db
    .selectFrom("feed_cursors")
    .select("seq")
    .where("name", "=", statisticsConsumer.name)
    .modifyEnd(lockRows(db))
    .execute();
  await recountProjects(db, idsOf(found, "project"));
  await recountUsers(db, idsOf(found, "user"));
  await recountMembers(db, { teamIds: idsOf(found, "team"), userIds: [] });
  for (const name of counterNames) {
    await db.deleteFrom("counters").where("name", "=", toCounter(name)).execute();
    await db
      .insertInto("counters")
      .values({ name: toCounter(name), value: sums[name] })
      .execute();
  }
}

export const statisticChecks: readonly RegistryCheck[] = [
  check<Miscount>({
    name: "site figures",
    find: async ({ db }) => {
      const found: Miscount[] = [];
      for (const finding of findings)
        for (const { kind, id, message } of (await finding.execute(db)).rows)
          found.push({ ...error(`${kind} ${id}`, message), kind, id });
      return found;
    },
    mend: {
      what: "count again what is counted wrongly",
      act: (subject, found) => write(subject, byRepair, (tx) => recount(tx, found)),
    },
  }),
];
