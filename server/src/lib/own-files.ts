// The program's own files: what its threads and child processes run, what pages load, the content that comes with it. The
// build makes few large files of the code (scripts/compile.mjs), none of which knows where a part of it once lay; so these
// are named by their path in server/src, which they keep.

const isSource = import.meta.url.endsWith("/lib/own-files.ts");
const root = new URL(isSource ? "../" : "./", import.meta.url);

export const ownFile = (path: string): URL => new URL(path, root);

/** A module that runs by itself; `path` is without its ending. */
export const ownModule = (path: string): URL => ownFile(path + (isSource ? ".ts" : ".js"));

/** For Node.js where it runs such a module: uncompiled, as under test, it must be told what imports mean. */
export const ownModuleOptions: readonly string[] = isSource ? ["--import", ownFile("lib/source-imports.ts").href] : [];

/** What browsers load is there only when built, also where the rest is not. */
export const builtForBrowsers = isSource ? ownFile("../../dist/server/src/web/built/") : ownFile("web/built/");

export const packageFile = ownFile(isSource ? "../../package.json" : "../../../package.json");
