// Publishing from builds: action.yml and the GitLab snippet of the docs are run as a runner does, with the packed
// program and a build service that vouches for them. And builds that are killed.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { TestClock, uniqueName } from "#test/server/harness.js";
import { type Claims, startBuildService } from "#test/setup/build-service.js";
import { modBytes, openPublishingWorld, startProxy } from "./publishing-world.js";
import { startShelf } from "./shelf.js";

const root = join(import.meta.dirname, "../..");
const clock = new TestClock();
const hub = await startBuildService(clock);
const lab = await startBuildService(clock);
const issuers = { MODSHELF_TRUSTED_ISSUERS: `github:${hub.url},gitlab:${lab.url}` };
const { world, url, folder, project, write, shelf, numbers, author, env } = await openPublishingWorld({
  clock,
  settings: issuers,
});

/** The service of a runner that makes identity tokens. */
let claims: Claims = {};
const vouchers = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? "", "http://runner");
  if (request.headers.authorization !== "Bearer runner-secret") return void response.writeHead(401).end();
  const value = hub.token({ aud: searchParams.get("audience"), ...claims });
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ count: value.length, value }));
}).listen(0, "127.0.0.1");
await once(vouchers, "listening");
afterAll(async () => {
  vouchers.close();
  await Promise.all([hub.stop(), lab.stop()]);
});
const runnerUrl = `http://127.0.0.1:${(vouchers.address() as AddressInfo).port}/token?api-version=2.0`;

async function trusting(publisher: object, options = {}) {
  const made = await project(options);
  expect(await world.as.user(author).post(`/api/project/${made.id}/trusted-publishers`, publisher)).toSucceed();
  return made;
}
const onGithub = { issuer: hub.url, repository: "octo/dusk-lamps", workflow: "publish.yml" };
const onGitlab = { issuer: lab.url, repository: "guild/lamps/dusk", workflow: ".gitlab-ci.yml" };

let program = "";
let tarball = "";
beforeAll(async () => {
  const packed = join(folder, "package");
  mkdirSync(join(packed, "dist"), { recursive: true });
  for (const name of ["package.json", "LICENSE", "README.md"])
    cpSync(join(root, "packages/cli", name), join(packed, name));
  program = join(packed, "dist/shelf.cjs");
  const build = `import { buildCommandLine } from ${JSON.stringify(join(root, "scripts/packages.mjs"))};
    await buildCommandLine(${JSON.stringify(program)});`;
  await promisify(execFile)(process.execPath, ["--input-type=module", "-e", build]);
  await promisify(execFile)("npm", ["pack", "--ignore-scripts", packed, "--pack-destination", folder]);
  tarball = join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz"))!);
});

interface Run {
  code: number;
  log: string;
}

/** A script as a runner starts it, in a folder with the build's output. */
async function bash(script: string, cwd: string, variables: Record<string, string>): Promise<Run> {
  const path = write(`${uniqueName("script")}.sh`, script);
  const plain = {
    PATH: process.env.PATH,
    HOME: folder,
    npm_config_cache: join(folder, "npm"),
    npm_config_offline: "true",
    CI: "true",
  };
  const args = ["--noprofile", "--norc", "-eo", "pipefail", path];
  const run = promisify(execFile)("bash", args, { cwd, env: { ...plain, ...variables } });
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, log: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, log: stdout + stderr }),
  );
}

function buildFolder(bytes = modBytes()): string {
  const cwd = join(folder, uniqueName("checkout"));
  mkdirSync(join(cwd, "build/libs"), { recursive: true });
  writeFileSync(join(cwd, "build/libs/lamps-1.0.0.jar"), bytes);
  return cwd;
}

const action = parse(readFileSync(join(root, "action.yml"), "utf8"));

/** Runs the steps of action.yml with these inputs, and returns its outputs. */
async function runAction(inputs: Record<string, string>, cwd: string) {
  const [output, summary] = [write(uniqueName("output"), ""), write(uniqueName("summary"), "")];
  const given = (name: string): string => inputs[name] ?? action.inputs[name].default ?? "";
  const fill = (text: string) => text.replace(/\$\{\{ inputs\.([a-z-]+) \}\}/g, (_, name: string) => given(name));
  const runner = {
    ...{ GITHUB_ACTIONS: "true", GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary, RUNNER_TEMP: folder },
    ...{ ACTIONS_ID_TOKEN_REQUEST_URL: runnerUrl, ACTIONS_ID_TOKEN_REQUEST_TOKEN: "runner-secret" },
  };
  let last: Run = { code: 0, log: "" };
  for (const step of action.runs.steps) {
    expect([step.shell, step.run]).toEqual(["bash", expect.not.stringContaining("${{")]);
    const own = Object.fromEntries(Object.entries<string>(step.env).map(([name, text]) => [name, fill(text)]));
    last = await bash(step.run, cwd, { ...runner, ...own });
  }
  const written = readFileSync(output, "utf8").matchAll(/^([a-z-]+)<<(\w+)\n(.*?)\n\2\n/gms);
  const byName = Object.fromEntries([...written].map(([, name, , value]) => [name, value]));
  const outputs = Object.entries<{ value: string }>(action.outputs).map(([name, { value }]) => [
    name,
    byName[/^\$\{\{ steps\.publish\.outputs\.([a-z-]+) \}\}$/.exec(value)![1]!],
  ]);
  return { ...last, outputs: Object.fromEntries(outputs), summary: readFileSync(summary, "utf8") };
}

describe("the action", () => {
  test("runs the program of this version, and documents name that version", () => {
    const { version } = JSON.parse(readFileSync(join(root, "packages/cli/package.json"), "utf8"));
    expect(action.inputs.cli.default).toBe(`modshelf-cli@${version}`);
    const page = readFileSync(join(root, "docs/publishing-from-ci.md"), "utf8");
    const named = [...page.matchAll(/(?:modshelf-cli@|modshelf@v)([\d.]+\d)/g)].map(([, one]) => one);
    expect(named.length).toBeGreaterThan(3);
    expect([...new Set(named)]).toEqual([version]);
  });

  test("publishes without a secret, once, however often it runs", async () => {
    const { slug } = await trusting(onGithub);
    const cwd = buildFolder();
    const inputs = {
      ...{ host: url, project: slug, files: "build/libs/lamps-*.jar", cli: tarball, featured: "true" },
      ...{
        changelog: '- "quoted" $(touch hacked) `x`\n- two',
        "game-versions": "0.4.8\n0.4.6\n",
        title: "--help $HOME",
      },
    };
    const first = await runAction(inputs, cwd);
    expect(first).toMatchObject({ code: 0, log: expect.stringContaining("✓ Live: ") });
    const address = `${url}/project/${slug}/version/1.0.0`;
    expect(first.outputs).toEqual({
      ...{ "version-id": expect.any(String), "version-number": "1.0.0", url: address, state: "live" },
      outcome: "published",
    });
    expect(first.summary).toContain(`| Address | ${address} |`);
    const { data } = (await world.as.anyone.get(`/api/project/${slug}/version/1.0.0`)).body;
    expect(data).toMatchObject({
      ...{ changelog: inputs.changelog, gameVersions: ["0.4.8", "0.4.6"], title: "--help $HOME", featured: true },
      provenance: { repository: "Octo/Dusk-Lamps", workflow: "publish.yml" },
    });
    const second = await runAction(inputs, cwd);
    expect(second).toMatchObject({ code: 0, outputs: { ...first.outputs, outcome: "unchanged" } });
    expect(await numbers(slug)).toEqual(["1.0.0"]);
    expect(readdirSync(cwd)).toEqual(["build"]);
    expect(first.log + second.log).not.toMatch(/msp_|runner-secret|eyJ/);
  });

  test("says which build is not trusted, and what to do", async () => {
    const { slug } = await trusting({ ...onGithub, workflow: "other.yml" });
    const failed = await runAction(
      { host: url, project: slug, files: "build/libs/*.jar", cli: tarball },
      buildFolder(),
    );
    expect(failed).toMatchObject({ code: 3, outputs: {}, summary: "" });
    expect(failed.log).toMatch(/^::error title=shelf::The identity token was rejected: .+ publish\.yml/m);
    expect(failed.log).toContain(`${url}/project/${slug}/settings/publishing`);
  });
});

test("the GitLab snippet of the docs publishes without a secret, once, however often it runs", async () => {
  const { slug } = await trusting(onGitlab, { visibility: "private" });
  const page = readFileSync(join(root, "docs/publishing-from-ci.md"), "utf8");
  const text = /## GitLab\n\n```yaml\n(.+?)```/s.exec(page)![1]!;
  const { publish } = parse(text.replaceAll("https://mods.example.org", url).replace(/modshelf-cli@[\d.]+/, tarball));
  const script = publish.script.join("\n").replace("--project lamps", `--project ${slug}`);
  const cwd = buildFolder(modBytes({ version: null }));
  for (const round of [1, 2]) {
    const identity = lab.gitlab({ aud: publish.id_tokens.SHELF_ID_TOKEN.aud });
    const runner = { GITLAB_CI: "true", CI_COMMIT_TAG: "v3.0.0-rc1", SHELF_ID_TOKEN: identity };
    expect([round, await bash(script, cwd, runner)]).toEqual([
      round,
      { code: 0, log: expect.stringContaining("The project is not public, so only its members see it") },
    ]);
  }
  expect(await numbers(slug)).toEqual(["3.0.0-rc1"]);
});

describe("identity tokens", () => {
  const file = write("identity.jar", modBytes());
  const withIdentity = { SHELF_TOKEN: "", CI: "true", SHELF_ID_TOKEN: lab.gitlab({ aud: url }) };

  test("are not given to a registry that asks for one of another site", async () => {
    const asked: string[] = [];
    const thief = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ audience: url, issuers: [] }));
    }).listen(0, "127.0.0.1");
    await once(thief, "listening");
    const host = `http://127.0.0.1:${(thief.address() as AddressInfo).port}`;
    const outcome = await shelf(["publish", file, "--project", "x", "--host", host], { env: withIdentity });
    thief.close();
    expect([outcome.code, outcome.err]).toEqual([
      3,
      expect.stringContaining("asks for an identity token of another site"),
    ]);
    expect(asked).toEqual(["/api/trusted-publishing"]);
  });

  test("that the runner does not make are exit code 6", async () => {
    const runner = { ACTIONS_ID_TOKEN_REQUEST_URL: runnerUrl, ACTIONS_ID_TOKEN_REQUEST_TOKEN: "wrong" };
    const outcome = await shelf(["publish", file, "--project", "x"], {
      env: { SHELF_TOKEN: "", CI: "true", ...runner },
    });
    expect([outcome.code, outcome.err]).toEqual([6, expect.stringContaining("gave no identity token (status 401)")]);
  });

  test("are refused for a build that a pull request started", async () => {
    const { slug } = await trusting(onGithub);
    claims = { event_name: "pull_request_target" };
    const runner = { ACTIONS_ID_TOKEN_REQUEST_URL: runnerUrl, ACTIONS_ID_TOKEN_REQUEST_TOKEN: "runner-secret" };
    const outcome = await shelf(["publish", file, "--project", slug], {
      env: { SHELF_TOKEN: "", CI: "true", ...runner },
    });
    claims = {};
    expect([outcome.code, outcome.err]).toEqual([3, expect.stringContaining("pull_request_target")]);
  });
});

describe("a build that is killed", () => {
  test.each(["before", "after"] as const)("when all is sent, %s the registry publishes", async (moment) => {
    const { slug } = await project();
    const path = write(`${uniqueName("killed")}.jar`, modBytes({}, 2 << 20));
    const proxy = await startProxy(url);
    const args = ["publish", path, "--project", slug, "--yes", "--host", proxy.url];
    const child = startShelf(program, args, { env: { PATH: process.env.PATH, ...env } });
    proxy[moment] = (what) => {
      if (!what.startsWith("POST") || !what.endsWith("/version")) return undefined;
      child.kill("SIGKILL");
      return "break";
    };
    const [, signal] = await once(child, "exit");
    expect(signal).toBe("SIGKILL");
    expect(await numbers(slug)).toEqual(moment === "before" ? [] : ["1.0.0"]);
    proxy[moment] = () => undefined;
    proxy.seen.length = 0;
    const again = await shelf([...args, "--json"]);
    expect([again.code, again.json.outcome]).toEqual([0, moment === "before" ? "published" : "unchanged"]);
    expect(proxy.seen.filter((what) => what.startsWith("PATCH"))).toEqual([]);
    expect(await numbers(slug)).toEqual(["1.0.0"]);
  });
});
