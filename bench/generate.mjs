// Generates a deterministic registry of any size by writing directly into the tables, for benchmarks of reads. The same
// size and seed give the same rows. Files have hashes but, except for one of 5 MB, no bytes.
import { createHash } from "node:crypto";
import { seeded } from "./random.mjs";

const batch = 500;

const words =
  "stone light river craft magic deep sky iron forge bright wild moss ember frost cloud lantern anchor root".split(" ");
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const channels = ["release", "release", "release", "release", "beta", "beta", "alpha", "dev"];

export function createGenerator(seed = 1) {
  const random = seeded(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const id = () => `A${Array.from({ length: 7 }, () => alphabet[Math.floor(random() * 62)]).join("")}`;
  const text = (length) => {
    let value = "";
    while (value.length < length) value += `${pick(words)} `;
    return value.slice(0, length).trimEnd();
  };
  return { random, pick, id, text };
}

/** Returns what the benchmark requests: existing ids, slugs and hashes. */
export async function generate(
  db,
  { projects = 5000, versionsPerProject = 10, now = 1_800_000_000_000, gameVersions, seed = 1 },
) {
  const { random, pick, id, text } = createGenerator(seed);
  const known = { projects: [], versions: [], files: [] };
  await db.transaction().execute(async (tx) => {
    const rows = {
      users: [],
      teams: [],
      team_members: [],
      projects: [],
      project_categories: [],
      blobs: [],
      versions: [],
      version_files: [],
      version_compat: [],
    };
    const flush = async (force) => {
      // Parents first; a version and its primary file refer to each other, which is checked at the commit.
      for (const [table, list] of Object.entries(rows)) {
        if (list.length === 0 || (!force && rows.version_compat.length < batch * 4)) continue;
        for (let start = 0; start < list.length; start += batch)
          await tx
            .insertInto(table)
            .values(list.slice(start, start + batch))
            .execute();
        list.length = 0;
      }
    };
    const users = Array.from({ length: Math.max(10, Math.floor(projects / 5)) }, (_, n) => ({
      id: id(),
      user_name: `author-${n}`,
    }));
    for (const user of users)
      rows.users.push({
        ...user,
        name: null,
        email: `${user.user_name}@example.com`,
        email_verified: 1,
        password_hash: null,
        role: "user",
        bio: null,
        avatar_id: null,
        background_id: null,
        date_joined: now,
        date_suspended: null,
        suspension_reason: null,
      });
    for (let n = 0; n < projects; n++) {
      const [projectId, teamId, owner] = [id(), id(), pick(users)];
      const slug = `${pick(words)}-${pick(words)}-${n}`;
      const games = Array.from({ length: 3 }, () => pick(gameVersions));
      rows.teams.push({ id: teamId, kind: "project", date_created: now });
      rows.team_members.push({
        id: id(),
        team_id: teamId,
        user_id: owner.id,
        role: "Owner",
        is_owner: 1,
        accepted: 1,
        permissions: "[]",
        org_permissions: "[]",
        date_invited: now,
        date_accepted: now,
        invited_by: null,
      });
      rows.projects.push({
        id: projectId,
        team_id: teamId,
        org_id: null,
        name: text(20),
        slug,
        summary: text(120),
        description: text(1500),
        types: '["mod"]',
        status: "approved",
        requested_status: null,
        visibility: "listed",
        license_id: "MIT",
        license_name: "MIT License",
        license_url: "https://spdx.org/licenses/MIT.html",
        issue_tracker_url: null,
        source_url: "https://example.com/source",
        wiki_url: null,
        discord_url: null,
        client_side: "required",
        server_side: "optional",
        game_versions: JSON.stringify([...new Set(games)]),
        loaders: '["quilt"]',
        icon_id: null,
        color: "#336699",
        downloads: Math.floor(random() ** 4 * 1e6),
        followers: Math.floor(random() * 1000),
        date_published: now - n * 1000,
        date_updated: now - n * 500,
        date_queued: null,
        date_approved: now,
      });
      for (const category of new Set([pick(["adventure", "magic", "utility"]), pick(["library", "storage"])]))
        rows.project_categories.push({ project_id: projectId, category, featured: 0 });
      known.projects.push({ id: projectId, slug });
      for (let v = 0; v < versionsPerProject; v++) {
        const [versionId, primaryId] = [id(), id()];
        const [channel, game, date] = [pick(channels), pick(games), now - n * 1000 - v * 86_400_000];
        const number = `${1 + Math.floor(v / 5)}.${v % 5}.0`;
        rows.versions.push({
          id: versionId,
          project_id: projectId,
          author_id: owner.id,
          title: `${text(12)} ${number}`,
          version_number: number,
          slug: number,
          changelog: text(300),
          channel,
          featured: 0,
          game_versions: JSON.stringify([game]),
          loaders: '["quilt"]',
          primary_file_id: primaryId,
          downloads: 0,
          date_published: date,
          date_yanked: null,
          yank_reason: null,
        });
        // One version in ten has a second file: 55,000 files for 50,000 versions.
        for (let f = 0; f < (v === 0 ? 2 : 1); f++) {
          const content = `${versionId} ${f}`;
          const [sha1, sha512] = [
            createHash("sha1").update(content).digest(),
            createHash("sha512").update(content).digest(),
          ];
          rows.blobs.push({ sha512, sha1, size: 5_000_000, date_created: date, date_orphaned: null });
          rows.version_files.push({
            id: f === 0 ? primaryId : id(),
            version_id: versionId,
            project_id: projectId,
            name: `${slug}-${number}${f === 0 ? "" : "-sources"}.jar`,
            type: "jar",
            size: 5_000_000,
            sha1,
            sha512,
            date_created: date,
          });
          known.files.push(sha512.toString("hex"));
        }
        rows.version_compat.push({
          version_id: versionId,
          project_id: projectId,
          game_version: game,
          loader: "quilt",
          channel,
          date_published: date,
        });
        known.versions.push({ id: versionId, projectId });
      }
      await flush(false);
    }
    await flush(true);
  });
  return known;
}
