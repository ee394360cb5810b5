// Builds server/src into dist/server/src: the server's TypeScript and the packages that it uses become a few large
// JavaScript files, because loading thousands of small ones is half of the start time; assets are copied to the same
// paths, and the documents of docs/ beside them. Assets for browsers (web/scripts/*.ts and all style sheets of web) are bundled into web/built, with the fonts.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { readIfThere, root } from "./files.mjs";
import { Failure } from "./process.mjs";

export const sources = join(root, "server", "src");
const outputs = join(root, "dist", "server", "src");
/** Documents that the server shows under /docs. */
const documents = join(root, "docs");
const stamp = join(root, "dist", "stamp");
/** The only package that the build does not contain: it loads native code from its own folder. */
export const nativePackage = "sharp";
const code = /\.tsx?$/;
/** Entry points: the program, its threads and child processes. */
const programs = [
  ...["main", "cli/worker", "platform/archives/worker", "platform/images/worker", "platform/db/sqlite-check-thread"],
  ...["platform/db/sqlite-checkpoint-thread", "platform/markdown/worker"],
  ...["content/hashes/index-thread", "content/versions/preparing-thread"],
];
/** Modules that scripts, benchmarks and tests load from the built server. */
const loadedParts = [
  ...["config/config", "lib/clock", "lib/fail-points", "lib/random", "lib/secret-token"],
  ...["platform/db/migrate", "platform/db/open", "platform/changes/change-log", "platform/changes/server-memory"],
  ...["content/taxonomy/document", "content/taxonomy/read", "content/taxonomy/write"],
  ...[
    "discovery/search/live-index",
    "discovery/search/search-query",
    "discovery/search/read",
    "discovery/search/rebuild",
  ],
  ...["content/downloads/counter", "content/downloads/forget", "content/downloads/policy"],
  ...["operations/assembly/resources", "operations/demo/archive", "operations/demo/pictures", "platform/http/viewer"],
];
/** Assets for browsers, which are bundled instead of copied. */
const browserSources = join(sources, "web");
const isForBrowsers = (path) =>
  /[\\/]web[\\/](scripts|styles)[\\/]/.test(path) || (path.startsWith(browserSources) && path.endsWith(".css"));
/** The order of style sheets, by the beginning of their path: from the general to the particular, then by name. */
const styleOrder = ["styles/tokens", "styles", "frame", "parts", "shared", "docs", "pages"].map((path) => join(path));
/** The Latin subset of the fonts in styles/tokens.css; other scripts use the fonts of the device. */
const fontFiles = ["figtree", "gabarito"].map((name) => [
  `${name}.woff2`,
  join("@fontsource-variable", name, "files", `${name}-latin-wght-normal.woff2`),
]);
const notBuilt = /\.(test\.tsx?|d\.ts)$/;
const assets = /\.(yaml|yml|json|sql|css|svg|html|txt|md|png|webp|ico|woff2)$/;

export function isBuilt() {
  return readIfThere(stamp)?.toString() === fingerprint(listInputs());
}

/** Builds everything and writes the files that differ. Returns whether any did. `isExact` leaves no files of earlier builds. */
export async function build({ isExact = false } = {}) {
  // Computed first: a file that is edited during the build counts as newer than the build.
  const inputs = listInputs();
  const state = fingerprint(inputs);
  const forServer = inputs.filter((path) => !isForBrowsers(path));
  const wanted = new Map(await bundleServer());
  for (const path of forServer.filter((path) => assets.test(path))) wanted.set(toOutput(path), readFileSync(path));
  for (const [name, contents] of await bundleForBrowsers(inputs.filter(isForBrowsers)))
    wanted.set(join(outputs, "web", "built", name), contents);
  // An interrupted write leaves no stamp, so the next command builds again.
  rmSync(stamp, { force: true });
  const isChanged = writeOutputs(wanted, isExact);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, state);
  return isChanged;
}

function listInputs() {
  const own = listFiles(sources).filter((path) => !notBuilt.test(path) && (code.test(path) || assets.test(path)));
  return [...own, ...listFiles(documents).filter((path) => dirname(path) === documents && path.endsWith(".md"))];
}

/** Names, times and sizes of all inputs of the build; a deleted file changes it too. */
function fingerprint(inputs) {
  const settings = ["tsconfig.json", "package-lock.json", "scripts/compile.mjs"].map((path) => join(root, path));
  const hash = createHash("sha256");
  for (const path of [...settings, ...inputs]) {
    const facts = statSync(path, { throwIfNoEntry: false });
    hash.update(`${relative(root, path)}\0${facts?.mtimeMs}\0${facts?.size}\n`);
  }
  return hash.digest("hex");
}

/**
 * An import statement of node:http reads all of its exports, one of which loads the whole of undici: a twentieth of the
 * start. Node.js returns the same module here and reads only what is used.
 */
const httpWithoutUndici = {
  name: "http-without-undici",
  setup(build) {
    build.onResolve({ filter: /^node:http$/ }, ({ path }) => ({ path, namespace: "built-in" }));
    build.onLoad({ filter: /.*/, namespace: "built-in" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

async function bundleServer() {
  const esbuild = await import("esbuild");
  try {
    const result = await esbuild.build({
      // esbuild takes the JSX settings from tsconfig.json, like the type checker.
      absWorkingDir: root,
      entryPoints: [...programs, ...loadedParts].map((name) => join(sources, `${name}.ts`)),
      outbase: sources,
      outdir: outputs,
      bundle: true,
      // The second one is an optional part of pg and not installed.
      external: [nativePackage, "pg-native"],
      plugins: [httpWithoutUndici],
      // Packages in the older format call require(), which ES modules do not have.
      banner: { js: 'const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);' },
      // Shared modules exist once, with one state.
      splitting: true,
      format: "esm",
      platform: "node",
      target: "node24",
      sourcemap: true,
      sourcesContent: false,
      // V8 keeps the code in memory in each thread, with two bytes for each character if one of them is not ASCII, as in comments
      // of packages. Names stay as they are, and the source map says where a place in a stack trace is in the source.
      minifyWhitespace: true,
      lineLimit: 200,
      legalComments: "external",
      write: false,
      logLevel: "warning",
    });
    return result.outputFiles.map((file) => [file.path, file.contents]);
  } catch (error) {
    if (error.errors) throw new Failure("The build failed, see above.");
    throw error;
  } finally {
    await esbuild.stop();
  }
}

/** Style sheets are beside their parts; `@layer` decides between them, and this order only within a layer. */
function joinStyles(paths) {
  const rankOf = (path) => styleOrder.findIndex((beginning) => relative(browserSources, path).startsWith(beginning));
  const misplaced = paths.find((path) => rankOf(path) < 0);
  if (misplaced) throw new Failure(`${misplaced} is in no folder of style sheets (scripts/compile.mjs).`);
  const sorted = paths.toSorted((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
  return sorted.map((path) => readFileSync(path, "utf8")).join("\n");
}

/** One script for each file in web/scripts (folders contain shared code), and one style sheet. */
async function bundleForBrowsers(inputs) {
  const esbuild = await import("esbuild");
  const inFolder = (folder) => inputs.filter((path) => dirname(path) === join(browserSources, folder));
  try {
    const scripts = await esbuild.build({
      absWorkingDir: root,
      entryPoints: inFolder("scripts"),
      outdir: join(outputs, "web", "built"),
      bundle: true,
      minify: true,
      format: "esm",
      target: "es2022",
      write: false,
      logLevel: "warning",
    });
    const css = joinStyles(inputs.filter((path) => path.endsWith(".css")));
    const { code: minified } = await esbuild.transform(css, { loader: "css", minify: true, target: "es2022" });
    const fonts = fontFiles.map(([name, path]) => [name, readFileSync(join(root, "node_modules", path))]);
    const pictures = inFolder("styles").filter((path) => path.endsWith(".svg"));
    return [
      ...scripts.outputFiles.map((file) => [basename(file.path), Buffer.from(file.contents)]),
      ["site.css", Buffer.from(minified)],
      ...fonts,
      ...pictures.map((path) => [basename(path), readFileSync(path)]),
    ];
  } catch (error) {
    if (error.errors) throw new Failure("The build failed, see above.");
    throw error;
  } finally {
    await esbuild.stop();
  }
}

/** For this long, a server that was started before may still load files that are no longer needed. */
const keepStaleMs = 10 * 60 * 1000;

// Unchanged files are not touched, because a server may be running from them. Shared chunks are written first.
function writeOutputs(wanted, isExact) {
  const isOld = (path) => Date.now() - statSync(path).mtimeMs > keepStaleMs;
  for (const path of listFiles(outputs)) if (!wanted.has(path) && (isExact || isOld(path))) rmSync(path);
  const changed = [...wanted].filter(([path, contents]) => !readIfThere(path)?.equals(contents));
  const isShared = ([path]) => path.includes("chunk-");
  for (const [path, contents] of [...changed.filter(isShared), ...changed.filter((one) => !isShared(one))]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contents);
  }
  return changed.length > 0;
}

function toOutput(path) {
  return dirname(path) === documents ? join(outputs, "docs", basename(path)) : join(outputs, relative(sources, path));
}

function listFiles(folder) {
  let entries = [];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // A folder that does not exist has no files: dist before the first build, or one deleted during the walk.
    if (error.code !== "ENOENT") throw error;
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? listFiles(path) : entry.isFile() ? [path] : [];
  });
}
