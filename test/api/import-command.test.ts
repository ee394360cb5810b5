// `modshelf import` as a real process beside the running server of the registry that it writes to.
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
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
const start = ["import", "--from", url, "--private-host", new URL(url).host, "--rate", "100"];
const importing = (...args: string[]) => run([...start, ...args], { settings });
const dieAt = fileURLToPath(new URL("../process/die-at.mjs", import.meta.url));

test("a call that does not say enough is refused before anything is asked", async () => {
  const calls = [
    [["--user", "ada"], "--owner is missing"],
    [["--owner", "keeper"], "Say one of --project"],
    [["--owner", "keeper", "--user", "ada", "--all"], "Say one of --project"],
    [["--owner", "keeper", "--all"], "Say --yes to import all of"],
    [["--owner", "keeper", "--user", "ada", "--rate", "0"], "--rate is the number"],
    [["--owner", "keeper", "--user", "ada", "--kind", "npm"], "--kind is one of crmm, modrinth"],
  ] as const;
  const answers = await Promise.all(calls.map(([args]) => run(["import", "--from", url, ...args], { settings })));
  for (const [at, [, sentence]] of calls.entries())
    expect([answers[at]!.code, answers[at]!.stderr]).toEqual([64, expect.stringContaining(sentence)]);
});

test("an unknown owner and a source that is no registry end with a sentence", async () => {
  const unknown = await importing("--owner", "nobody-here", "--user", "ada");
  expect([unknown.code, unknown.stderr]).toEqual([1, 'There is no user "nobody-here" here.\n']);
  const other = ["import", "--from", `${url}/feeds`, "--private-host", new URL(url).host, "--rate", "100"];
  const none = await run([...other, "--owner", "keeper", "--user", "ada"], { settings });
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("No registry that can be imported was found")]);
  const priv = await run(["import", "--from", url, "--owner", "keeper", "--user", "ada"], { settings });
  expect([priv.code, priv.stderr]).toEqual([1, expect.stringContaining("https://")]);
});

test("an import that is killed is continued by the next call, beside the running server", async () => {
  const args = [...start, "--owner", "keeper", "--user", ada.userName];
  const dry = await run([...args, "--dry-run"], { settings });
  expect([dry.code, dry.stdout]).toEqual([0, expect.stringContaining("projects:      2 to create")]);
  for (const point of ["publish: before commit", "publish: after commit"]) {
    const killed = await run(args, { settings: { ...settings, DIE_AT: point }, nodeArgs: ["--import", dieAt] });
    expect(killed.code).toBe(null);
  }
  // Nothing of it is public before it is complete.
  expect(await target.as.anyone.get("/api/project/core-lib")).toFail(404);
  const done = await run([...args, "--json"], { settings });
  expect(done.code).toBe(0);
  const report = JSON.parse(done.stdout);
  // One version was there when the second call was killed; now its replacement is there too.
  expect(report.counts.versions).toMatchObject({ created: 4, updated: 1, refused: 0 });
  const { body } = await target.as.anyone.get("/api/project/core-lib/version");
  expect(body.data.map(({ versionNumber }: { versionNumber: string }) => versionNumber)).toEqual([
    ...["1.1.0-beta", "1.0.0", "0.9.0"],
  ]);
  const [latest] = body.data;
  const file = await target.as.anyone.get(`/api/project/core-lib/version/${latest.id}/primary-file`);
  expect(file.bytes.length).toBe(latest.primaryFile.size);
});

test("refusals have an exit code of their own", async () => {
  const some = await importing("--owner", "keeper", "--project", "candle", "--project", "secret-draft");
  expect([some.code, some.stdout]).toEqual([
    2,
    expect.stringContaining("project secret-draft: The source has no project"),
  ]);
  expect(await target.as.anyone.get("/api/project/candle")).toSucceed();
});
