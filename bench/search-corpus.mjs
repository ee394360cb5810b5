// Generates a registry for searches, of any size, by writing directly into the tables: words as frequent as in real
// texts (few common, most rare), distinctive names, several loaders and game versions, some Chinese and Japanese. The
// same size and seed give the same rows.
import { createHash } from "node:crypto";
import { inverse, seeded } from "./random.mjs";

const batch = 400;
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const starts = "b br c ch cl d dr f fl g gr h j k l m n p pl r s sh sl st t tr v w".split(" ");
const middles = "a e i o u ai ea oo ou ee".split(" ");
const ends = "n r l st nd ck t m rn sh ll ng d ".split(" ");
const han = "光影材质包优化模组世界生物建筑魔法科技冒险武器装备地图音乐农业动力存储矿物天空深海机械";
const kana = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモ";
const types = ["mod", "mod", "mod", "mod", "resource-pack", "shader", "modpack", "plugin", "world", "datamod"];
const loadersOf = {
  mod: [["quilt"], ["puzzle_loader"], ["puzzle_loader", "quilt"]],
  modpack: [["quilt"], ["puzzle_loader"]],
  world: [["quilt"]],
  plugin: [["paradox"], ["void"], ["paradox", "void"]],
  shader: [["simply_shaders"]],
};
const channels = ["release", "release", "release", "beta", "alpha"];
const environments = ["required", "optional", "unsupported", "unknown"];

export function createWriter(seed, vocabularySize = 30_000) {
  const random = seeded(seed);
  const below = (limit) => Math.floor(random() * limit);
  const pick = (list) => list[below(list.length)];
  const syllable = () => pick(starts) + pick(middles) + pick(ends);
  const vocabulary = new Set();
  while (vocabulary.size < vocabularySize) vocabulary.add(syllable() + (random() < 0.8 ? syllable() : ""));
  const words = [...vocabulary];
  // Zipf: the word of rank 10n is a tenth as frequent as the word of rank n.
  const sums = new Float64Array(words.length);
  let sum = 0;
  for (let n = 0; n < words.length; n++) {
    sum += 1 / (n + 2.7) ** 1.07;
    sums[n] = sum;
  }
  const rank = inverse(sums);
  const word = () => words[rank(random() * sum)];
  const text = (count) => {
    let joined = count > 0 ? word() : "";
    for (let n = 1; n < count; n++) joined += ` ${word()}`;
    return joined;
  };
  const unspaced = (length) => Array.from({ length }, () => pick(random() < 0.8 ? han : kana)).join("");
  const title = (each) => each[0].toUpperCase() + each.slice(1);
  // Names consist of rare words, because authors choose distinctive names.
  const nameWord = () => title(words[200 + below(words.length - 200)]);
  const id = () => `A${Array.from({ length: 7 }, () => alphabet[below(62)]).join("")}`;
  return { random, below, pick, words, word, text, unspaced, nameWord, id };
}

/** Returns what can be searched for. Without a database nothing is written, because the rows exist already. */
export async function writeCorpus(db, { projects, taxonomy, now, seed = 1 }) {
  const writer = createWriter(seed);
  const { random, below, pick, text, unspaced, nameWord, id } = writer;
  const games = taxonomy.gameVersions.map(({ value }) => value);
  const today = Math.floor(now / 86_400_000);
  const known = { writer, ids: [], names: [], unspacedNames: [], authors: [], slugs: [] };
  const taken = new Set();
  let rows = emptyRows();
  const flush = async () => {
    const full = rows;
    rows = emptyRows();
    await db?.transaction().execute(async (tx) => {
      for (const [table, list] of Object.entries(full))
        for (let start = 0; start < list.length; start += batch)
          await tx
            .insertInto(table)
            .values(list.slice(start, start + batch))
            .execute();
    });
  };
  const users = Array.from({ length: Math.max(10, Math.floor(projects / 4)) }, (_, n) => ({
    id: id(),
    user_name: `${nameWord().toLowerCase()}${n}`,
  }));
  for (const user of users) {
    rows.users.push(toUser(user, now));
    if (rows.users.length >= 2000) await flush();
  }
  for (let n = 0; n < projects; n++) {
    const [projectId, teamId, owner, type] = [id(), id(), pick(users), pick(types)];
    const isUnspaced = random() < 0.04;
    const name = isUnspaced ? unspaced(3 + below(6)) : Array.from({ length: 1 + below(3) }, nameWord).join(" ");
    const plain = isUnspaced ? "pack" : name.toLowerCase().replaceAll(" ", "-");
    const slug = taken.has(plain) ? `${plain}-${n}` : plain;
    taken.add(plain);
    const groups = loadersOf[type] ?? [[]];
    const versions = Array.from({ length: 1 + below(3) }, () => ({
      loaders: pick(groups),
      channel: pick(channels),
      gameVersions: games.slice(...((from) => [from, from + 1 + below(6)])(Math.floor(random() ** 2 * games.length))),
    }));
    rows.teams.push({ id: teamId, kind: "project", date_created: now });
    rows.team_members.push(toOwner(id(), teamId, owner.id, now));
    rows.projects.push({
      ...{ id: projectId, team_id: teamId, org_id: null, name: name.slice(0, 32).trim(), slug: slug.slice(0, 64) },
      summary: isUnspaced ? unspaced(20 + below(40)) : text(6 + below(14)),
      description: isUnspaced ? unspaced(100 + below(300)) : text(60 + below(300)),
      ...{ types: JSON.stringify([type]), status: "approved", requested_status: null, visibility: "listed" },
      ...{ license_id: "MIT", license_name: "MIT License", license_url: "https://spdx.org/licenses/MIT.html" },
      ...{ issue_tracker_url: null, wiki_url: null, discord_url: null, icon_id: null, color: "#336699" },
      source_url: random() < 0.5 ? "https://example.com/source" : null,
      ...{ client_side: pick(environments), server_side: pick(environments) },
      game_versions: JSON.stringify([...new Set(versions.flatMap((version) => version.gameVersions))]),
      loaders: JSON.stringify([...new Set(versions.flatMap((version) => version.loaders))]),
      ...{ downloads: Math.floor(random() ** 6 * 5e6), followers: Math.floor(random() ** 4 * 5000) },
      ...{ date_published: now - below(9e10), date_updated: now - below(3e10), date_queued: null, date_approved: now },
    });
    const allowed = [...taxonomy.categoriesAllowed([type])];
    const categories = new Set(Array.from({ length: 3 }, () => pick(allowed.length > 0 ? allowed : ["adventure"])));
    for (const category of categories) rows.project_categories.push({ project_id: projectId, category, featured: 0 });
    versions.forEach((version, v) => {
      const [versionId, fileId] = [id(), id()];
      addVersion(rows, { projectId, versionId, fileId, authorId: owner.id, v, now, ...version });
      if (random() < 0.1)
        for (let day = 0; day < 5; day++)
          rows.download_days.push({
            ...{ version_id: versionId, project_id: projectId, day: today - 3 * day, country: "" },
            count: 1 + Math.floor(random() ** 4 * 1000),
          });
    });
    known.ids.push(projectId);
    known.slugs.push(slug);
    known.authors.push(owner.user_name);
    (isUnspaced ? known.unspacedNames : known.names).push(name);
    if (n % 500 === 499) await flush();
  }
  await flush();
  return known;
}

const emptyRows = () => ({
  ...{ users: [], teams: [], team_members: [], projects: [], project_categories: [], blobs: [] },
  ...{ versions: [], version_files: [], version_compat: [], download_days: [] },
});

const toUser = (user, now) => ({
  ...user,
  ...{ name: null, email: `${user.user_name}@example.com`, email_verified: 1, password_hash: null, role: "user" },
  ...{ bio: null, avatar_id: null, background_id: null, date_joined: now },
  ...{ date_suspended: null, suspension_reason: null },
});

const toOwner = (memberId, teamId, userId, now) => ({
  ...{ id: memberId, team_id: teamId, user_id: userId, role: "Owner", is_owner: 1, accepted: 1 },
  ...{ permissions: "[]", org_permissions: "[]", date_invited: now, date_accepted: now, invited_by: null },
});

function addVersion(rows, { projectId, versionId, fileId, authorId, v, now, loaders, gameVersions, channel }) {
  const sha1 = createHash("sha1").update(versionId).digest();
  const sha512 = createHash("sha512").update(versionId).digest();
  rows.blobs.push({ sha512, sha1, size: 1000, date_created: now, date_orphaned: null });
  rows.versions.push({
    ...{ id: versionId, project_id: projectId, author_id: authorId, title: `Version ${v}`, changelog: "" },
    ...{ version_number: `1.${v}`, slug: `1.${v}`, channel, featured: 0, primary_file_id: fileId },
    ...{ game_versions: JSON.stringify(gameVersions), loaders: JSON.stringify(loaders), downloads: 0 },
    ...{ date_published: now - v, date_yanked: null, yank_reason: null, date_quarantined: null },
  });
  rows.version_files.push({
    ...{ id: fileId, version_id: versionId, project_id: projectId, name: `file-${v}.jar`, type: "jar", size: 1000 },
    ...{ sha1, sha512, date_created: now },
  });
  for (const game_version of gameVersions)
    for (const loader of loaders.length > 0 ? loaders : [""])
      rows.version_compat.push({
        ...{ version_id: versionId, project_id: projectId, game_version, loader },
        ...{ channel, date_published: now - v },
      });
}
