// How the arguments of `modshelf` are parsed.
import { describe, expect, test } from "vitest";
import { type Command, readCall, UsageError } from "./command.js";
import { commands } from "./commands.js";

const read = (...words: string[]) => readCall(commands, words);
const nameOf = (command: Command | undefined) => command?.usage.split(" ")[0];

describe("a call", () => {
  test("is read as the command, its words and its options, in any order", () => {
    expect(read("doctor", "--json")).toMatchObject({ help: false, call: { args: [], flags: new Set(["--json"]) } });
    expect(read("--json", "doctor")).toMatchObject({ help: false, call: { args: [], flags: new Set(["--json"]) } });
    expect(read("admin", "suspend", "Bob", "for", "spam")).toMatchObject({
      call: { args: ["Bob", "for", "spam"], flags: new Set() },
    });
  });

  test("takes the values of options, before or after them, joined or not, and several times", () => {
    const words = ["import", "--from", "https://a.example", "--project=lamps", "--all", "--project", "tools"];
    const values = new Map([
      ["--from", ["https://a.example"]],
      ["--project", ["lamps", "tools"]],
    ]);
    expect(read(...words)).toMatchObject({ help: false, call: { args: [], flags: new Set(["--all"]), values } });
    expect(read("import", "--from", "--help")).toMatchObject({ help: false });
  });

  test("takes everything after -- as arguments, even if it looks like an option", () => {
    expect(read("admin", "reset", "--", "--help")).toMatchObject({ help: false, call: { args: ["--help"] } });
    expect(read("admin", "suspend", "--", "-h", "--", "--json")).toMatchObject({
      call: { args: ["-h", "--", "--json"], flags: new Set() },
    });
  });

  test("asks for help anywhere, even with unknown arguments", () => {
    for (const words of [
      ["serve", "--help"],
      ["--help", "serve"],
      ["serve", "too", "many", "-h"],
    ]) {
      const found = read(...words);
      expect([found.help, nameOf(found.command)]).toEqual([true, "serve"]);
    }
    expect(read("nonsense", "--help")).toEqual({ help: true, command: undefined });
  });

  test.each([
    [[], 'no command ""'],
    [["Serve"], 'no command "Serve"'],
    [["constructor"], 'no command "constructor"'],
    [["serve", "--port"], "no option --port"],
    [["doctor", "--json=yes"], "no option --json=yes"],
    [["admin"], "create, reset, reset-second-factor, role, suspend, unsuspend"],
    [["config", "print"], 'not "print"'],
    [["doctor", "--from", "x"], "no option --from"],
    [["import", "--all", "--from"], "--from needs a value"],
    [["import", "--from=", "--all"], "--from needs a value"],
    [["admin", "role", "Bob"], "Something is missing"],
    [["version", "--", "--help"], '"--help" is one word too many'],
  ])("%j is refused", (words, sentence) => {
    expect(() => read(...words)).toThrow(UsageError);
    expect(() => read(...words)).toThrow(sentence);
  });
});

test("every command is distinguished by its words, and has a description", () => {
  const words = commands.map(({ usage }) => usage.replace(/\s+[A-Z[].*$/, ""));
  expect(new Set(words).size).toBe(commands.length);
  for (const { usage, summary } of commands)
    expect([usage, summary.length > 0]).toEqual([expect.stringMatching(/^[a-z]/), true]);
});
