// Invariants between rows of versions, files, teams and names. Each check is one statement, and so sees one moment.
import { type RawBuilder, sql } from "kysely";
import { type Breach, error } from "#operations/checks/check.js";
import { check, type RegistryCheck } from "./registry-check.js";

/** A check that is one statement: each row it gives is a breach. */
const statement = (name: string, found: RawBuilder<{ about: string; message: string }>): RegistryCheck =>
  check({
    name,
    find: async ({ db }): Promise<Breach[]> =>
      (await found.execute(db)).rows.map(({ about, message }) => error(about, message)),
  });

const versions = statement(
  "versions",
  sql`
    select 'version ' || id as about, 'has no files' as message from versions
      where not exists (select 1 from version_files where version_files.version_id = versions.id)
    union all
    select 'version ' || id, 'has no primary file of its own' from versions
      where not exists (select 1 from version_files
        where version_files.id = versions.primary_file_id and version_files.version_id = versions.id)
    union all
    select 'file ' || version_files.id, 'is noted under another project than its version ' || versions.id
      from version_files join versions on versions.id = version_files.version_id
      where versions.project_id <> version_files.project_id
    union all
    select 'dependency ' || dependencies.id, 'names a version of another project, ' || versions.id
      from dependencies join versions on versions.id = dependencies.on_version_id
      where versions.project_id <> dependencies.on_project_id`,
);

const fileRecords = statement(
  "file records",
  sql`
    select 'file ' || version_files.id as about,
        'of version ' || version_files.version_id || ' is noted with another size or hash than its bytes' as message
      from version_files left join blobs on blobs.sha512 = version_files.sha512
      where blobs.sha512 is null or blobs.size <> version_files.size or blobs.sha1 <> version_files.sha1
    union all
    select 'image ' || images.id, 'has no record of its bytes' from images
      where not exists (select 1 from blobs where blobs.sha512 = images.sha512)`,
);

const owners = statement(
  "owners",
  sql`
    select 'project ' || projects.id as about, 'has no owner, or several' as message from projects
      where org_id is null and 1 <> (select count(*) from team_members
        where team_members.team_id = projects.team_id and is_owner = 1 and accepted = 1)
    union all
    select 'organization ' || organizations.id, 'has no owner, or several' from organizations
      where 1 <> (select count(*) from team_members
        where team_members.team_id = organizations.team_id and is_owner = 1 and accepted = 1)`,
);

const names = statement(
  "names",
  sql`
    select 'username ' || lower(user_name) as about, 'belongs to several users' as message
      from users group by lower(user_name) having count(*) > 1
    union all select 'email of user ' || min(id), 'belongs to several users'
      from users where email is not null group by lower(email) having count(*) > 1
    union all select 'slug ' || slug, 'belongs to several projects' from projects group by slug having count(*) > 1
    union all select 'slug ' || slug, 'belongs to several organizations'
      from organizations group by slug having count(*) > 1
    union all select 'version number ' || version_number, 'is there several times in project ' || project_id
      from versions group by project_id, version_number having count(*) > 1
    union all select 'version slug ' || slug, 'is there several times in project ' || project_id
      from versions group by project_id, slug having count(*) > 1
    union all select 'file name ' || lower(name), 'is there several times in version ' || version_id
      from version_files group by version_id, lower(name) having count(*) > 1`,
);

const ledger = statement(
  "download ledger",
  sql`
    select 'download ' || cast(downloads.seq as text) as about,
        'is noted under another project than its version ' || versions.id as message
      from downloads join versions on versions.id = downloads.version_id
      where versions.project_id <> downloads.project_id
    union all
    select 'day ' || cast(download_days.day as text), 'is noted under another project than its version ' || versions.id
      from download_days join versions on versions.id = download_days.version_id
      where versions.project_id <> download_days.project_id`,
);

export const recordChecks: readonly RegistryCheck[] = [versions, fileRecords, owners, names, ledger];
