// Finds the program's own files at run time: modules for threads and child processes, assets of pages, bundled content.
// The build bundles the code into a few large files (scripts/compile.mjs), so import.meta.url of a module does not
// help; these files are found by their path in server/src, which the build keeps.
import { readdirSync } from "node:fs";
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";

const isSource = import.meta.url.endsWith("/lib/own-files.ts");
const root = new URL(isSource ? "../" : "./", import.meta.url);

export const ownFile = (path: string): URL => new URL(path, root);

/** Where the build puts what a server that runs uncompiled, as in tests, takes from it. */
const built = (path: string): URL => ownFile(isSource ? `../../dist/server/src/${path}` : path);

/**
 * A module that runs in its own thread or process; `path` has no extension. Always the compiled one: uncompiled, the
 * inspector of archives takes five times the CPU time to start.
 */
export const ownModule = (path: string): URL => built(`${path}.js`);

/**
 * The environment of a thread: only where its compiled code is stored, if that of the main thread is (scripts/modshelf.mjs).
 * With it, the modules of the thread that prepares answers are loaded with a fifth less CPU time. Processes that read files
 * of users must not get it, because they could replace the code.
 */
export function threadEnvironment(): Record<string, string> {
  const folder = getCompileCacheDir();
  // A folder for this version of Node.js, in the one that was set.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

/** Assets for browsers exist only in the build. */
export const builtForBrowsers = built("web/built/");

/** The documents of docs/, which the build copies. */
export const guideFile = (name: string): URL => ownFile(`${isSource ? "../../docs" : "docs"}/${name}.md`);

/** Identifies the code of this program: the names of the files that the build makes contain hashes of their content. */
export const nameOfBuild = (): string => (isSource ? `source ${process.pid}` : readdirSync(root).sort().join());

export const packageFile = ownFile(isSource ? "../../package.json" : "../../../package.json");
