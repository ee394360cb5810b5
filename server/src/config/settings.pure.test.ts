// Every setting against the values in test/config/sample-values.ts. A setting without samples fails the first test.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { canary } from "#test/config/sample-kinds.js";
import { toSamples } from "#test/config/sample-values.js";
import { sampleOf } from "#test/setup/long.js";
import { ConfigError, readConfig, settings } from "./config.js";

const cwd = mkdtempSync(join(tmpdir(), "modshelf-settings-"));
writeFileSync(join(cwd, "taxonomy.yaml"), "types: []\n");
writeFileSync(join(cwd, "other.env"), "MODSHELF_PORT=4000\n");
mkdirSync(join(cwd, "folder"));
afterAll(() => rmSync(cwd, { recursive: true }));

const samples = toSamples(cwd);
const brokenEverywhere = [`${canary}\nMODSHELF_REVIEW=off`, `a\0${canary}`, `${canary}\x1b[31m`];
const broken = Object.entries(samples).flatMap(([name, { bad, company }]) =>
  [...bad, ...brokenEverywhere].map((text) => ({ name, text, env: { ...company, [name]: text } })),
);

/** Any other error, or no error, fails the test. */
function refusalOf(env: Record<string, string>): ConfigError {
  try {
    readConfig(env, cwd);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error(`accepted: ${JSON.stringify(env).slice(0, 200)}`);
}

test("every setting has valid and invalid sample values", () => {
  expect(Object.keys(samples).sort()).toEqual(settings.map(({ name }) => name).sort());
  for (const [name, { good, bad }] of Object.entries(samples)) {
    expect(good.length, name).toBeGreaterThan(0);
    expect(bad.length, name).toBeGreaterThan(0);
  }
});

describe("a valid value is accepted", () => {
  test.each(Object.entries(samples))("%s", (name, { good, pick, company }) => {
    for (const [text, value] of good) expect(pick(readConfig({ ...company, [name]: text }, cwd)), text).toEqual(value);
  });
});

test("more than 200 invalid environments are refused with the setting's name, and never show the value", () => {
  expect(broken.length).toBeGreaterThan(200);
  for (const { name, text, env } of broken) {
    const { problems, message } = refusalOf(env);
    expect([...new Set(problems.map((problem) => problem.name))], `${name}=${text.slice(0, 80)}`).toEqual([name]);
    expect(message, name).not.toContain(canary);
    expect(message.split("\n"), name).toHaveLength(problems.length);
    expect(message.length, name).toBeLessThan(500);
  }
});

test("two invalid settings are both named, and no secret is printed", () => {
  const secrets = settings.filter(({ secret }) => secret).map(({ name }) => [name, `${canary}-0123456789`]);
  const firstOfEach = Object.keys(samples).map((name) => broken.find((each) => each.name === name)!);
  for (const [turn, first] of firstOfEach.entries()) {
    for (const second of sampleOf(firstOfEach, { step: 8, turn })) {
      const env = { ...Object.fromEntries(secrets), [first.name]: first.text, [second.name]: second.text };
      const { problems, message } = refusalOf(env);
      expect(problems.map(({ name }) => name)).toEqual(expect.arrayContaining([first.name, second.name]));
      expect(message).not.toContain(canary);
    }
  }
});

test("every example in the documentation is a valid value", () => {
  // The examples of secrets and of the config file are paths that need not exist here.
  const plain = settings.filter(({ name, secret }) => !secret && name !== "MODSHELF_CONFIG_FILE");
  for (const { name, example } of plain) {
    expect(() => readConfig({ ...samples[name]?.company, [name]: example }, cwd), name).not.toThrow();
  }
});
