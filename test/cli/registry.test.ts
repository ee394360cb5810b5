// Commands that read from a registry, against a real server and against servers that lie.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { submit } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";
import { onFreePort } from "#test/setup/ports.js";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { shelf } from "./shelf.js";

const folder = mkdtempSync(join(tmpdir(), "modshelf-cli-registry-"));
const { world, url } = await onFreePort(async (port) => {
  const url = `http://127.0.0.1:${port}`;
  return { world: await testApp({ port, settings: { MODSHELF_URL: url } }), url };
});
const author = await world.make.user();
const library = await makeProject(world, author, { slug: "grass-api", name: "Grass API", status: "approved" });
await makeVersion(world, author, library.id, { versionNumber: "2.0.0", fileName: "grass-api-2.0.0.jar" });
const mod = await makeProject(world, author, { slug: "better-grass", name: "Better grass", status: "approved" });
for (const versionNumber of ["1.3.0", "1.4.0"])
  await makeVersion(world, author, mod.id, {
    ...{ versionNumber, fileName: `better-grass-${versionNumber}.jar` },
    dependencies: [{ projectId: library.id, versionId: null, type: "required" }],
  });
await world.app.jobs.settle();

const env = { SHELF_HOST: url, SHELF_CONFIG: join(folder, "config.json") };
const accounts = () => JSON.parse(readFileSync(env.SHELF_CONFIG, "utf8")).accounts;

const liars: Server[] = [];
/** A server that answers as it is told. */
async function lie(listener: RequestListener): Promise<Record<string, string>> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  liars.push(server);
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { SHELF_HOST: host, SHELF_CONFIG: join(folder, `${Math.random()}.json`) };
}
afterAll(() => {
  for (const liar of liars) {
    liar.closeAllConnections();
    liar.close();
  }
  rmSync(folder, { recursive: true });
});

describe("login", () => {
  test("prints code and address, opens the browser, waits for the approval, and stores the token", async () => {
    const opened = join(folder, "opened");
    const browser = join(folder, "browser.sh");
    writeFileSync(browser, `#!/bin/sh\necho "$1" > ${opened}.new && mv ${opened}.new ${opened}\n`);
    chmodSync(browser, 0o755);
    const running = shelf(["login"], { env: { ...env, BROWSER: browser, PATH: process.env.PATH! }, typed: "" });
    await expect.poll(() => readdirSync(folder)).toContain("opened");
    const address = new URL(readFileSync(opened, "utf8").trim());
    expect([address.origin, address.pathname]).toEqual([url, "/device"]);
    const code = address.searchParams.get("code")!;
    const page = await submit(world.as.user(author), "/device", { code, decision: "approve" }, url);
    expect(page.status).toBe(200);
    const { code: exitCode, out, err } = await running;
    expect(exitCode, err).toBe(0);
    expect(err).toContain(code);
    expect(out).toContain(author.userName);
    expect(accounts()[url]).toEqual({ token: expect.stringMatching(/^msp_/), userName: author.userName });
    expect(statSync(env.SHELF_CONFIG).mode & 0o777).toBe(0o600);
    expect([out, err].join()).not.toContain(accounts()[url].token);
  });

  test("whoami names the account, logout forgets the token and revokes it", async () => {
    expect((await shelf(["whoami", "--json"], { env })).json).toMatchObject({ host: url, userName: author.userName });
    const { token } = accounts()[url];
    expect(await world.as.bearer(token).get("/api/auth/me")).toSucceed();
    expect((await shelf(["logout", "--json"], { env })).json).toEqual({
      host: url,
      wasSignedIn: true,
      isRevoked: true,
    });
    expect(accounts()).toEqual({});
    expect(await world.as.bearer(token).get("/api/auth/me")).toFail(401);
    const signedOut = await shelf(["whoami"], { env });
    expect([signedOut.code, signedOut.err]).toEqual([3, expect.stringContaining("shelf login")]);
    expect((await shelf(["logout"], { env })).code).toBe(0);
  });

  test("takes a token from the standard input, and refuses other texts", async () => {
    const { value } = await world.make.token(author, { scopes: ["user_read"] });
    const good = await shelf(["login", "--token-stdin"], { env, typed: `${value}\n` });
    expect([good.code, accounts()[url].token]).toEqual([0, value]);
    for (const typed of ["", "nonsense", "x".repeat(100_000)])
      expect((await shelf(["login", "--token-stdin"], { env, typed })).code).toBe(1);
    const wrong = await shelf(["login", "--token-stdin"], { env, typed: value.replace(/....$/, "0000") });
    expect([wrong.code, accounts()[url].token]).toEqual([3, value]);
    await shelf(["logout"], { env });
  });

  test("is refused over a connection that others can read", async () => {
    const { code, err } = await shelf(["login", "--host", "http://mods.example.org"], { env });
    expect([code, err]).toEqual([1, expect.stringContaining("https://")]);
  });

  test("ends with a sentence if the user denies, and opens no page of another site", async () => {
    const opened = join(folder, "never");
    const browser = join(folder, "never.sh");
    writeFileSync(browser, `#!/bin/sh\ntouch ${opened}\n`);
    chmodSync(browser, 0o755);
    const answers: Record<string, [number, object]> = {
      "/api/device/code": [
        200,
        {
          ...{ device_code: "d", user_code: "BCDF-GHJK", expires_in: 60, interval: -1 },
          ...{ verification_uri: "https://evil.example/", verification_uri_complete: "file:///etc/passwd" },
        },
      ],
      "/api/device/token": [400, { success: false, code: "approvalDenied", message: "No" }],
    };
    const liar = await lie(({ url = "" }, response) => {
      const [status, body] = answers[url] ?? [404, {}];
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    const { code, err } = await shelf(["login"], { env: { ...liar, BROWSER: browser }, typed: "" });
    expect([code, err]).toEqual([3, expect.stringContaining("denied in the browser")]);
    expect(readdirSync(folder)).not.toContain("never");
  });
});

describe("search", () => {
  test("finds projects, with filters", async () => {
    const { out } = await shelf(["search", "better", "grass"], { env });
    expect(out).toContain("better-grass");
    const { json } = await shelf(["search", "grass", "--limit", "1", "--json"], { env });
    expect([json.hits.length, json.total]).toEqual([1, 2]);
    for (const args of [
      ["-v", "99.0"],
      ["-l", "nothing"],
    ]) {
      const none = await shelf(["search", "grass", ...args], { env });
      expect([none.code, none.out]).toEqual([4, "Nothing was found.\n"]);
    }
  });

  test.each([
    [["search"], 1, "Something is missing."],
    [["search", "x", "--limit", "0"], 1, "is not a number from 1 to 100"],
    [["search", "x", "--channel", "gamma"], 1, 'There is no channel "gamma".'],
    [["serach", "x"], 1, "Did you mean: shelf search"],
    [["info", "a@b@c"], 1, "does not name a project"],
    [["info", "no-such-project"], 4, "Project not found"],
    [["info", "better-grass@9.9"], 4, "Version not found"],
    [["completion", "cmd"], 1, 'There is no script for "cmd".'],
  ])("%j", async (args, exitCode, sentence) => {
    const { code, err } = await shelf(args, { env });
    expect([code, err]).toEqual([exitCode, expect.stringContaining(sentence)]);
  });
});

test("info shows facts, files with their hashes, and dependencies", async () => {
  const { out } = await shelf(["info", "better-grass@1.3.0"], { env });
  for (const text of ["Better grass", "1.3.0", "better-grass-1.3.0.jar", "sha512 ", "grass-api", "required"])
    expect(out).toContain(text);
  const { json } = await shelf(["info", "better-grass", "--json"], { env });
  expect(json.version.versionNumber).toBe("1.4.0");
  expect(json.dependencies).toMatchObject([{ project: "grass-api", type: "required" }]);
});

describe("download", () => {
  const into = join(folder, "mods");

  test("stores the verified file, with what it needs, and never another time", async () => {
    const first = await shelf(["download", "better-grass@1.3.0", "-o", into, "--json"], { env });
    expect(first.json.files).toMatchObject([{ project: "better-grass", version: "1.3.0", isUnchanged: false }]);
    const second = await shelf(["download", "better-grass@1.3.0", "-o", into, "--with-deps"], { env });
    expect(second.code, second.err).toBe(0);
    expect(readdirSync(into).sort()).toEqual(["better-grass-1.3.0.jar", "grass-api-2.0.0.jar"]);
  });

  test("leaves another file of that name as it is", async () => {
    const path = join(into, "better-grass-1.4.0.jar");
    writeFileSync(path, "mine");
    const { code, err } = await shelf(["download", "better-grass", "-o", into], { env });
    expect([code, err, readFileSync(path, "utf8")]).toEqual([5, expect.stringContaining("another file"), "mine"]);
  });

  const version = (file: object) => ({
    success: true,
    data: { versionNumber: "1", primaryFile: { name: "x.jar", size: 3, sha512_hash: "0".repeat(128), ...file } },
  });
  test.each([
    ["a wrong hash", {}, 1],
    ["a name that leaves the folder", { name: "../x.jar" }, 1],
    ["a page in place of an answer", undefined, 6],
  ])("leaves nothing behind after %s", async (_, file, exitCode) => {
    const target = mkdtempSync(join(folder, "lied-"));
    let host = "";
    const liar = await lie(({ url = "" }, response) => {
      if (url.endsWith("/file")) return response.end("abc");
      if (!file) return response.writeHead(200, { "content-type": "text/html" }).end("<h1>Welcome</h1>");
      response.writeHead(200, { "content-type": "application/json" });
      return response.end(JSON.stringify(version({ url: `${host}/file`, ...file })));
    });
    host = liar.SHELF_HOST!;
    const { code, err } = await shelf(["download", "x", "-o", target], { env: liar });
    expect(code, err).toBe(exitCode);
    expect(readdirSync(target)).toEqual([]);
  });

  test("says that the folder cannot be written to", async () => {
    const file = join(folder, "a-file");
    writeFileSync(file, "");
    const { code, err } = await shelf(["download", "grass-api", "-o", join(file, "mods")], { env });
    expect(code).toBe(1);
    expect(err).toContain("is not a folder");
  });
});

describe("completion", () => {
  const complete = (script: string, words: string[]): string[] => {
    const setUp = `COMP_WORDS=(shelf ${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length}`;
    const text = `${script}\n${setUp}; _shelf; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync("bash", ["-c", text], { encoding: "utf8" }).trim().split("\n");
  };

  test("bash completes commands and the options of each", async () => {
    const { out } = await shelf(["completion", "bash"]);
    expect(complete(out, ["lo"]).sort()).toEqual(["login", "logout"]);
    expect(complete(out, [""])).toEqual(expect.arrayContaining(["search", "help", "completion"]));
    expect(complete(out, ["download", "x", "--w"])).toEqual(["--with-deps"]);
    expect(complete(out, ["search", "-"])).toEqual(expect.arrayContaining(["-v", "-l", "--json"]));
    expect(complete(out, ["nonsense", "-"])).toEqual([""]);
  });

  test.each(["zsh", "fish", "pwsh"])("%s gets a script with every command", async (shell) => {
    const { out, code } = await shelf(["completion", shell]);
    expect(code).toBe(0);
    for (const name of ["search", "login", "with-deps"]) expect(out).toContain(name);
  });
});
