// `modshelf doctor` as operators run it: a healthy instance passes, and each fault is named with advice.
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { Condition, Named } from "#operations/checks/check.js";
import { startS3 } from "#test/setup/s3.js";
import { startSmtp } from "#test/setup/smtp.js";
import {
  type ProgramOptions,
  type RunningServer,
  run,
  type Settings,
  startServer,
  temporaryFolder,
  useProcesses,
} from "./program.js";

useProcesses();

const admin = {
  MODSHELF_ADMIN_USER: "Keeper",
  MODSHELF_ADMIN_EMAIL: "keeper@example.org",
  MODSHELF_ADMIN_PASSWORD: "canary-admin-password",
};

async function examine(
  options: ProgramOptions,
): Promise<{ code: number | null; of(check: string): Named<Condition>[]; text: string }> {
  const { code, stdout } = await run(["doctor", "--json"], options);
  const { isHealthy, findings } = JSON.parse(stdout) as { isHealthy: boolean; findings: Named<Condition>[] };
  expect([code, isHealthy]).toEqual(findings.some(({ level }) => level === "problem") ? [1, false] : [0, true]);
  // Every finding that is not ok has advice.
  expect(findings.filter(({ level, todo }) => level !== "ok" && !todo)).toEqual([]);
  return { code, of: (name) => findings.filter(({ check }) => check === name), text: stdout };
}

const finding = (level: Named<Condition>["level"], text: string | RegExp) =>
  expect.objectContaining({ level, message: expect.stringMatching(text) });

let used: Promise<RunningServer> | undefined;

/** A copy of an instance that has run once and is stopped. */
async function usedInstance(): Promise<{ cwd: string; settings: Settings; file: string }> {
  used ??= (async () => {
    const server = await startServer({ settings: admin });
    await server.signUp("somebody");
    await server.stop();
    return server;
  })();
  const { cwd: original, settings } = await used;
  const cwd = temporaryFolder();
  cpSync(original, cwd, { recursive: true });
  return { cwd, settings, file: join(cwd, "data", "modshelf.db") };
}

function change(file: string, ...statements: string[]): void {
  const database = new DatabaseSync(file);
  for (const statement of statements) database.exec(statement);
  database.close();
}

test("before the first start everything is in order, and the check creates nothing", async () => {
  const cwd = temporaryFolder();
  const { code, of } = await examine({ cwd });
  expect(code).toBe(0);
  expect(of("data folder")).toEqual([finding("ok", "does not exist yet")]);
  expect(of("database")).toEqual([finding("ok", "does not exist yet")]);
  expect(existsSync(join(cwd, "data"))).toBe(false);
});

test("a healthy instance passes next to its running server, on a terminal and as JSON, without a secret", async () => {
  const smtp = await startSmtp({ user: "keeper", password: "canary-smtp-pass" });
  const settings = { ...admin, MODSHELF_SMTP_URL: smtp.url, MODSHELF_MAIL_FROM: "noreply@example.org" };
  const server = await startServer({ settings });
  const { code, of, text } = await examine({ cwd: server.cwd, settings: server.settings });
  expect(code).toBe(0);
  expect(of("server")).toEqual([finding("ok", `A server is running \\(process ${server.program.child.pid}\\)`)]);
  for (const name of [
    "configuration",
    "data folder",
    "storage",
    "mail",
    "database file",
    "database disk",
    "schema",
    "audit log",
    "jobs",
  ])
    expect(of(name)).toEqual([expect.objectContaining({ level: "ok" })]);
  expect(of("administrator")).toEqual([finding("ok", "Keeper")]);
  expect(smtp.messages).toEqual([]);

  expect(of("backup")).toEqual([finding("warning", "No backup")]);
  expect(await server.command("backup", temporaryFolder())).toMatchObject({ code: 0 });
  const shown = await server.command("doctor");
  expect([shown.code, shown.stdout]).toEqual([
    0,
    expect.stringMatching(/^ok +storage .*\n[\s\S]*^0 problems, 0 warnings\.\n$/m),
  ]);
  expect(text + shown.stdout + shown.stderr).not.toContain("canary");
  expect(await server.anyone.get("/readyz")).toSucceed();
  await smtp.stop();
});

test("every broken setting is a separate problem, and the rest is not reported", async () => {
  const settings = { MODSHELF_PORT: "canary", MODSHELF_REVIEW: "perhaps", MODSHELF_METRICS_TOKEN: "canary" };
  const { code, of, text } = await examine({ settings });
  expect(code).toBe(1);
  expect(of("configuration").map(({ message }) => String(message).split(":")[0])).toEqual(
    expect.arrayContaining(Object.keys(settings)),
  );
  expect(text).not.toContain("canary");
});

test("the services in the settings are tried: URLs, mail server, taxonomy, storage, limits", async () => {
  const { cwd, settings } = await usedInstance();
  writeFileSync(join(cwd, "taxonomy.yaml"), "projectTypes: [mod]\n");
  chmodSync(join(cwd, "data"), 0o755);
  rmSync(join(cwd, "data", "files", "tmp"), { recursive: true });
  writeFileSync(join(cwd, "data", "files", "tmp"), "in the way");
  // No program listens on port 1.
  const port = 1;
  const { of, text } = await examine({
    cwd,
    openFiles: 512,
    settings: {
      ...settings,
      MODSHELF_URL: "http://mods.example.org",
      MODSHELF_TAXONOMY_FILE: "taxonomy.yaml",
      MODSHELF_SMTP_URL: `smtp://keeper:canary-smtp-pass@127.0.0.1:${port}`,
      MODSHELF_MAIL_FROM: "noreply@example.org",
    },
  });
  expect(of("data folder")).toEqual([finding("warning", "Every account on this machine can read")]);
  expect(of("open files")).toEqual([finding("warning", "can open 512 files")]);
  expect(of("address")).toEqual([finding("warning", "unencrypted")]);
  expect(of("content host")).toEqual([finding("warning", "http://mods.example.org, the host of the site")]);
  expect(of("configuration")).toContainEqual(finding("warning", "^MODSHELF_URL: is http"));
  expect(of("taxonomy")).toEqual([finding("problem", /line 1, column \d+: The key "gameVersions" is missing/)]);
  expect(of("mail")).toEqual([
    finding("problem", `127.0.0.1:${port} does not accept email from this site: .*ECONNREFUSED`),
  ]);
  expect(of("storage")).toEqual([finding("problem", join(cwd, "data", "files"))]);
  expect(text).not.toContain("canary");
});

test("wrong passwords for mail and storage are found, and not printed", async () => {
  const smtp = await startSmtp({ user: "keeper", password: "right" });
  const s3 = await startS3();
  const settings = {
    MODSHELF_SMTP_URL: smtp.url.replace("right", "canary-wrong"),
    MODSHELF_MAIL_FROM: "noreply@example.org",
    MODSHELF_STORAGE_URL: `s3://${s3.bucket}?endpoint=${s3.endpoint}&region=${s3.region}`,
    MODSHELF_S3_ACCESS_KEY_ID: s3.accessKeyId,
    MODSHELF_S3_SECRET_ACCESS_KEY: "canary-wrong-secret",
  };
  const cwd = temporaryFolder();
  const wrong = await examine({ settings, cwd });
  expect(wrong.of("mail")).toEqual([finding("problem", "535")]);
  expect(wrong.of("storage")).toEqual([finding("problem", `the bucket ${s3.bucket} at ${s3.endpoint}`)]);
  expect(wrong.text).not.toContain("canary");

  const right = await examine({
    settings: { ...settings, MODSHELF_SMTP_URL: smtp.url, MODSHELF_S3_SECRET_ACCESS_KEY: s3.secretAccessKey },
    cwd,
  });
  expect(right.of("storage")).toEqual([finding("ok", "written")]);
  expect(right.of("mail")).toEqual([finding("ok", "accepts email from this site")]);
  expect(right.text).not.toContain(s3.secretAccessKey);
  expect(existsSync(join(cwd, "data"))).toBe(false);
  await Promise.all([smtp.stop(), s3.stop()]);
});

test("open registration without mail is reported, with the source of reset links", async () => {
  expect((await examine({})).of("mail")).toEqual([
    expect.objectContaining({ level: "warning", todo: expect.stringContaining("modshelf admin reset") }),
  ]);
  const closed = await examine({ settings: { MODSHELF_REGISTRATION: "closed" } });
  expect(closed.of("mail")).toEqual([finding("ok", "modshelf admin reset")]);
});

test("a database of another version is named as older or newer", async () => {
  const { cwd, settings, file } = await usedInstance();
  change(file, "INSERT INTO migrations VALUES ('9999-from-the-future', 0)");
  expect((await examine({ cwd, settings })).of("schema")).toEqual([
    finding("problem", "newer Modshelf .*9999-from-the-future"),
  ]);
  change(file, "DELETE FROM migrations");
  const older = await examine({ cwd, settings });
  expect(older.of("schema")).toEqual([finding("warning", "0001-interface")]);
  expect(older.of("administrator")).toEqual([]);
});

test("another journal mode and a damaged or foreign file are found", async () => {
  const { cwd, settings, file } = await usedInstance();
  change(file, "PRAGMA journal_mode = DELETE");
  expect((await examine({ cwd, settings })).of("database file")).toEqual([
    finding("warning", "journal mode is delete"),
  ]);

  const pageSize = 4096;
  const { size } = statSync(file);
  const middle = Math.floor(size / 2 / pageSize) * pageSize;
  const { openSync, writeSync, closeSync } = await import("node:fs");
  const handle = openSync(file, "r+");
  writeSync(handle, Buffer.alloc(4 * pageSize, 0xff), 0, 4 * pageSize, middle);
  closeSync(handle);
  const damaged = await examine({ cwd, settings });
  expect(damaged.of("database file")).toEqual([
    expect.objectContaining({ level: "problem", todo: expect.stringContaining("backup") }),
  ]);

  writeFileSync(file, "no database at all ".repeat(1000));
  expect((await examine({ cwd, settings })).of("database file")).toEqual([
    finding("problem", "file is not a database"),
  ]);
});

// Root may write everywhere.
test.skipIf(process.getuid?.() === 0)("a data folder that cannot be written or created is found", async () => {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, "data"), { mode: 0o500 });
  expect((await examine({ cwd })).of("data folder")).toEqual([finding("problem", "does not have permission to write")]);
  const settings = { MODSHELF_DATA_DIR: join(cwd, "data", "below") };
  expect((await examine({ cwd, settings })).of("data folder")).toEqual([
    finding("problem", "does not have permission to create it"),
  ]);
});
