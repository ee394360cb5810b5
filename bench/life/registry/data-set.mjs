// Generates a registry into a folder, or finds the one that was generated there with the same parameters. A run gets a
// copy, because it changes the data.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  constants,
  copyFileSync,
  cpSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readConfig } from "../../../dist/server/src/config/config.js";
import { migrate } from "../../../dist/server/src/platform/db/migrate.js";
import { openDatabase } from "../../../dist/server/src/platform/db/open.js";
import { seeded, zipf } from "../../random.mjs";
import { registry, traffic } from "../parameters.mjs";
import { fillSqlite } from "./fill-sqlite.mjs";
import { knowStored, storeFiles, storePictures } from "./stored-files.mjs";
import { makeTaxonomy } from "./taxonomy.mjs";
import { createWorld, toId } from "./world.mjs";

const program = fileURLToPath(new URL("../../../dist/server/src/main.js", import.meta.url));
/** Increased when the generator writes other rows for the same parameters. */
const format = 5;
const seconds = (from) => (performance.now() - from) / 1000;

/** The settings of every server on this data. */
export const settingsOf = (folder, url) => ({
  MODSHELF_DATA_DIR: folder,
  MODSHELF_TAXONOMY_FILE: join(folder, "taxonomy.json"),
  // Prepared answers contain the address, so that it must be the same in every run.
  MODSHELF_URL: "http://localhost",
  MODSHELF_RATE_LIMITS: "off",
  MODSHELF_TRUSTED_PROXIES: "loopback",
  ...(url && { MODSHELF_DATABASE_URL: url }),
});

/** `engine.url(name)` is the address of a PostgreSQL database; undefined on SQLite. */
export async function findOrMakeData({ folder, projects, seed, engine, log }) {
  const key = createHash("sha256")
    .update(JSON.stringify({ format, projects, seed, registry }))
    .digest("hex")
    .slice(0, 8);
  const home = join(folder, `${engine.name}-${projects}-${key}`);
  const notes = join(home, "made.json");
  if (existsSync(notes)) return { home, ...JSON.parse(readFileSync(notes, "utf8")) };
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  const now = Math.floor(Date.now() / 1000) * 1000;
  const world = createWorld({ projects, seed, now });
  log(`Generating ${projects} projects, ${world.versions} versions into ${home}`);
  writeFileSync(join(home, "taxonomy.json"), JSON.stringify(makeTaxonomy(registry)));
  const pictures = await storePictures(home);
  const stored = storeFiles(home, world);
  knowStored(world, stored);
  const publisher = choosePublisher(world);
  const url = await engine.create(`life_${key}_${projects}`);
  const settings = settingsOf(home, url);
  const config = readConfig(settings, home);
  const database = openDatabase(config.database, console.error);
  await migrate(database.db, now);
  await database.close();
  const begun = performance.now();
  const fill = engine.name === "sqlite" ? fillSqlite : (await import("./fill-postgres.mjs")).fillPostgres;
  const target = engine.name === "sqlite" ? config.database.path : url;
  await fill(target, world, { pictures, publisher }, [...pictures.icons, ...pictures.scenes]);
  const rows = seconds(begun);
  log(`Rows in ${rows.toFixed(1)} s: ${Math.round(world.versions / rows)} versions a second`);
  const indexed = performance.now();
  execFileSync(process.execPath, [program, "search", "rebuild"], {
    env: { ...process.env, ...settings },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const search = seconds(indexed);
  log(`Search index in ${search.toFixed(1)} s`);
  await engine.finish();
  const facts = {
    ...{ format, projects, versions: world.versions, seed, now, stored, rowSeconds: rows, searchSeconds: search },
    publisher: { user: toId("user", publisher.user), projects: [...publisher.projects] },
    database: url && `life_${key}_${projects}`,
  };
  writeFileSync(`${notes}.new`, JSON.stringify(facts));
  renameSync(`${notes}.new`, notes);
  return { home, ...facts };
}

/** One user who is a member of many projects, popular and unpopular ones. */
function choosePublisher(world) {
  const random = seeded(world.seed + 99);
  const rank = zipf(world.projects, traffic.projectExponent);
  const projects = new Set();
  for (let tries = 0; tries < 3 * registry.publishable && projects.size < registry.publishable; tries++)
    projects.add(world.byPopularity[rank(random)]);
  return { user: 0, projects };
}

/**
 * A copy of the data that a run may change, always in the same folder: prepared answers belong to the database at one
 * address. Stored bytes are linked, because they never change.
 */
export async function copyData({ home, database }, engine, target = runFolder(home)) {
  claim(target);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  execFileSync("cp", ["-al", join(home, "files"), join(target, "files")]);
  for (const name of ["taxonomy.json", "secret.key"])
    if (existsSync(join(home, name))) cpSync(join(home, name), join(target, name));
  if (existsSync(join(home, "cache"))) cpSync(join(home, "cache"), join(target, "cache"), { recursive: true });
  if (engine.name === "postgres") return settingsOf(target, await engine.copy(database));
  copyFileSync(join(home, "modshelf.db"), join(target, "modshelf.db"), constants.COPYFILE_FICLONE);
  return settingsOf(target);
}

/** Two runs of the same size would change the data of each other. */
function claim(target) {
  const path = `${target}.pid`;
  const owner = existsSync(path) ? Number(readFileSync(path, "utf8")) : process.pid;
  if (owner !== process.pid && existsSync(`/proc/${owner}`))
    throw new Error(`The benchmark with the process id ${owner} uses ${target}: wait for it, or give another --data`);
  writeFileSync(path, String(process.pid));
  process.once("exit", () => rmSync(path, { force: true }));
}

export const runFolder = (home) => `${home}-run`;

/**
 * Whether the data has the answers and pages that a server prepares in the background after its first start. Another build
 * uses the answers if it stores them in the same way, but always makes the pages again.
 */
export const arePrepared = ({ home }) =>
  existsSync(preparedBy(home)) && readFileSync(preparedBy(home), "utf8") === nameOfBuild();

const preparedBy = (home) => join(home, "prepared-by");
/** As in server/src/lib/own-files.ts. */
const nameOfBuild = () => readdirSync(dirname(program)).sort().join();

/**
 * Keeps the prepared answers of a server that has just ended, so that the next one finds them as after a restart, and its
 * database: the first start stores the taxonomy, on which all answers depend.
 */
export async function keepPrepared({ home, database }, engine) {
  await engine.keep(database);
  for (const name of ["modshelf.db", "secret.key"])
    if (existsSync(join(runFolder(home), name))) renameSync(join(runFolder(home), name), join(home, name));
  rmSync(join(home, "cache"), { recursive: true, force: true });
  cpSync(join(runFolder(home), "cache"), join(home, "cache"), { recursive: true });
  writeFileSync(preparedBy(home), nameOfBuild());
}

/** Reads everything that the server has prepared, so that the system has it in its memory. */
export async function readPrepared(folder) {
  for (const entry of readdirSync(join(folder, "cache"), { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      for await (const _ of createReadStream(join(entry.parentPath, entry.name), { highWaterMark: 1024 * 1024 }));
}
