// `npm run bench:search [-- --projects=N --engine=sqlite|postgres --questions=N --rounds=N --folder=F]`: measures
// searches beside reading one project by its id from the same database, in the same process and run. Writes
// RESULTS-search.md. Only ratios are meaningful. With a folder, the generated registry is kept there and used again,
// because making it takes long.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { readConfig } from "../dist/server/src/config/config.js";
import { getTaxonomy } from "../dist/server/src/content/taxonomy/read.js";
import { installTaxonomy } from "../dist/server/src/content/taxonomy/write.js";
import { liveIndexOf } from "../dist/server/src/discovery/search/live-index.js";
import { searchProjects } from "../dist/server/src/discovery/search/read.js";
import { rebuildIndex } from "../dist/server/src/discovery/search/rebuild.js";
import { toSearchQuery } from "../dist/server/src/discovery/search/search-query.js";
import { systemClock } from "../dist/server/src/lib/clock.js";
import { systemRandom } from "../dist/server/src/lib/random.js";
import { ChangeLog } from "../dist/server/src/platform/changes/change-log.js";
import { ServerMemory } from "../dist/server/src/platform/changes/server-memory.js";
import { migrate } from "../dist/server/src/platform/db/migrate.js";
import { openDatabase } from "../dist/server/src/platform/db/open.js";
import { startPostgres } from "./postgres.mjs";
import { writeCorpus } from "./search-corpus.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const options = Object.fromEntries(process.argv.slice(2).map((word) => word.replace(/^--/, "").split("=")));
const projects = Number(options.projects ?? 100_000);
const questions = Number(options.questions ?? 200);
const rounds = Number(options.rounds ?? 5);
const engines = options.engine ? [options.engine] : ["sqlite", "postgres"];
const aim = 25;

/** Typical queries, as parameters of the route; each call makes another one. */
function kindsOf({ writer, names, unspacedNames, authors }, taxonomy) {
  const { pick, below, words, word } = writer;
  const seldom = () => words[300 + below(words.length - 300)];
  const common = () => words[below(60)];
  const slip = (text) => {
    const at = 1 + below(text.length - 2);
    return text.slice(0, at) + "xqzjw"[below(5)] + text.slice(at + 1);
  };
  const long = (text) => text.length > 4;
  const filters = () => ({
    type: pick(["mod", "modpack"]),
    v: [pick(taxonomy.gameVersions).value, pick(taxonomy.gameVersions).value],
    l: [pick(["quilt", "puzzle_loader"])],
  });
  return {
    "no text (trending)": () => ({ page: 1 + below(5) }),
    "type, by downloads": () => ({ type: pick(taxonomy.projectTypes), sortby: "downloads" }),
    "type, loader, game versions": () => ({ ...filters(), sortby: "recently_updated" }),
    "type, loader, versions, channel": () => ({ ...filters(), ch: pick(["release", "beta-only"]) }),
    "filters, some excluded": () => ({ ...filters(), c: ["!magic", "!library"], e: ["client"], li: "!oss" }),
    "a whole name": () => ({ q: pick(names) }),
    "a common word": () => ({ q: common() }),
    "a rare word": () => ({ q: seldom() }),
    "two common words": () => ({ q: `${common()} ${common()}` }),
    "five words": () => ({ q: Array.from({ length: 5 }, word).join(" ").slice(0, 64) }),
    "three letters": () => ({ q: seldom().slice(0, 3) }),
    "one letter": () => ({ q: seldom().slice(0, 1) }),
    "a typo in one word": () => ({ q: slip(Array.from({ length: 50 }, seldom).find(long)) }),
    "typos in two words": () => ({
      q: pick(names.filter((name) => / \w{5}/.test(name)).slice(0, 500))
        .split(" ")
        .map((each) => (each.length > 4 ? slip(each) : each))
        .join(" "),
    }),
    "an author": () => ({ q: pick(authors) }),
    "Chinese, Japanese": () => ({ q: pick(unspacedNames).slice(0, 2 + below(3)) }),
    "a word and filters": () => ({ q: word(), ...filters() }),
    "a common word, by downloads": () => ({ q: common(), sortby: "downloads" }),
    "a common word, far page": () => ({ q: common(), offset: below(projects / 4) }),
    "no text, far page": () => ({ offset: below(projects), sortby: "recently_published" }),
    "counts of all facets": () => ({ facets: "1" }),
    "a word, filters, facets": () => ({ q: common(), ...filters(), facets: "1" }),
    "no match": () => ({ q: `${seldom()} ${seldom()} ${seldom()}` }),
  };
}

const ms = (from) => performance.now() - from;
const seconds = (from) => (ms(from) / 1000).toFixed(1);
const quantile = (times, share) => times.toSorted((a, b) => a - b)[Math.floor(times.length * share)];
const median = (values) => quantile(values, 0.5);
const spread = (times) => ({ p50: median(times), p95: quantile(times, 0.95) });

/** The median of all rounds. */
function toLine(kind, results) {
  const middle = (pick) => median(results.map(pick));
  return {
    kind,
    hits: middle(({ hits }) => hits),
    ask: { p50: middle(({ ask }) => ask.p50), p95: middle(({ ask }) => ask.p95) },
    point: { p50: middle(({ point }) => point.p50), p95: middle(({ point }) => point.p95) },
    ratio: middle(({ ask, point }) => ask.p95 / point.p95),
  };
}

const toRow = (line) => [
  ...[line.kind, line.hits.toLocaleString("en"), line.ask.p50.toFixed(2), line.ask.p95.toFixed(2)],
  ...[line.point.p50.toFixed(3), line.point.p95.toFixed(3), line.ratio.toFixed(1)],
];

async function time(count, work) {
  const times = [];
  for (let n = 0; n < count; n++) {
    const from = performance.now();
    await work(n);
    times.push(ms(from));
  }
  return times;
}

function openFolder(engine) {
  if (options.folder === undefined) return mkdtempSync(join(tmpdir(), "modshelf-bench-"));
  const folder = join(options.folder, engine);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Written last: how the registry in the folder was made. */
const notesOf = (dataDir) => join(dataDir, "made.json");
const findNotes = (dataDir) => {
  if (!existsSync(notesOf(dataDir))) return undefined;
  const notes = JSON.parse(readFileSync(notesOf(dataDir), "utf8"));
  return notes.projects === projects ? notes : undefined;
};

async function measure(engine) {
  const dataDir = openFolder(engine);
  const notes = findNotes(dataDir);
  const postgres =
    engine === "postgres" ? await startPostgres(dataDir, { isKept: options.folder !== undefined }) : undefined;
  const config = readConfig(
    { MODSHELF_DATA_DIR: dataDir, ...(postgres && { MODSHELF_DATABASE_URL: postgres.url }) },
    dataDir,
  );
  const log = pino({ level: "warn" });
  const database = openDatabase(config.database, (error) => log.warn(error));
  const { db } = database;
  // Everything that searching needs of a server.
  const changeLog = new ChangeLog(database, log);
  const memory = new ServerMemory({ changeLog, clock: systemClock });
  const peers = { number: 1 };
  const resources = { config, database, db, changeLog, memory, log, peers, clock: systemClock, random: systemRandom };
  await migrate(db, Date.now());
  await installTaxonomy(resources, undefined);
  const taxonomy = await getTaxonomy(resources);
  if (!notes) console.log(`${engine}: writing ${projects} projects …`);
  const now = notes?.now ?? Date.now();
  const known = await writeCorpus(notes ? undefined : db, { projects, taxonomy, now });
  if (!notes) await postgres?.tidy();
  await changeLog.start();

  let from = performance.now();
  if (!notes) await rebuildIndex(resources, { fromScratch: true });
  // If another run has built it, its time is unknown.
  const built = notes ? undefined : seconds(from);
  if (!notes) await postgres?.tidy();
  globalThis.gc?.();
  const before = process.memoryUsage();
  from = performance.now();
  await liveIndexOf(resources).current();
  const loaded = seconds(from);
  await liveIndexOf(resources).warming;
  globalThis.gc?.();
  const after = process.memoryUsage();
  const room = Math.round((after.heapUsed + after.external - before.heapUsed - before.external) / 2 ** 20);
  if (built !== undefined) console.log(`${engine}: index built in ${built} s`);
  console.log(`${engine}: index loaded in ${loaded} s, ${room} MB in memory`);

  const readOne = () =>
    db.selectFrom("projects").selectAll().where("id", "=", known.writer.pick(known.ids)).executeTakeFirst();
  const ask = (parameters) => searchProjects(resources, toSearchQuery(parameters, taxonomy));
  const kinds = Object.entries(kindsOf(known, taxonomy));
  const measured = new Map(kinds.map(([kind]) => [kind, []]));
  await time(500, readOne);
  // Each round has all kinds, so that temporary load on the machine affects one round of each kind, not all of one
  // kind.
  for (let round = 0; round <= rounds; round++) {
    for (const [kind, make] of kinds) {
      const [points, asks, hits] = [[], [], []];
      for (let n = 0; n < questions; n++) {
        points.push(...(await time(1, readOne)));
        const parameters = make();
        asks.push(...(await time(1, async () => hits.push((await ask(parameters)).total))));
      }
      // The first round is for warming up.
      if (round > 0) measured.get(kind).push({ hits: median(hits), ask: spread(asks), point: spread(points) });
    }
    console.log(`${engine}: round ${round} of ${rounds}`);
  }
  const lines = [...measured].map(([kind, results]) => toLine(kind, results));
  await changeLog.stop();
  await database.close();
  await postgres?.stop();
  if (options.folder === undefined) rmSync(dataDir, { recursive: true, force: true });
  else if (!notes) writeFileSync(notesOf(dataDir), JSON.stringify({ projects, now }));
  return { engine, built, loaded, room, lines };
}

const results = [];
for (const engine of engines) results.push(await measure(engine));
const text = report();
console.log(`\n${text}`);
if (options.write !== "no") writeFileSync(join(here, "RESULTS-search.md"), text);
process.exit(0);

function report() {
  const head = ["query", "hits", "p50 ms", "p95 ms", "point read p50 ms", "p95 ms", "ratio at p95"];
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: here, encoding: "utf8" }).trim();
  const parts = results.map(({ engine, built, loaded, room, lines }) => {
    const rows = [head, head.map(() => "---"), ...lines.map(toRow)].map((row) => `| ${row.join(" | ")} |`);
    const most = Math.max(...lines.map(({ ratio }) => ratio)).toFixed(1);
    const making = built === undefined ? "" : `Index built in ${built} s. `;
    const facts = `${making}Loaded into memory in ${loaded} s, where it takes ${room} MB. Highest ratio: ${most} (aim: at most ${aim}).`;
    return `## ${engine === "sqlite" ? "SQLite" : "PostgreSQL"}\n\n${facts}\n\n${rows.join("\n")}\n`;
  });
  return `# Cost of a search

Made by \`npm run bench:search\` at ${commit}, on ${cpus().length} × ${cpus()[0].model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux, Node ${process.versions.node}.
${projects.toLocaleString("en")} projects; the median of ${rounds} rounds of ${questions} different queries of each kind, each beside a point read: one project by its id from the same database.
A search includes catching up with changes, finding, counting, ranking, and the 20 list items of the page, most of which are not cached.
The machine is shared: ratios are more reliable than milliseconds.

${parts.join("\n")}`;
}
