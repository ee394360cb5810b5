// The sources of settings: the environment, the config file, files of secrets, and which of them wins.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { canary } from "#test/config/sample-kinds.js";
import { ConfigError, readConfig, settings } from "./config.js";

let cwd = "";
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "modshelf-sources-"));
});
afterEach(() => rmSync(cwd, { recursive: true }));

function write(name: string, content: string | Uint8Array): string {
  const path = join(cwd, name);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}

function problemsOf(env: Record<string, string>): Record<string, string> {
  try {
    readConfig(env, cwd);
  } catch (error) {
    if (error instanceof ConfigError)
      return Object.fromEntries(error.problems.map(({ name, message }) => [name, message]));
    throw error;
  }
  return {};
}

describe("the config file", () => {
  test("is modshelf.env in the working folder if it exists, and the environment wins over it", () => {
    write("modshelf.env", `\ufeff# mine\r\nMODSHELF_PORT=4000\r\nexport MODSHELF_REVIEW = "off" # for now\r\n\r\n`);
    expect(readConfig({}, cwd)).toMatchObject({ http: { port: 4000 }, review: "off" });
    expect(readConfig({ MODSHELF_PORT: "5000" }, cwd)).toMatchObject({ http: { port: 5000 }, review: "off" });
  });

  test("that is named in the environment replaces the default one", () => {
    write("modshelf.env", "MODSHELF_REVIEW=off");
    mkdirSync(join(cwd, "etc"));
    write("etc/mods.env", "MODSHELF_PORT=4000");
    expect(readConfig({ MODSHELF_CONFIG_FILE: "etc/mods.env" }, cwd)).toMatchObject({
      http: { port: 4000 },
      review: "on",
    });
  });

  test("applies where the environment has an empty value", () => {
    write("modshelf.env", "MODSHELF_PORT=4000");
    expect(readConfig({ MODSHELF_PORT: "" }, cwd).http.port).toBe(4000);
  });

  test.each([
    ["a typing error in a name", "MODSHELF_PROT=1", "MODSHELF_PROT", "Did you mean MODSHELF_PORT?"],
    ["a bad value", "MODSHELF_PORT=x", "MODSHELF_PORT", "whole number"],
    ["a line of another form", "\nMODSHELF_PORT: 3000", "MODSHELF_CONFIG_FILE", "line 2"],
    ["a secret in place of settings", `${canary}==`, "MODSHELF_CONFIG_FILE", "line 1"],
    ["a foreign name", "PATH=/bin", "MODSHELF_CONFIG_FILE", "line 1"],
    ["the same name twice", "MODSHELF_PORT=1\nMODSHELF_PORT=2", "MODSHELF_PORT", "twice"],
    ["itself", "MODSHELF_CONFIG_FILE=other.env", "MODSHELF_CONFIG_FILE", "itself"],
    [
      "a value that a # would cut short",
      `MODSHELF_METRICS_TOKEN=0123456789abcdefgh#${canary}`,
      "MODSHELF_METRICS_TOKEN",
      "quotes",
    ],
  ])("is refused for %s", (_, content, name, hint) => {
    write("modshelf.env", content);
    const problems = problemsOf({});
    expect(problems).toEqual({ [name]: expect.stringContaining(hint) });
    expect(JSON.stringify(problems)).not.toContain(canary);
  });

  test("a # inside quotes is part of the value", () => {
    write("modshelf.env", `MODSHELF_METRICS_TOKEN="0123456789abcdef#x"`);
    expect(readConfig({}, cwd).metrics.token).toBe("0123456789abcdef#x");
  });

  test("is refused when it is a folder, not text, or too large to be one", () => {
    mkdirSync(join(cwd, "modshelf.env"));
    expect(problemsOf({})).toEqual({ MODSHELF_CONFIG_FILE: expect.stringContaining("not a file") });
    const binary = write("binary", new Uint8Array([0x4d, 0xff, 0xfe]));
    expect(problemsOf({ MODSHELF_CONFIG_FILE: binary })).toEqual({
      MODSHELF_CONFIG_FILE: expect.stringContaining("UTF-8"),
    });
    const huge = write("huge", "#".repeat(1_000_000));
    expect(problemsOf({ MODSHELF_CONFIG_FILE: huge })).toEqual({
      MODSHELF_CONFIG_FILE: expect.stringContaining("larger"),
    });
  });

  test("causes a warning if it contains secrets and every user can read it", () => {
    const path = write("modshelf.env", `MODSHELF_METRICS_TOKEN=${canary}-0123456789`);
    expect(readConfig({}, cwd).warnings).toEqual([]);
    chmodSync(path, 0o644);
    const { warnings } = readConfig({}, cwd);
    expect(warnings).toEqual([expect.stringMatching(/^MODSHELF_METRICS_TOKEN: .*can read/)]);
    expect(warnings.join()).not.toContain(canary);
  });
});

describe("a secret from a file", () => {
  test("is read without the line break at its end, and otherwise unchanged", () => {
    write("secret", " correct horse \r\n\n");
    const env = {
      MODSHELF_ADMIN_USER: "keeper",
      MODSHELF_ADMIN_EMAIL: "keeper@example.org",
      MODSHELF_ADMIN_PASSWORD_FILE: "secret",
    };
    expect(readConfig(env, cwd).admin).toEqual({
      userName: "keeper",
      email: "keeper@example.org",
      password: " correct horse ",
    });
  });

  test("is supported for every secret", () => {
    for (const { name } of settings.filter(({ secret }) => secret)) {
      expect(problemsOf({ [`${name}_FILE`]: "missing" }), name).toHaveProperty(`${name}_FILE`);
    }
  });

  test("may be named in the config file, where the environment still wins", () => {
    const token = "0123456789abcdef";
    write("secret", `${token}-file`);
    write("modshelf.env", "MODSHELF_METRICS_TOKEN_FILE=secret");
    expect(readConfig({}, cwd).metrics.token).toBe(`${token}-file`);
    expect(readConfig({ MODSHELF_METRICS_TOKEN: `${token}-env` }, cwd).metrics.token).toBe(`${token}-env`);
  });

  test("is refused if it is also given directly", () => {
    write("secret", `${canary}-0123456789`);
    const env = { MODSHELF_METRICS_TOKEN: `${canary}-9876543210`, MODSHELF_METRICS_TOKEN_FILE: "secret" };
    const problems = problemsOf(env);
    expect(problems).toEqual({ MODSHELF_METRICS_TOKEN: expect.stringContaining("MODSHELF_METRICS_TOKEN_FILE") });
    expect(JSON.stringify(problems)).not.toContain(canary);
  });

  test.each([
    ["missing", "no file"],
    ["empty", "empty"],
    ["folder", "not a file"],
    ["/dev/zero", "not a file"],
    ["binary", "UTF-8"],
    ["a\0b", "cannot be read"],
  ])("is refused when its file is %j", (path, hint) => {
    write("empty", "\n\n");
    write("binary", new Uint8Array([0xc3, 0x28]));
    mkdirSync(join(cwd, "folder"));
    expect(problemsOf({ MODSHELF_METRICS_TOKEN_FILE: path })).toEqual({
      MODSHELF_METRICS_TOKEN_FILE: expect.stringContaining(hint),
    });
  });

  test("that is invalid is refused without being shown", () => {
    write("secret", canary);
    const problems = problemsOf({ MODSHELF_METRICS_TOKEN_FILE: "secret" });
    expect(problems).toEqual({ MODSHELF_METRICS_TOKEN: expect.stringContaining("16 to 512") });
    expect(JSON.stringify(problems)).not.toContain(canary);
  });
});
