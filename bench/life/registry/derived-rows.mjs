// Rows that follow from other rows: blobs, compatibility, and the site's figures. SQLite makes all of them from the rows that
// were written. PostgreSQL gets most of them by COPY, because INSERT … SELECT stores them one by one.

const perProject = (column) => `SELECT project_id, count(*) AS count FROM ${column} GROUP BY project_id`;

const day = 86_400_000;
const counter = (name, from) => `INSERT INTO counters (name, value) SELECT 'statistics.${name}', count(*) FROM ${from}`;

/** Each file has its own bytes. In the order of the key, which costs least. */
export const blobRows = `INSERT INTO blobs (sha512, sha1, size, date_created)
  SELECT sha512, sha1, size, date_created FROM version_files ORDER BY sha512`;

/** Columns of the tables whose rows follow from versions alone. */
export const followingColumns = {
  version_compat: "version_id project_id game_version loader channel date_published",
  download_days: "version_id project_id day country count",
  public_things: "kind object_id project_id digest",
};

export const rowsOfVersions = (now) => [
  `INSERT INTO version_compat (version_id, project_id, game_version, loader, channel, date_published)
   SELECT versions.id, versions.project_id, game.value, loader.value, versions.channel, versions.date_published
   FROM versions, json_each(versions.game_versions) AS game,
     json_each(CASE versions.loaders WHEN '[]' THEN '[""]' ELSE versions.loaders END) AS loader`,
  // Downloads of new versions are recent, which trending depends on.
  `INSERT INTO download_days (version_id, project_id, day, country, count)
   SELECT id, project_id, ${Math.floor(now / day)} - CASE WHEN date_published > ${now - 90 * day}
     THEN 1 + downloads % 14 ELSE 30 + downloads % 300 END, '', downloads FROM versions WHERE downloads > 0`,
  // The public change log has seen everything. It compares its digests only when something changes.
  `INSERT INTO public_things (kind, object_id, project_id, digest)
   SELECT 'version', id, project_id, 'generated' FROM versions ORDER BY id`,
];

/** Few lists are different, and each is read once. */
const lists = new Map();
function listOf(json) {
  if (!lists.has(json)) lists.set(json, JSON.parse(json));
  return lists.get(json);
}

/** The same rows for one row of `versions`. */
export function putRowsOfVersion(row, now, put) {
  const [id, projectId, , , , , , channel, , gameVersions, loaders, , downloads, date] = row;
  for (const gameVersion of listOf(gameVersions))
    for (const loader of listOf(loaders === "[]" ? '[""]' : loaders))
      put("version_compat", [id, projectId, gameVersion, loader, channel, date]);
  const age = date > now - 90 * day ? 1 + (downloads % 14) : 30 + (downloads % 300);
  if (downloads > 0) put("download_days", [id, projectId, Math.floor(now / day) - age, "", downloads]);
  put("public_things", ["version", id, projectId, "generated"]);
}

/** The row of `blobs` for one row of `version_files`. */
export const putBlobOf = ([, , , , , size, sha1, sha512, date], put) => put("blobs", [sha512, sha1, size, date]);

export const otherRows = [
  "INSERT INTO public_things (kind, object_id, digest) SELECT 'project', id, 'generated.generated' FROM projects",
  "INSERT INTO public_things (kind, object_id, digest) SELECT 'organization', id, 'generated' FROM organizations",
  `INSERT INTO public_things (kind, object_id, digest)
   SELECT DISTINCT 'user', user_id, 'generated' FROM team_members`,
  `INSERT INTO project_counts (project_id, versions, files)
   SELECT versions.project_id, versions.count, files.count
   FROM (${perProject("versions")}) AS versions JOIN (${perProject("version_files")}) AS files USING (project_id)`,
  "INSERT INTO counted_users (user_id) SELECT id FROM users WHERE id <> 'deleted_user'",
  "INSERT INTO counted_members (team_id, user_id) SELECT team_id, user_id FROM team_members",
  counter("users", "counted_users"),
  counter("projects", "project_counts"),
  counter("versions", "versions"),
  counter("files", "version_files"),
  counter("authors", "(SELECT DISTINCT user_id FROM counted_members) AS authors"),
];
