// Finds the program's own files at run time: modules for threads and child processes, assets of pages, bundled content.
// The build bundles the code into a few large files (scripts/compile.mjs), so import.meta.url of a module does not
// help; these files are found by their path in server/src, which the build keeps.

const isSource = import.meta.url.endsWith("/lib/own-files.ts");
const root = new URL(isSource ? "../" : "./", import.meta.url);

export const ownFile = (path: string): URL => new URL(path, root);

/** A module that runs in its own thread or process; `path` has no extension. */
export const ownModule = (path: string): URL => ownFile(path + (isSource ? ".ts" : ".js"));

/** Options for Node.js to run such a module: uncompiled modules, as in tests, need a hook that resolves imports. */
export const ownModuleOptions: readonly string[] = isSource ? ["--import", ownFile("lib/source-imports.ts").href] : [];

/** Assets for browsers exist only in the build, also when the server itself runs uncompiled. */
export const builtForBrowsers = isSource ? ownFile("../../dist/server/src/web/built/") : ownFile("web/built/");

export const packageFile = ownFile(isSource ? "../../package.json" : "../../../package.json");
