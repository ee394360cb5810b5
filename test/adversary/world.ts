// The content of the attacked server: a project with much content, users, and a session for each of them. It is created
// in this process with the server's own functions, and copied as a data folder.
import { cpSync } from "node:fs";
import { join, relative } from "node:path";
import { sql } from "kysely";
import type { Resources } from "#platform/http/resources.js";
import type { Hints } from "#test/api/fitting-values.js";
import { makeCast, plant } from "#test/api/fuzz-cast.js";
import { temporaryFolder } from "#test/process/program.js";
import { siteUrl, type TestApp, testApp } from "#test/server/harness.js";
import { makeVersion } from "#test/worlds/versions.js";

export type Who = "guest" | "member" | "admin";

/** The limits of file parts. */
export interface World extends Resources {
  hints: Hints;
  sessions: Record<Who, string>;
  credentials: Record<Who, Record<string, string>>;
  /** The data folder. */
  folder: string;
}

const versions = 100;

export async function makeWorld(): Promise<World> {
  const app = await testApp();
  await plant(app);
  const { hints, sessions } = await makeCast(app);
  const owner = await app.make.user();
  const admin = await app.make.user({ role: "admin" });
  const hashes: string[] = [];
  for (let at = 0; at < versions; at++) {
    const options = { versionNumber: `9.${at}`, changelog: "A *change* of `many`.\n\n".repeat(50) };
    const { sha1 } = await makeVersion(app, owner, hints.projectId![0]!, options);
    hashes.push(sha1);
  }
  const folder = await copyOf(app);
  await app.stop();
  const member = sessions[0]!.cookie!.split("=")[1]!;
  const credential = (token: string) => ({ cookie: `auth-token=${token}`, origin: siteUrl });
  return {
    ...app.resources,
    hints: { ...hints, hashes, installed: hashes },
    sessions: { guest: "", member, admin: admin.sessionToken },
    credentials: { guest: {}, member: credential(member), admin: credential(admin.sessionToken) },
    folder,
  };
}

/** The files, and a consistent copy of the database: consumers may still be writing to it. */
async function copyOf({ dataDir, config, resources }: TestApp): Promise<string> {
  const folder = temporaryFolder();
  if (config.database.engine !== "sqlite") throw new Error("The adversary suite uses SQLite");
  const database = relative(dataDir, config.database.path);
  cpSync(dataDir, folder, { recursive: true, filter: (path) => !relative(dataDir, path).startsWith(database) });
  await sql`VACUUM INTO ${join(folder, database)}`.execute(resources.db);
  return folder;
}
