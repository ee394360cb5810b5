// The generated registry as functions of its size and seed: project n, its version k (0 is the oldest), its files.
// Nothing is stored, so that the traffic can name any hash of a million files without reading the database.
import { below, choose, geometric, logNormal, mixed, normal, pick, seeded, shuffled, zipf } from "../../random.mjs";
import { registry } from "../parameters.mjs";
import { categories, makeGameVersions, projectTypes, typeShares } from "./taxonomy.mjs";
import { makeTexts } from "./texts.mjs";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const [twoDigits, fourDigits, sevenDigits] = [62 ** 2, 62 ** 4, 62 ** 7];
const pairs = Array.from({ length: twoDigits }, (_, n) => alphabet[n % 62] + alphabet[Math.floor(n / 62)]);
const day = 86_400_000;

/** Each kind of things has its own numbers; the first letter keeps the ids of two kinds apart. */
const idLetters = { project: "ABCD", version: "EFGHIJ", file: "KLMN", second: "OPQ", user: "RST", team: "UV" };
Object.assign(idLetters, { member: "W", dependency: "X", image: "Y", item: "Z", organization: "o" });

/** Different for each number below 4 million, and in no order. */
export function toId(kind, n) {
  const letters = idLetters[kind];
  // Divisions instead of `%`, which is slow for numbers above 32 bits.
  const product = n * 2147483647 + 1442695;
  const spread = product - Math.floor(product / sevenDigits) * sevenDigits;
  const high = Math.floor(spread / fourDigits);
  const low = spread - high * fourDigits;
  const first = letters[mixed(n, letters.length) % letters.length];
  return (
    first +
    pairs[low % twoDigits] +
    pairs[(low / twoDigits) | 0] +
    pairs[high % twoDigits] +
    alphabet[(high / twoDigits) | 0]
  );
}

const channels = [
  [0.78, "release"],
  [0.15, "beta"],
  [0.05, "alpha"],
  [0.02, "dev"],
];

/** Seeds of unrelated random numbers about the same thing. */
const about = {
  project: 1,
  version: 2,
  hashes: 3,
  secondFile: 4,
  popularity: 5,
  members: 6,
  follows: 7,
  plan: 8,
  files: 9,
  organizations: 10,
};

export function createWorld({ projects, seed, now }) {
  const randomOf = (topic, ...numbers) => seeded(mixed(seed, about[topic], ...numbers));
  const versionRandom = (n, k) => seeded(mixed(seed, about.version, n, k));
  const counts = countVersions(projects, randomOf("plan"));
  const firsts = new Uint32Array(projects + 1);
  for (let n = 0; n < projects; n++) firsts[n + 1] = firsts[n] + counts[n];
  const byPopularity = orderByPopularity(counts, randomOf("popularity"));
  const ranks = new Uint32Array(projects);
  byPopularity.forEach((n, rank) => {
    ranks[n] = rank;
  });
  const users = Math.max(10, Math.ceil(projects * registry.users));
  const organizations = Math.max(1, Math.ceil(projects * registry.organizations.perProject));
  const gameVersions = makeGameVersions(registry.gameVersions);
  const texts = makeTexts(seed);
  const { dependencies } = registry;
  const libraryRank = zipf(projects, dependencies.exponent);
  const [birth, span] = [now - registry.years * 365 * day, registry.years * 365 * day];

  /** The attributes that all versions of a project have in common. */
  const known = new Array(projects);
  function project(n) {
    if (known[n]) return known[n];
    const random = randomOf("project", n);
    const type = choose(random, typeShares);
    const { loaders: all, file } = projectTypes[type];
    const loaders = all.filter((_, at) => at === 0 || random() < 0.35);
    const published = Math.floor(birth + span * random() ** 0.7);
    // Most projects are left alone some time after their first version.
    const updated = Math.floor(published + (now - published) * (1 - random() ** (counts[n] > 1 ? 2 : 9)));
    const name = `${texts.name(random)} ${texts.name(random)}`.slice(0, 32).trim();
    const depends = new Set();
    if (random() >= dependencies.none)
      for (let left = 1 + geometric(random, dependencies.more, dependencies.most - 1); left > 0; left--) {
        const other = byPopularity[libraryRank(random)];
        if (other !== n) depends.add(other);
      }
    known[n] = {
      ...{
        n,
        id: toId("project", n),
        slug: `${name.toLowerCase().replaceAll(" ", "-")}-${n.toString(36)}`,
        name,
        type,
        loaders,
      },
      ...{ file, published, updated, owner: below(random, users), depends: [...depends] },
      categories: [...new Set([pick(random, categories), pick(random, categories), pick(random, categories)])].sort(),
      organization: random() < registry.organizations.share ? below(random, organizations) : undefined,
      perLoader: loaders.length > 1 && random() < registry.versionPerLoader,
      downloads: Math.floor(registry.downloads.first / (ranks[n] + 1) ** registry.downloads.exponent),
      random,
    };
    return known[n];
  }

  const dateOf = ({ n, published, updated }, k, random) =>
    k === 0 ? published : Math.floor(published + ((updated - published) * (k + random() * 0.9)) / counts[n]);

  /** The attributes of a version: its number, date, channel and compatibility. */
  function version(n, k) {
    const of = project(n);
    const { loaders, perLoader } = of;
    const random = versionRandom(n, k);
    const date = dateOf(of, k, random);
    const newest = Math.min(registry.gameVersions - 1, Math.floor(((now - date) / span) * registry.gameVersions));
    const wanted = 1 + geometric(random, registry.moreGameVersions.more, registry.moreGameVersions.most - 1);
    const number = `${1 + Math.floor(k / 100)}.${Math.floor(k / 10) % 10}.${k % 10}`;
    const own = perLoader ? [loaders[k % loaders.length]] : loaders;
    // One literal, because a million of them are made.
    return {
      id: toId("version", firsts[n] + k),
      date,
      loaders: own,
      number: perLoader ? `${number}+${own[0]}` : number,
      channel: choose(random, channels),
      gameVersions: gameVersions.slice(newest, newest + wanted),
      hasSecondFile: random() < registry.secondFile,
      random,
    };
  }

  /** Files with stored bytes have their real hashes, by the number of their version (stored-files.mjs). */
  const stored = new Map();
  function hashesOf(n, k, isSecond = false) {
    const real = isSecond ? undefined : stored.get(firsts[n] + k);
    if (real) return real;
    let state = mixed(seed, about[isSecond ? "secondFile" : "hashes"], n, k);
    const bytes = Buffer.allocUnsafe(84);
    for (let at = 0; at < 84; at += 4) {
      state = mixed(state, at);
      bytes.writeUInt32LE(state, at);
    }
    // A state of 32 bits repeats among a million files, so both hashes end with the number of the file.
    const number = 2 * (firsts[n] + k) + Number(isSecond);
    bytes.writeUInt32LE(number, 16);
    bytes.writeUInt32LE(number, 80);
    return { sha1: bytes.subarray(0, 20), sha512: bytes.subarray(20) };
  }

  return {
    ...{ projects, seed, now, users, organizations, counts, firsts, byPopularity, ranks, gameVersions, texts, stored },
    ...{ versions: firsts[projects], randomOf, project, version, hashesOf },
    dateOf: (n, k) => dateOf(project(n), k, versionRandom(n, k)),
    fileName: ({ slug, file }, { number }) => `${slug}-${number}.${file}`,
    fileSize: (random) => logNormal(random, registry.fileSize),
  };
}

/** The number of versions of each project: a power law whose mean is as wanted. */
function countVersions(projects, random) {
  const { mean, exponent, most } = registry.versions;
  const countAt = (rank, scale) => {
    const share = (rank + 0.5) / projects;
    return Math.max(1, Math.min(most, Math.floor(scale * share ** (-1 / exponent))));
  };
  let [low, high] = [0.1, 50];
  for (let step = 0; step < 40; step++) {
    const scale = (low + high) / 2;
    let sum = 0;
    for (let rank = 0; rank < projects; rank++) sum += countAt(rank, scale);
    if (sum < mean * projects) low = scale;
    else high = scale;
  }
  const counts = new Uint16Array(projects);
  shuffled(random, projects).forEach((rank, n) => {
    counts[n] = countAt(rank, high);
  });
  return counts;
}

/** Projects with many versions are usually popular, but not always. */
function orderByPopularity(counts, random) {
  const weight = registry.popularityByVersions;
  const scores = Float64Array.from(counts, (count) => weight * Math.log(count) + (1 - weight) * normal(random));
  return Uint32Array.from(counts, (_, n) => n).sort((a, b) => scores[b] - scores[a] || a - b);
}

/** The project and version of a version's number. */
export function locate({ firsts }, at) {
  let [low, high] = [0, firsts.length - 2];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (firsts[middle] <= at) low = middle;
    else high = middle - 1;
  }
  return { n: low, k: at - firsts[low] };
}
