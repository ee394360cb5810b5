// Invalid settings and arguments of the command line: the exit code, the message, and secrets that are never printed.
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { run, temporaryFolder, useProcesses } from "./program.js";

useProcesses();

/** Reports the CPU time at the end, which, unlike the wall clock, does not depend on other programs. */
const cpuReport = [
  "--import",
  `data:text/javascript,process.on("exit",()=>{const u=process.resourceUsage();console.error("cpu-ms="+(u.userCPUTime+u.systemCPUTime)/1000)})`,
];
const cpuMs = (stderr: string) => Number(/cpu-ms=([\d.]+)/.exec(stderr)?.[1]);

const broken = {
  MODSHELF_PORT: "canary-port",
  MODSHELF_URL: "https://mods.example.org/path",
  MODSHELF_DATABASE_URL: "mysql://canary-user:canary-pass@db/mods",
  MODSHELF_STORAGE_URL: "s3://mods",
  MODSHELF_METRICS_TOKEN: "canary",
  MODSHELF_ADMIN_PASSWORD: "canary-admin-pass",
  MODSHELF_REVEIW: "off",
  MODSHELF_MAX_ICON_SIZE: "huge",
};

describe("a broken configuration", () => {
  test("ends the start with code 78 before anything is loaded, names every problem, prints no secret and changes nothing", async () => {
    const cwd = temporaryFolder();
    const { code, stdout, stderr } = await run(["serve"], { settings: broken, cwd, nodeArgs: cpuReport });
    expect([code, stdout]).toEqual([78, ""]);
    for (const name of Object.keys(broken).filter((one) => !one.startsWith("MODSHELF_ADMIN")))
      expect(stderr).toContain(name);
    for (const name of ["MODSHELF_ADMIN_USER", "MODSHELF_ADMIN_EMAIL", "MODSHELF_S3_SECRET_ACCESS_KEY"])
      expect(stderr).toContain(`${name}: is missing`);
    expect(stderr).toContain("Did you mean MODSHELF_REVIEW?");
    expect(stderr).not.toContain("canary");
    const least = await run(["version"], { nodeArgs: cpuReport });
    expect(cpuMs(stderr)).toBeLessThan(4 * cpuMs(least.stderr));
    expect(existsSync(join(cwd, "data"))).toBe(false);
  });

  test.each([["migrate"], ["setup-link"], ["admin", "create", "Keeper", "keeper@example.org"]])(
    "is refused the same way by %s",
    async (...args) => {
      const { code, stdout, stderr } = await run(args, { settings: { MODSHELF_PORT: "65536" } });
      expect([code, stdout]).toEqual([78, ""]);
      expect(stderr).toContain("MODSHELF_PORT: must be a whole number from 0 to 65535");
    },
  );

  test("is shown in full by config check, with the effective values", async () => {
    const { code, stdout, stderr } = await run(["config", "check"], { settings: broken });
    expect(code).toBe(78);
    expect(stderr).toContain("MODSHELF_REVEIW");
    expect(stdout).toMatch(/^MODSHELF_HOST +default +127\.0\.0\.1$/m);
    expect(stdout).toMatch(/^MODSHELF_MAX_ICON_SIZE +environment +huge$/m);
    expect(stdout + stderr).not.toMatch(/canary-(user|pass|admin)/);
  });
});

test("a broken taxonomy file ends the start with code 78 and names the line, before any data is created", async () => {
  const cwd = temporaryFolder();
  writeFileSync(
    join(cwd, "taxonomy.yaml"),
    "projectTypes: [mod]\ngameVersions:\n  - value: '1.0'\n    realeaseType: beta\n",
  );
  const settings = { MODSHELF_TAXONOMY_FILE: "taxonomy.yaml" };
  for (const args of [["serve"], ["config", "check"]]) {
    const { code, stderr } = await run(args, { settings, cwd });
    expect(code).toBe(78);
    expect(stderr).toContain(`${join(cwd, "taxonomy.yaml")} cannot be used.`);
    expect(stderr).toMatch(/line 4, column \d+: "realeaseType" is not a known key/);
  }
  expect(existsSync(join(cwd, "data"))).toBe(false);
});

test("config check shows every setting with its source, secrets masked, and starts nothing", async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "modshelf.env"), "MODSHELF_REVIEW=off\nMODSHELF_METRICS_TOKEN=canary-metrics-token\n");
  chmodSync(join(cwd, "modshelf.env"), 0o600);
  writeFileSync(join(cwd, "database-url"), "postgres://keeper:canary-pass@db.internal/mods\n");
  const settings = {
    MODSHELF_PORT: "8099",
    MODSHELF_DATABASE_URL_FILE: "database-url",
    MODSHELF_SECRET_KEY: "ca9a0123456789bf".repeat(4),
  };
  const { code, stdout, stderr } = await run(["config", "check"], { settings, cwd });
  expect([code, stderr]).toEqual([0, "The configuration is good.\n"]);
  expect(stdout).toMatch(/^MODSHELF_PORT +environment +8099$/m);
  expect(stdout).toMatch(/^MODSHELF_URL +default +http:\/\/localhost:8099$/m);
  expect(stdout).toMatch(/^MODSHELF_REVIEW +file +off$/m);
  expect(stdout).toMatch(/^MODSHELF_METRICS_TOKEN +file +\*{8}$/m);
  expect(stdout).toMatch(/^MODSHELF_DATABASE_URL +environment +postgres:\/\/\*{8}$/m);
  expect(stdout).toMatch(/^MODSHELF_SECRET_KEY +environment +\*{8}$/m);
  expect(stdout).not.toMatch(/canary|ca9a/);

  const json = await run(["config", "check", "--json"], { settings, cwd });
  expect(JSON.parse(json.stdout)).toContainEqual({ name: "MODSHELF_REVIEW", value: "off", source: "file" });
  expect(existsSync(join(cwd, "data"))).toBe(false);
});

describe("invalid arguments", () => {
  test.each([
    [["sevre"], 'There is no command "sevre".'],
    [["admin"], "admin takes one of: create, reset, reset-second-factor, role, suspend, unsuspend."],
    [["admin", "destroy"], 'not "destroy"'],
    [["admin", "create", "Keeper"], "Usage: modshelf admin create NAME EMAIL"],
    [["admin", "create", "K", "not-an-address"], "NAME must be 2 to 32 letters, digits, _ or -."],
    [["admin", "create", "K", "not-an-address"], "EMAIL must be an email address."],
    [["admin", "role", "Keeper", "emperor"], "ROLE must be one of user, moderator, admin"],
    [["admin", "reset", "Keeper", "Other"], '"Other" is one word too many.'],
    [["doctor", "--xml"], "There is no option --xml here."],
    [["serve", "now"], '"now" is one word too many.'],
  ])("%j is refused with code 64", async (args, sentence) => {
    const { code, stdout, stderr } = await run(args);
    expect([code, stdout]).toEqual([64, ""]);
    expect(stderr).toContain(sentence);
    expect(stderr).toContain("modshelf ");
  });

  test.each([[["--help"]], [["help"]], [["-h", "nothing"]]])("%j prints the help", async (args) => {
    const { code, stdout, stderr } = await run(args);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("modshelf admin suspend NAME [REASON]");
  });

  test("--help anywhere explains the command and does nothing", async () => {
    const cwd = temporaryFolder();
    for (const args of [
      ["serve", "--help"],
      ["admin", "create", "--help", "Keeper", "keeper@example.org"],
    ]) {
      const { code, stdout } = await run(args, { cwd });
      expect([code, stdout]).toEqual([0, expect.stringMatching(/^Usage: modshelf (serve|admin create NAME EMAIL)\n/)]);
    }
    expect(existsSync(join(cwd, "data"))).toBe(false);
  });

  test("--version prints the version and nothing else", async () => {
    expect(await run(["--version"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: "",
    });
  });
});

test("a reader that stops reading does not make a command fail", async () => {
  const { code, stderr } = await run(["help"], {
    nodeArgs: [
      "--import",
      `data:text/javascript,process.stdout.destroy(Object.assign(new Error("gone"),{code:"EPIPE"}))`,
    ],
  });
  expect([code, stderr]).toEqual([0, ""]);
});
