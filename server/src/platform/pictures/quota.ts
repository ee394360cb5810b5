// The storage quota of an account. It counts the files of the versions that the account has published and the pictures
// that belong to it: its own, those of its collections, of the projects and organizations that it owns, and of its
// reports. A file that is used in several places counts in each of them.
import { type RawBuilder, sql } from "kysely";
import type { Config } from "#config/config.js";
import { formatBytes } from "#lib/format-bytes.js";
import { perServer } from "#platform/changes/server-memory.js";
import { placeholderId } from "#platform/db/placeholder.js";
import type { Db, ImageOwner } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";

export type Limits = Pick<Config["limits"], "accountBytes">;

/** The pictures of each owner are added up by themselves: in a join PostgreSQL would read the pictures of the whole site. */
export const accountUse = (userId: string): RawBuilder<{ bytes: number | string }> =>
  sql<{ bytes: number | string }>`
    with owned_teams as (select team_id from team_members where user_id = ${userId} and is_owner = 1),
    owned_organizations as (select id from organizations where team_id in (select team_id from owned_teams)),
    owners (kind, id) as (
      select 'user', ${userId}
      union all select 'collection', id from collections where user_id = ${userId}
      union all select 'organization', id from owned_organizations
      union all select 'project', id from projects where org_id in (select id from owned_organizations)
      union all select 'project', projects.id from owned_teams
      join projects on projects.team_id = owned_teams.team_id and projects.org_id is null
    ),
    stored (size) as (
      select version_files.size from versions join version_files on version_files.version_id = versions.id
      where versions.author_id = ${userId}
      union all select (
        select sum(blobs.size) from images join blobs on blobs.sha512 = images.sha512
        where images.owner_kind = owners.kind and images.owner_id = owners.id
      ) from owners
      union all select blobs.size from reports join report_pictures on report_pictures.report_id = reports.id
      join blobs on blobs.sha512 = report_pictures.sha512
      where reports.reporter_id = ${userId}
    )
    select coalesce(sum(size), 0) as bytes from stored`;

export const readAccountUse = async (db: Db, userId: string): Promise<number> =>
  Number((await accountUse(userId).execute(db)).rows[0]!.bytes);

/** The account whose quota the pictures of this object use; undefined if it has no owner. */
export async function findPayer(db: Db, { kind, id }: { kind: ImageOwner; id: string }): Promise<string | undefined> {
  if (kind === "user") return id;
  if (kind === "collection") {
    const row = await db.selectFrom("collections").select("user_id").where("id", "=", id).executeTakeFirst();
    return row?.user_id;
  }
  const team =
    kind === "organization"
      ? sql`select team_id from organizations where id = ${id}`
      : sql`select coalesce(organizations.team_id, projects.team_id) from projects
          left join organizations on organizations.id = projects.org_id where projects.id = ${id}`;
  const { rows } = await sql<{ user_id: string }>`
    select user_id from team_members where is_owner = 1 and team_id = (${team})`.execute(db);
  return rows[0]?.user_id;
}

/** Throws if this many more bytes exceed the quota. Takes no lock. */
export async function refuseOverQuota(db: Db, { accountBytes }: Limits, userId: string, bytes: number): Promise<void> {
  if (accountBytes === Number.POSITIVE_INFINITY || userId === placeholderId) return;
  const used = await readAccountUse(db, userId);
  if (used + bytes > accountBytes) throw fail.quotaReached(formatBytes(accountBytes), formatBytes(used));
}

const useBytes = 256 * 1024;
/** An estimate for an id and a number. */
const bytesPerUse = 150;
const usesOf = perServer(({ memory }: Surroundings) =>
  memory.createCache<number>({ name: "accountUse", bytes: useBytes, ageMs: 60_000 }),
);

type Surroundings = Pick<Resources, "memory" | "db" | "config">;

/**
 * Refuses an account without any room before its file is read. That it had room a minute ago is enough: adding up the files of
 * an author takes milliseconds, and the transaction that stores the file does it again.
 */
export async function refuseFullAccount(resources: Surroundings, userId: string): Promise<void> {
  const { accountBytes } = resources.config.limits;
  const uses = usesOf(resources);
  if (accountBytes === Number.POSITIVE_INFINITY || (uses.get(userId) ?? accountBytes) < accountBytes) return;
  const used = await readAccountUse(resources.db, userId);
  if (used >= accountBytes) throw fail.quotaReached(formatBytes(accountBytes), formatBytes(used));
  uses.set(userId, used, bytesPerUse);
}
