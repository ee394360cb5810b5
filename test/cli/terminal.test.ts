// Texts, arguments and settings of the command line.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { findConfigFile, mayCarryToken, toHost } from "#shelf/accounts.js";
import { bold, toPrintable, toTable } from "#shelf/terminal.js";
import { shelf } from "./shelf.js";

const folder = mkdtempSync(join(tmpdir(), "modshelf-shelf-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("texts of a registry", () => {
  test("cannot control the terminal", () => {
    const hostile = "Nice\u001b]0;title\u0007 \u001b[2Jmod\r\u0008\u009b31m\u202e";
    expect(toPrintable(hostile, true)).toBe("Nice mod");
    expect(toPrintable(bold("Nice"), true)).toBe("\u001b[1mNice\u001b[22m");
    expect(toPrintable(bold("Nice"), false)).toBe("Nice");
  });

  test("stay in their columns, also in Chinese", () => {
    expect(
      toTable([
        ["模组", "1"],
        [bold("mod"), "2"],
      ]).map((line) => toPrintable(line, false)),
    ).toEqual(["模组  1", "mod   2"]);
  });
});

describe("arguments", () => {
  test.each([
    [["nonsense"], 'There is no command "nonsense".'],
    [["host"], "Something is missing."],
    [["host", "use", "a", "b"], '"b" is too much.'],
    [["host", "list", "--wrong"], "Unknown option '--wrong'."],
    [["host", "use", "ftp://x:y@example.org"], "is not the address of a registry."],
  ])("%j", async (args, sentence) => {
    const { code, err, out } = await shelf(args);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(sentence);
  });

  test("help lists every command and explains one", async () => {
    const all = await shelf(["help"]);
    expect(all.code).toBe(0);
    expect(all.out).toContain("host  ");
    expect((await shelf(["host", "--help"])).out).toContain("--no-color");
  });

  test("failures are documents with --json", async () => {
    const { code, json, err } = await shelf(["host", "use", "bad address", "--json"]);
    expect([code, err]).toEqual([1, ""]);
    expect(json.error).toMatchObject({ code: "badHost", advice: "Write it like this: https://mods.example.org" });
  });
});

describe("the settings file", () => {
  const env = { SHELF_CONFIG: join(folder, "deep", "config.json") };

  test("is for the user alone, and names the registry that was chosen", async () => {
    expect((await shelf(["host", "use", "mods.example.org/"], { env })).code).toBe(0);
    expect((await shelf(["host", "list", "--json"], { env })).json).toEqual([
      { url: "https://mods.example.org", isCurrent: true, userName: null },
    ]);
    if (process.platform !== "win32") expect(statSync(env.SHELF_CONFIG).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(env.SHELF_CONFIG, "utf8"))).toEqual({
      host: "https://mods.example.org",
      accounts: {},
    });
  });

  test("is not overwritten when it is damaged", async () => {
    writeFileSync(env.SHELF_CONFIG, "{");
    const { code, err } = await shelf(["host", "use", "mods.example.org"], { env });
    expect([code, readFileSync(env.SHELF_CONFIG, "utf8")]).toEqual([1, "{"]);
    expect(err).toContain("is not a settings file of shelf");
  });

  test("lies where the system keeps settings", () => {
    expect(findConfigFile({ XDG_CONFIG_HOME: "/x" })).toBe(join("/x", "shelf", "config.json"));
  });
});

test("tokens travel only over https, or inside of this computer", () => {
  const hosts = [
    "mods.example.org",
    "http://mods.example.org",
    "http://127.0.0.1:8080",
    "http://localhost",
    "http://[::1]:1",
  ];
  expect(hosts.map((host) => mayCarryToken(toHost(host)))).toEqual([true, false, true, true, true]);
  expect(mayCarryToken("http://127.0.0.1.example.org")).toBe(false);
});
