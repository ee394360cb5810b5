// The configuration as a whole: problems, warnings, output. Single settings are tested in config/settings.pure.test.ts,
// the config file and secret files in config/sources.pure.test.ts.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { canary } from "#test/config/sample-kinds.js";
import { ConfigError, describeConfig, readConfig, renderConfigDocs, settings } from "./config.js";

type Env = Record<string, string | undefined>;

let cwd = "";
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "modshelf-config-"));
});
afterEach(() => rmSync(cwd, { recursive: true }));

function refusalOf(env: Env): ConfigError {
  try {
    readConfig(env, cwd);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error("accepted");
}

const problemsOf = (env: Env) =>
  Object.fromEntries(refusalOf(env).problems.map(({ name, message }) => [name, message]));

const admin = { MODSHELF_ADMIN_USER: "keeper", MODSHELF_ADMIN_EMAIL: "keeper@example.org" };

describe("without any setting", () => {
  test("the service has a database, a file store and a URL, and listens on loopback only", () => {
    expect(readConfig({}, cwd)).toEqual({
      http: {
        host: "127.0.0.1",
        port: 3000,
        url: "http://localhost:3000",
        cdnUrl: "http://localhost:3000",
        modrinthApi: true,
        trustedProxies: [],
        memoryBytes: 512 * 1024 ** 2,
        workers: expect.any(Number),
        corsOrigins: [],
        sendfile: "off",
        s3Redirects: false,
        shutdownSeconds: 30,
      },
      dataDir: join(cwd, "data"),
      database: { engine: "sqlite", path: join(cwd, "data/modshelf.db") },
      storage: { kind: "disk", path: join(cwd, "data/files") },
      backup: { dir: join(cwd, "data/backups"), schedule: "off", hour: 3, keep: 7 },
      look: { name: "Modshelf", description: "", language: "en", footerLinks: [], theme: "auto", accent: "" },
      review: "on",
      reportReasonsOff: [],
      guestReports: false,
      remotePictures: "on",
      launchers: { links: [], command: "" },
      registration: "open",
      mavenGroup: "maven.modshelf",
      securityContacts: [],
      privateWebhooks: false,
      trustedIssuers: [
        { kind: "github", url: "https://token.actions.githubusercontent.com" },
        { kind: "gitlab", url: "https://gitlab.com" },
      ],
      staff: { secondFactor: "auto", hours: 12, adminMinutes: 120 },
      log: { level: "info" },
      metrics: { host: "127.0.0.1" },
      oauth: {},
      limits: {
        accountBytes: 50 * 1024 ** 3,
        freeDiskBytes: 512 * 1024 ** 2,
        primaryFileBytes: 512 * 1024 ** 2,
        additionalFileBytes: 128 * 1024 ** 2,
        additionalFiles: 10,
        iconBytes: 512 * 1024,
        galleryImageBytes: 8 * 1024 ** 2,
        galleryImages: 64,
        remotePictureBytes: 1024 ** 3,
        dependencies: 256,
        packHosts: ["cdn.modrinth.com", "github.com", "raw.githubusercontent.com", "gitlab.com"],
        projects: 1000,
        retiredNameDays: 90,
        rates: true,
        connectionsPerAddress: 256,
      },
      scanner: { place: undefined, whenUnscanned: "hold", largestBytes: 100 * 1024 ** 2 },
      warnings: [],
    });
  });

  test("empty and blank values count as unset, also for unknown names", () => {
    const blank = {
      MODSHELF_PORT: "",
      MODSHELF_ADMIN_PASSWORD: "  ",
      MODSHELF_CONFIG_FILE: "",
      MODSHELF_NEVER_HEARD_OF: "",
    };
    expect(readConfig(blank, cwd)).toEqual(readConfig({}, cwd));
  });

  test("the default URLs follow the port, and data locations follow the data folder", () => {
    const config = readConfig({ MODSHELF_PORT: "8080", MODSHELF_DATA_DIR: "/srv/a#b?c" }, cwd);
    expect(config.http).toMatchObject({ url: "http://localhost:8080", cdnUrl: "http://localhost:8080" });
    expect(config.database).toEqual({ engine: "sqlite", path: "/srv/a#b?c/modshelf.db" });
    expect(config.storage).toEqual({ kind: "disk", path: "/srv/a#b?c/files" });
  });
});

describe("problems", () => {
  test("port 0 needs the URL of the site, because there is no sensible default", () => {
    expect(() => readConfig({ MODSHELF_PORT: "0" }, cwd)).toThrow("MODSHELF_URL: is missing, but MODSHELF_PORT is 0");
    const ports = { MODSHELF_PORT: "0", MODSHELF_METRICS_PORT: "0" };
    expect(readConfig({ ...ports, MODSHELF_URL: "http://mods.test" }, cwd).metrics.port).toBe(0);
  });

  test("all problems are reported at once, one per line, each with its name and what to do", () => {
    const env = {
      MODSHELF_PORT: "none",
      MODSHELF_URL: "example.org",
      MODSHELF_REVEIW: "off",
      MODSHELF_LOG_LEVEL: "loud",
    };
    expect(() => readConfig(env, cwd)).toThrow(
      [
        "MODSHELF_REVEIW: is not a setting. Did you mean MODSHELF_REVIEW?",
        "MODSHELF_PORT: must be a whole number from 0 to 65535, but is text of 4 characters. For example: MODSHELF_PORT=8080",
        "MODSHELF_URL: must be http:// or https:// and a host, without path, query, fragment, username or password, but is text of 11 characters. For example: MODSHELF_URL=https://mods.example.org",
        "MODSHELF_LOG_LEVEL: must be one of: trace, debug, info, warn, error, fatal, silent, but is text of 4 characters. For example: MODSHELF_LOG_LEVEL=warn",
      ].join("\n"),
    );
  });

  test("a broken setting causes no problems in settings whose defaults depend on it", () => {
    expect(Object.keys(problemsOf({ MODSHELF_PORT: "x", MODSHELF_DATA_DIR: "\0" }))).toEqual([
      "MODSHELF_PORT",
      "MODSHELF_DATA_DIR",
    ]);
  });

  test.each([
    ["MODSHELF_PROT", "Did you mean MODSHELF_PORT?"],
    ["modshelf_port", "Did you mean MODSHELF_PORT?"],
    ["MODSHELF_ADMIN_PASWORD_FILE", "Did you mean MODSHELF_ADMIN_PASSWORD_FILE?"],
    ["MODSHELF_TRUSTED_PROXY", "Did you mean MODSHELF_TRUSTED_PROXIES?"],
    ["MODSHELF_PORT_FILE", "only secrets may come from files"],
    ["MODSHELF_PURPLE_ELEPHANT", "docs/configuration.md"],
    ["MODSHELF_SERVICE_PORT_HTTP", "enableServiceLinks"],
    ["MODSHELF_PORT_3000_TCP_ADDR", "enableServiceLinks"],
  ])("the unknown name %s is refused with a hint", (name, hint) => {
    expect(problemsOf({ [name]: canary })).toEqual({ [name]: expect.stringContaining(hint) });
  });

  test("an unknown name cannot break out of its line or flood the message", () => {
    const { problems } = refusalOf({ [`MODSHELF_A\nB\x1b${"x".repeat(100_000)}`]: "1" });
    expect(problems[0]?.name).toMatch(/^MODSHELF_A\?B\?x{67}$/);
  });

  test("a port that Kubernetes has overwritten is told apart from a typing error", () => {
    expect(problemsOf({ MODSHELF_PORT: "tcp://10.0.0.1:3000" }).MODSHELF_PORT).toContain("enableServiceLinks");
  });

  test.each<[Env, string[]]>([
    [{ MODSHELF_ADMIN_USER: "keeper" }, ["MODSHELF_ADMIN_EMAIL", "MODSHELF_ADMIN_PASSWORD"]],
    [admin, ["MODSHELF_ADMIN_PASSWORD"]],
    [{ MODSHELF_SMTP_URL: "smtp://mail.example" }, ["MODSHELF_MAIL_FROM"]],
    [{ MODSHELF_OAUTH_GOOGLE_CLIENT_ID: "id" }, ["MODSHELF_OAUTH_GOOGLE_CLIENT_SECRET"]],
    [{ MODSHELF_OAUTH_GITHUB_CLIENT_SECRET: "k3y" }, ["MODSHELF_OAUTH_GITHUB_CLIENT_ID"]],
    [{ MODSHELF_STORAGE_URL: "s3://mods" }, ["MODSHELF_S3_ACCESS_KEY_ID", "MODSHELF_S3_SECRET_ACCESS_KEY"]],
    [{ MODSHELF_METRICS_PORT: "3000" }, ["MODSHELF_METRICS_PORT"]],
  ])("settings that belong together must be complete: %j", (env, names) => {
    expect(Object.keys(problemsOf(env))).toEqual(names);
  });

  test("a required setting that is set but broken is not reported as missing", () => {
    const problems = problemsOf({ ...admin, MODSHELF_ADMIN_PASSWORD_FILE: "missing" });
    expect(Object.keys(problems)).toEqual(["MODSHELF_ADMIN_PASSWORD_FILE"]);
  });
});

describe("warnings", () => {
  const secure = { MODSHELF_URL: "https://mods.example.org", MODSHELF_TRUSTED_PROXIES: "loopback" };
  test.each<[Env, string[]]>([
    [{ MODSHELF_HOST: "0.0.0.0" }, ["MODSHELF_URL"]],
    [{ MODSHELF_HOST: "0.0.0.0", MODSHELF_URL: "http://192.168.1.5:3000" }, []],
    [{ MODSHELF_URL: "http://0.0.0.0:3000" }, ["MODSHELF_URL"]],
    [{ MODSHELF_URL: "http://mods.example.org" }, ["MODSHELF_URL"]],
    [{ MODSHELF_URL: "http://203.0.113.9" }, ["MODSHELF_URL"]],
    [{ MODSHELF_URL: "http://nas.local" }, []],
    [{ MODSHELF_URL: "https://mods.example.org" }, ["MODSHELF_TRUSTED_PROXIES"]],
    [secure, []],
    [{ ...secure, MODSHELF_CDN_URL: "http://files.example.net" }, ["MODSHELF_CDN_URL"]],
    [{ MODSHELF_S3_ACCESS_KEY_ID: "k3y", MODSHELF_S3_SECRET_ACCESS_KEY: "k3y" }, ["MODSHELF_S3_ACCESS_KEY_ID"]],
    [{ MODSHELF_DATABASE_URL: "postgres://m:password@db/mods" }, ["MODSHELF_DATABASE_URL", "MODSHELF_SECRET_KEY"]],
    [{ MODSHELF_SMTP_URL: "smtp://m:secret@mail.example", MODSHELF_MAIL_FROM: "a@b.example" }, ["MODSHELF_SMTP_URL"]],
    [{ MODSHELF_MAIL_FROM: "a@b.example" }, ["MODSHELF_MAIL_FROM"]],
    [{ MODSHELF_METRICS_HOST: "::1" }, ["MODSHELF_METRICS_HOST"]],
  ])("%j is usable but questionable: %j", (env, names) => {
    expect(readConfig(env, cwd).warnings.map((warning) => warning.split(":")[0])).toEqual(names);
  });
});

describe("the printed configuration", () => {
  const shownOf = (env: Env, name: string) => describeConfig(env, cwd).find((each) => each.name === name);

  test("lists every setting with its effective value and its source", () => {
    writeFileSync(join(cwd, "modshelf.env"), "MODSHELF_PORT=4000");
    const env = { MODSHELF_REVIEW: "off" };
    expect(describeConfig(env, cwd).map(({ name }) => name)).toEqual(settings.map(({ name }) => name));
    expect(shownOf(env, "MODSHELF_REVIEW")).toMatchObject({ value: "off", source: "environment" });
    expect(shownOf(env, "MODSHELF_PORT")).toMatchObject({ value: "4000", source: "file" });
    expect(shownOf(env, "MODSHELF_URL")).toMatchObject({ value: "http://localhost:4000", source: "default" });
    expect(shownOf(env, "MODSHELF_METRICS_TOKEN")).toMatchObject({ value: "", source: "default" });
  });

  test("never contains a secret from any source", () => {
    writeFileSync(join(cwd, "secret"), `sqlite:${canary}`);
    const names = settings.map(({ name }) => name);
    const envs: Env[] = [
      Object.fromEntries(settings.filter(({ secret }) => secret).map(({ name }) => [name, canary])),
      Object.fromEntries(names.map((name) => [name, `https://user:${canary}@example.org/?x`])),
      { MODSHELF_DATABASE_URL: `postgres://u:1/${canary}@db/mods`, MODSHELF_SMTP_URL: `smtp://${canary}` },
      { MODSHELF_ADMIN_PASSWORD_FILE: "secret" },
    ];
    for (const env of envs) expect(JSON.stringify(describeConfig(env, cwd))).not.toContain(canary);
  });

  test("names the database without its password", () => {
    expect(shownOf({}, "MODSHELF_DATABASE_URL")?.value).toBe(`sqlite:${join(cwd, "data/modshelf.db")}`);
    expect(shownOf({ MODSHELF_DATABASE_URL: "postgres://m:p@db/mods" }, "MODSHELF_DATABASE_URL")?.value).toBe(
      "postgres://********",
    );
  });
});

describe("docs/configuration.md", () => {
  const docs = readFileSync(join(import.meta.dirname, "../../../docs/configuration.md"), "utf8");

  test("matches the table of settings", () => {
    expect(docs).toBe(renderConfigDocs());
  });

  test("names every setting and its default", () => {
    for (const { name, default: text } of settings) {
      const row = docs.split("\n").find((line) => line.startsWith(`| \`${name}\` |`));
      expect(row, name).toContain(text ? `\`${text}\`` : name);
    }
  });
});
