// Draws requests as launchers and browsers send them, from the distributions in parameters.mjs. The same seed gives the
// same sequence, so that the product and the ceiling answer the same questions.
import { below, choose, geometric, mixed, pick, seeded, zipf } from "../random.mjs";
import { traffic } from "./parameters.mjs";
import { blobPath } from "./registry/stored-files.mjs";
import { projectTypes } from "./registry/taxonomy.mjs";
import { locate } from "./registry/world.mjs";

/**
 * Returns a function that draws the next request: its kind, text, the key of its answer, and for a download the file.
 * `kinds`: [share, kind] pairs. Requests with equal keys get equal answers, as long as nothing is published. With
 * `isNamed`, requests have a header with the key, which only the ceiling needs. With `isEndless`, they have no keys, which
 * would fill the memory.
 */
export function createTraffic(world, { seed, kinds, encoding, folder, isNamed, isEndless }) {
  const random = seeded(mixed(seed, world.seed));
  const rankOf = zipf(world.projects, traffic.projectExponent);
  const aProject = () => world.byPopularity[rankOf(random)];
  const aRef = (n) => (random() < traffic.bySlug ? world.project(n).slug : world.project(n).id);
  const newest = (n) => world.version(n, world.counts[n] - 1);
  const distinct = (count) => {
    const found = new Set();
    for (let tries = 0; found.size < count && tries < 20 * count; tries++) found.add(aProject());
    return [...found];
  };
  const stored = [...world.stored].map(([at, { sha512, size }]) => ({ ...locate(world, at), sha512, size }));
  const [small, large] = [stored.filter(({ size }) => size < 1e6), stored.filter(({ size }) => size >= 1e6)];
  const storedRank = zipf(Math.max(1, small.length), traffic.projectExponent);

  function folderOf() {
    const { least, most, unknown, sha1, older } = traffic.folder;
    const algorithm = random() < sha1 ? "sha1" : "sha512";
    let known = 0;
    const hashes = distinct(Math.min(least + below(random, most - least + 1), world.projects)).map((n) => {
      if (random() < unknown) return world.hashesOf(n, 60_000 + below(random, 5000))[algorithm].toString("hex");
      known++;
      const k = world.counts[n] - 1 - geometric(random, older, Math.min(20, world.counts[n] - 1));
      return world.hashesOf(n, k)[algorithm].toString("hex");
    });
    return { known, body: { algorithm, hashes } };
  }

  function query(kind = pick(random, Object.keys(projectTypes))) {
    const { noWords, twoWords, type, gameVersion, loader, facets, secondPage } = traffic.search;
    const parts = [];
    const form = random();
    const words = world.project(aProject()).name.split(" ");
    if (form >= noWords) parts.push(`q=${form < 1 - twoWords ? words[0] : words.join("+")}`);
    const { loaders } = projectTypes[kind];
    if (random() < type) parts.push(`type=${kind}`);
    if (random() < gameVersion) parts.push(`v=${pick(random, world.gameVersions)}`);
    if (loaders.length > 0 && random() < loader) parts.push(`l=${pick(random, loaders)}`);
    // Only a list without filters certainly has a second page.
    if (parts.length === 0 && random() < secondPage) parts.push("page=2");
    return { parts, facets: random() < facets };
  }

  const page = {
    project: () => `/project/${world.project(aProject()).slug}`,
    versions: () => `/project/${world.project(aProject()).slug}/versions`,
    browse() {
      const kind = pick(random, ["mod", "modpack", "resource-pack"]);
      return `/${kind}s?${query(kind)
        .parts.filter((part) => !/^(type|page)=/.test(part))
        .join("&")}`;
    },
    home: () => "/",
  };

  const draw = {
    project: () => ({ path: `/api/project/${aRef(aProject())}` }),
    versions: () => ({ path: `/api/project/${aRef(aProject())}/version` }),
    latest() {
      const n = aProject();
      const { gameVersions, loaders } = newest(n);
      const filter = [`gameVersion=${pick(random, gameVersions)}`, "releaseChannel=dev"];
      if (loaders.length > 0) filter.push(`loader=${pick(random, loaders)}`);
      return { path: `/api/project/${aRef(n)}/version/latest?${filter.join("&")}` };
    },
    hashes: () => ({ path: "/api/version-files", ...folderOf() }),
    updates: () => ({
      path: "/api/version-files/update",
      body: {
        ...folderOf().body,
        gameVersions: world.gameVersions.slice(0, 1 + below(random, 4)),
        loader: pick(random, ["fabric", "forge", "neoforge"]),
      },
    }),
    projects: () => ({
      path: `/api/projects?ids=${distinct(traffic.projectList)
        .map((n) => world.project(n).id)
        .join(",")}`,
    }),
    search() {
      const { parts, facets } = query();
      return { path: `/api/search?${[...parts, ...(facets ? ["facets=1"] : [])].join("&")}` };
    },
    pages: () => ({ path: page[choose(random, traffic.pages)](), isPage: true }),
    download() {
      const isLarge = large.length > 0 && random() < traffic.living.largeDownloads;
      const { n, k, sha512 } = isLarge ? pick(random, large) : small[storedRank(random)];
      const [project, version] = [world.project(n), world.version(n, k)];
      const name = world.fileName(project, version);
      return {
        path: `/cdn/data/project/${project.id}/version/${version.id}/${name}`,
        file: blobPath(folder, sha512),
        client: `x-forwarded-for: ${newAddress()}\r\n`,
      };
    },
  };

  let addresses = 0;
  const newAddress = () => {
    const n = addresses++;
    return `${20 + (n % 80)}.${(n >> 6) & 255}.${(n >> 14) & 255}.${mixed(n, seed) & 255}`;
  };

  const answers = new Map();
  const numberOf = (key) => {
    const answer = answers.get(key) ?? answers.size;
    answers.set(key, answer);
    return answer;
  };
  return () => {
    const kind = choose(random, kinds);
    const { path, body, isPage, file, known, client = "" } = draw[kind]();
    const accepted = file ? "" : choose(random, traffic.encodings[encoding][isPage ? "pages" : "api"]);
    const json = body && JSON.stringify(body);
    const answer = isEndless ? undefined : numberOf(`${path} ${accepted} ${json ?? ""}`);
    const lines = [`${json ? "POST" : "GET"} ${path} HTTP/1.1`, "host: localhost"];
    if (isNamed) lines.push(`x-answer: ${answer}`);
    lines.push(isPage ? "accept: text/html" : "user-agent: launcher/1.0");
    if (accepted) lines.push(`accept-encoding: ${accepted}`);
    if (json) lines.push("content-type: application/json", `content-length: ${json.length}`);
    return { kind, answer, file, isPage, known, text: `${lines.join("\r\n")}\r\n${client}\r\n${json ?? ""}` };
  };
}

export const quietKinds = Object.entries(traffic.mix).map(([kind, share]) => [share, kind]);
/** The same with this share of downloads. */
export const livingKinds = (downloads) => [
  [downloads, "download"],
  ...quietKinds.map(([share, kind]) => [share * (1 - downloads), kind]),
];
