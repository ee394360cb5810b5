// The rows of the generated registry, as the product itself would have written them. Rows that follow from others
// (compatibility, blobs, counters) are derived in SQL (derived-rows.mjs).
import { below, geometric, logNormal, pick, zipf } from "../../random.mjs";
import { registry } from "../parameters.mjs";
import { toId } from "./world.mjs";

const day = 86_400_000;
const sides = ["required", "optional", "unsupported", "unknown"];

/** Columns that are not named have their default, or NULL. */
export const columns = {
  users: "id user_name email email_verified role date_joined",
  teams: "id kind date_created",
  organizations: "id team_id name slug description date_created",
  team_members: "id team_id user_id role is_owner accepted permissions org_permissions date_invited date_accepted",
  images: "id owner_kind owner_id file_name sha512 width height date_created",
  projects: `id team_id org_id name slug summary description types status visibility license_id license_name license_url
    issue_tracker_url source_url client_side server_side game_versions loaders icon_id color downloads followers
    date_published date_updated date_approved`,
  project_categories: "project_id category featured",
  gallery_items: "id project_id image_id thumbnail_id name description featured order_index date_created",
  follows: "user_id project_id preferences date_created",
  versions: `id project_id author_id title version_number slug changelog channel featured game_versions loaders
    primary_file_id downloads date_published`,
  version_files: "id version_id project_id name type size sha1 sha512 date_created",
  blobs: "sha512 sha1 size date_created",
  dependencies: "id version_id on_project_id on_version_id type",
};

/** The tables of versions and of files; others can be written at the same time. */
export const versionTables = ["versions"];
export const fileTables = ["version_files", "dependencies", "blobs"];
/** Things after which the caller may send what it has collected. */
const step = 200;

/**
 * Calls `put(table, values)` for every row of accounts and projects, and `settle()` now and then. `pictures` has the
 * digests of the stored pictures.
 */
export async function writeProjectRows(world, { pictures, publisher }, put, settle = async () => {}) {
  const numbers = { members: 0, images: 0, items: 0 };
  const followers = writeAccounts(world, put);
  for (let n = 0; n < world.organizations; n++) writeOrganization(world, n, numbers, put);
  for (let n = 0; n < world.projects; n++) {
    writeProject(world, n, { followers, pictures, publisher, numbers }, put);
    if (n % step === 0) await settle();
  }
  writeFollows(world, put);
}

/** The same for versions. */
export async function writeVersionRows(world, put, settle = async () => {}) {
  let written = 0;
  for (const [n, k] of versionsByDate(world)) {
    writeVersion(world, n, k, put);
    if (written++ % step === 0) await settle();
  }
}

/** The same for their files and dependencies. */
export async function writeFileRows(world, put, settle = async () => {}) {
  const numbers = { dependencies: 0 };
  let written = 0;
  for (const [n, k] of versionsByDate(world)) {
    writeFiles(world, n, k, numbers, put);
    if (written++ % step === 0) await settle();
  }
}

function writeAccounts(world, put) {
  for (let n = 0; n < world.users; n++) {
    const name = `author-${n.toString(36)}`;
    put("users", [toId("user", n), name, `${name}@example.com`, 1, "user", world.now - 400 * day]);
  }
  const followers = new Uint32Array(world.projects);
  eachFollow(world, (_user, n) => followers[n]++);
  return followers;
}

const eachFollow = (world, use) => {
  const rank = zipf(world.projects, 0.9);
  for (let user = 0; user < world.users; user++) {
    const random = world.randomOf("follows", user);
    const count = geometric(random, registry.follows.more, registry.follows.most);
    const followed = new Set(Array.from({ length: count }, () => world.byPopularity[rank(random)]));
    for (const n of followed) use(user, n);
  }
};

function writeFollows(world, put) {
  eachFollow(world, (user, n) => put("follows", [toId("user", user), toId("project", n), "{}", world.now - 10 * day]));
}

function writeProject(world, n, { followers, pictures, publisher, numbers }, put) {
  const project = world.project(n);
  const { id, slug, published, random, type } = project;
  const teamId = toId("team", n);
  put("teams", [teamId, "project", published]);
  const isOwn = project.organization === undefined;
  writeTeam(world, n, isOwn ? project.owner : undefined, { publisher, numbers }, put);
  const loaders = new Set();
  const games = new Set();
  let latest = published;
  for (let k = 0; k < world.counts[n]; k++) {
    const version = world.version(n, k);
    latest = version.date;
    for (const loader of version.loaders) loaders.add(loader);
    for (const game of version.gameVersions) games.add(game);
  }
  const icon = random() < registry.icon ? pick(random, pictures.icons) : undefined;
  const iconId = icon ? toId("image", numbers.images++) : null;
  if (icon) put("images", [iconId, "project", id, `${iconId}_128.webp`, icon.sha512, 128, 128, published]);
  put("projects", [
    ...[id, teamId, isOwn ? null : toId("organization", project.organization), project.name, slug],
    world.texts.cut(random, 60 + below(random, 180)).replaceAll("\n", " "),
    ...[world.texts.cut(random, logNormal(random, registry.description)), JSON.stringify([type]), "approved", "listed"],
    ...["MIT", "MIT License", "https://spdx.org/licenses/MIT.html"],
    random() < 0.5 ? `https://example.com/${slug}/issues` : null,
    random() < 0.5 ? `https://example.com/${slug}` : null,
    ...[pick(random, sides), pick(random, sides)],
    ...[JSON.stringify([...games].sort()), JSON.stringify([...loaders].sort())],
    ...[iconId, "#336699", project.downloads, followers[n], published, latest, published],
  ]);
  for (const category of project.categories) put("project_categories", [id, category, 0]);
  if (random() >= registry.gallery.none)
    writeGallery(
      id,
      1 + geometric(random, registry.gallery.more, registry.gallery.most - 1),
      { ...pictures, random, published, numbers },
      put,
    );
}

/** Organizations have their teams after those of the projects. */
function writeOrganization(world, n, numbers, put) {
  const random = world.randomOf("organizations", n);
  const teamId = toId("team", world.projects + n);
  const date = world.now - 390 * day;
  put("teams", [teamId, "organization", date]);
  const name = `${world.texts.name(random)} Group`.slice(0, 32);
  const slug = `group-${n.toString(36)}`;
  put("organizations", [toId("organization", n), teamId, name, slug, world.texts.name(random), date]);
  const owner = below(random, world.users);
  putMember(world, numbers, teamId, [toId("user", owner), "Owner", 1, "[]"], put);
  for (const user of otherMembers(world, random, owner))
    putMember(world, numbers, teamId, [toId("user", user), "Member", 0, '["upload_version"]'], put);
}

const putMember = ({ now }, numbers, teamId, member, put) => {
  const date = now - 300 * day;
  const [user, role, isOwner, permissions] = member;
  const id = toId("member", numbers.members++);
  put("team_members", [id, teamId, user, role, isOwner, 1, permissions, "[]", date, date]);
};

function otherMembers(world, random, owner) {
  const others = new Set();
  for (let left = geometric(random, registry.moreMembers.more, registry.moreMembers.most); left > 0; left--)
    others.add(below(random, world.users));
  others.delete(owner);
  return others;
}

/** Without an owner: an organization owns the project, and its own team may have further members. */
function writeTeam(world, n, owner, { publisher, numbers }, put) {
  const teamId = toId("team", n);
  if (owner !== undefined) putMember(world, numbers, teamId, [toId("user", owner), "Owner", 1, "[]"], put);
  const others = owner === undefined ? new Set() : otherMembers(world, world.randomOf("members", n), owner);
  if (publisher.projects.has(n) && owner !== publisher.user) others.add(publisher.user);
  for (const user of others)
    putMember(world, numbers, teamId, [toId("user", user), "Developer", 0, '["upload_version"]'], put);
}

function writeGallery(id, count, { scenes, random, published, numbers }, put) {
  for (let n = 0; n < count; n++) {
    const scene = pick(random, scenes);
    const [image, thumbnail] = [toId("image", numbers.images++), toId("image", numbers.images++)];
    put("images", [image, "project", id, `${image}.webp`, scene.sha512, 640, 360, published]);
    put("images", [thumbnail, "project", id, `${image}_420.webp`, scene.sha512, 420, 236, published]);
    const title = `Picture ${n + 1}`;
    put("gallery_items", [
      toId("item", numbers.items++),
      id,
      image,
      thumbnail,
      title,
      "",
      n === 0 ? 1 : 0,
      n,
      published,
    ]);
  }
}

/** In the order of their dates, as a real site has them: the versions of one project are not stored side by side. */
function* versionsByDate(world) {
  const minutes = 2 ** 21;
  const keys = new Float64Array(world.versions);
  const owners = new Uint32Array(world.versions);
  for (let n = 0; n < world.projects; n++)
    for (let k = 0; k < world.counts[n]; k++) {
      const at = world.firsts[n] + k;
      owners[at] = n;
      keys[at] = Math.floor(world.dateOf(n, k) / 60_000) * minutes + at;
    }
  keys.sort();
  for (const key of keys) {
    const at = key % minutes;
    yield [owners[at], at - world.firsts[owners[at]]];
  }
}

function writeVersion(world, n, k, put) {
  const project = world.project(n);
  const version = world.version(n, k);
  const { id, date, number, random } = version;
  const count = world.counts[n];
  // The sum over the versions is the number of the project.
  const downloads = Math.floor(project.downloads / count) + (k === count - 1 ? project.downloads % count : 0);
  put("versions", [
    ...[id, project.id, toId("user", project.owner), `${project.name} ${number}`, number, number],
    ...[world.texts.cut(random, logNormal(random, registry.changelog)), version.channel, 0],
    ...[JSON.stringify([...version.gameVersions].sort()), JSON.stringify(version.loaders)],
    ...[toId("file", world.firsts[n] + k), downloads, date],
  ]);
}

function writeFiles(world, n, k, numbers, put) {
  const project = world.project(n);
  const version = world.version(n, k);
  const { id, date } = version;
  const at = world.firsts[n] + k;
  const random = world.randomOf("files", n, k);
  const name = world.fileName(project, version);
  const { sha1, sha512, size = world.fileSize(random) } = world.hashesOf(n, k);
  put("version_files", [toId("file", at), id, project.id, name, project.file, size, sha1, sha512, date]);
  if (version.hasSecondFile) {
    const hashes = world.hashesOf(n, k, true);
    const second = [toId("second", at), id, project.id, name.replace(/\.\w+$/, "-sources.jar"), "jar"];
    put("version_files", [...second, world.fileSize(random), hashes.sha1, hashes.sha512, date]);
  }
  for (const other of project.depends) {
    const pinned = random() < registry.pinned ? toId("version", world.firsts[other] + world.counts[other] - 1) : null;
    const type = random() < 0.8 ? "required" : "optional";
    put("dependencies", [toId("dependency", numbers.dependencies++), id, toId("project", other), pinned, type]);
  }
}
