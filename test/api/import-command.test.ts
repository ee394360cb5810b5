// `modshelf import`, also as a real process beside the running server of the registry that it writes to.
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { CommandFailure, readCall, UsageError } from "#cli/command.js";
import { commands } from "#cli/commands.js";
import { runImportCommand } from "#cli/import.js";
import { applyWebSettings } from "#config/config.js";
import { run, useProcesses } from "#test/process/program.js";
import { siteUrl, testApp } from "#test/server/harness.js";
import { makeImportWorld } from "#test/worlds/import-world.js";

useProcesses();
const { site, ada } = await makeImportWorld();
const target = await testApp();
await target.make.user({ userName: "keeper" });

const settings = {
  MODSHELF_URL: siteUrl,
  MODSHELF_DATA_DIR: target.dataDir,
  ...(target.config.database.engine === "postgres" && { MODSHELF_DATABASE_URL: target.config.database.url }),
};
const { url } = site.config.http;
const { host } = new URL(url);
const start = ["import", "--from", url, "--private-host", host, "--rate", "100"];
const dieAt = fileURLToPath(new URL("../process/die-at.mjs", import.meta.url));

/** In this process, up to the first request. */
async function call(...args: string[]): Promise<number> {
  const read = readCall(commands, args);
  if (read.help) throw new Error("This asks for help");
  return runImportCommand(target.config, read.call);
}

test.each([
  [["--user", "ada"], "--owner is missing"],
  [["--owner", "keeper"], "Say one of --project"],
  [["--owner", "keeper", "--user", "ada", "--all"], "Say one of --project"],
  [["--owner", "keeper", "--owner", "ada", "--user", "ada"], "--owner can be given once"],
  [["--owner", "keeper", "--all"], "Say --yes to import all of"],
  [["--owner", "keeper", "--user", "ada", "--rate", "0"], "--rate is the number"],
  [["--owner", "keeper", "--user", "ada", "--kind", "npm"], "--kind is one of crmm, modrinth"],
  [["--owner", "keeper", "--user", "ada", "--map-user", "bob"], "--map-user needs SOURCE=LOCAL"],
])("%j is refused before anything is asked", async (args, sentence) => {
  await expect(call("import", "--from", url, ...args)).rejects.toThrow(UsageError);
  await expect(call("import", "--from", url, ...args)).rejects.toThrow(sentence);
});

test.each([
  [["--from", url, "--owner", "no-such-user"], 'There is no user "no-such-user" here.'],
  [["--from", url, "--owner", "keeper", "--map-user", "a=no-such-user"], 'There is no user "no-such-user" here.'],
  [
    ["--from", `${url}/feeds`, "--private-host", host, "--owner", "keeper"],
    "No registry that can be imported was found",
  ],
  [["--from", url, "--owner", "keeper"], "https://"],
  [["--from", "https://localhost", "--owner", "keeper"], "public internet"],
])("%j ends with a sentence", async (args, sentence) => {
  const ended = call("import", "--user", "ada", "--rate", "100", ...args);
  await expect(ended).rejects.toThrow(CommandFailure);
  await expect(ended).rejects.toThrow(sentence);
});

test("an import that is killed is continued by the next call, beside the running server", async () => {
  const args = [...start, "--owner", "keeper", "--user", ada.userName];
  const dying = { settings: { ...settings, DIE_AT: "publish: after commit" }, nodeArgs: ["--import", dieAt] };
  expect((await run(args, dying)).code).toBe(null);
  // Nothing of it is public before it is complete.
  expect(await target.as.anyone.get("/api/project/core-lib")).toFail(404);
  const done = await run([...args, "--json"], { settings });
  expect(done.code).toBe(0);
  // One version was there when the first call was killed; now its replacement is there too.
  expect(JSON.parse(done.stdout).counts.versions).toMatchObject({ created: 4, updated: 1, refused: 0 });
  const { body } = await target.as.anyone.get("/api/project/core-lib/version");
  const numbers = body.data.map(({ versionNumber }: { versionNumber: string }) => versionNumber);
  expect(numbers).toEqual(["1.1.0-beta", "1.0.0", "0.9.0"]);
  const [latest] = body.data;
  const file = await target.as.anyone.get(`/api/project/core-lib/version/${latest.id}/primary-file`);
  expect(file.bytes.length).toBe(latest.primaryFile.size);
});

test("settings of the web are in force", async () => {
  const setting = { name: "MODSHELF_SCANNER", value: JSON.stringify("127.0.0.1:1"), date_updated: 0, updated_by: null };
  await target.resources.db.insertInto("settings").values(setting).execute();
  // The running server would release the version otherwise.
  applyWebSettings(target.config, new Map([[setting.name, "127.0.0.1:1"]]));
  const some = await run([...start, "--owner", "keeper", "--project", "night-sky"], { settings });
  await target.resources.db.deleteFrom("settings").where("name", "=", setting.name).execute();
  applyWebSettings(target.config, new Map());
  // The scanner does not answer, so the version waits.
  expect([some.code, some.stdout]).toEqual([2, expect.stringContaining("publication of night-sky: ")]);
});

test("refusals are listed, and have an exit code of their own", async () => {
  const refs = ["--project", "candle", "--project", "secret-draft"];
  const some = await run([...start, "--owner", "keeper", ...refs], { settings });
  const reason = "project secret-draft: The source has no project";
  expect([some.code, some.stdout]).toEqual([2, expect.stringContaining(reason)]);
  expect(some.stdout).toContain("projects:      1 created, 1 refused");
  expect(await target.as.anyone.get("/api/project/candle")).toSucceed();
});
