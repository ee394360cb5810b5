// Clients that common generators make from the OpenAPI document: they compile in strict mode, and publish a version on
// a real server. `npm test` uses one generator, `npm run test:long` three. All generated files are in a temporary
// folder.
import { type ExecFileOptions, execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jar } from "#test/callers/uploads.js";
import { testApp } from "#test/server/harness.js";
import { isLong } from "#test/setup/long.js";
import { makeProject } from "#test/worlds/content.js";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "modshelf-clients-"));
afterAll(() => rmSync(folder, { recursive: true }));

const world = await testApp();
const author = await world.make.user();
const project = await makeProject(world, author);
const library = await makeProject(world, author);
const token = await world.make.token(author, { scopes: ["version_create", "version_read"] });

/** Runs a Node.js program in the folder; a failure includes its output. */
const run = async (args: string[], options: ExecFileOptions = {}): Promise<string> => {
  const all = { cwd: folder, maxBuffer: 2 ** 24, ...options, env: { ...process.env, ...env, ...options.env } };
  const { stdout } = await promisify(execFile)(process.execPath, args, { ...all, encoding: "utf8" }).catch((error) => {
    throw new Error(`${args.join(" ")}\n${error.stdout}\n${error.stderr}`);
  });
  return stdout;
};
const env = { MODSHELF_ADDRESS: world.origin };
/** Some generators start further processes, which need the same copy of TypeScript. */
const generate = (...args: string[]) =>
  run(args, { env: { NODE_OPTIONS: `--import=${join(folder, "typescript-5.mjs")}` } });
const packages = join(root, "node_modules");

const strictly = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["es2022", "dom", "dom.iterable"],
    types: ["node"],
    skipLibCheck: true,
  },
};

/** How each client is generated. */
const generators: Record<string, () => Promise<string>> = {
  "openapi-fetch": () => generate("openapi-typescript.mjs", "openapi.json", "openapi-typescript.ts"),
  "hey-api": () =>
    generate(join(packages, "@hey-api/openapi-ts/bin/run.js"), "-i", "openapi.json", "-o", "hey-api", "--no-log-file"),
  orval: () => generate(join(packages, "orval/dist/bin/orval.mjs"), "--config", "orval.config.mjs"),
};
const tried = isLong ? Object.keys(generators) : ["openapi-fetch"];

beforeAll(async () => {
  cpSync(join(root, "test/clients"), folder, { recursive: true });
  symlinkSync(packages, join(folder, "node_modules"));
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ ...strictly, include: tried.map((name) => `${name}.ts`) }),
  );
  const { bytes } = await world.as.anyone.get("/api/docs/openapi.json");
  writeFileSync(join(folder, "openapi.json"), bytes);
  await Promise.all(tried.map((name) => generators[name]!()));
}, 300_000);

describe("a generated client", () => {
  test("compiles in strict mode, whichever generator made it", { timeout: 300_000 }, async () => {
    expect(await run([join(packages, "typescript/bin/tsc"), "-p", "."])).toBe("");
  });

  test.each(tried)("publishes a version and reads it: %s", async (name) => {
    const versionNumber = `1.0.0-${name}`;
    await build({
      entryPoints: [join(folder, `${name}.ts`)],
      outfile: join(folder, `${name}.mjs`),
      bundle: true,
      platform: "node",
      format: "esm",
      logLevel: "silent",
    });
    const said = await run([`${name}.mjs`], {
      env: {
        MODSHELF_TOKEN: token.value,
        MODSHELF_PROJECT: project.slug,
        MODSHELF_LIBRARY: library.slug,
        MODSHELF_NUMBER: versionNumber,
        MODSHELF_ARCHIVE: jar().toString("hex"),
      },
    });
    expect(JSON.parse(said)).toEqual({ published: versionNumber, latest: versionNumber, bytes: 4, status: 206 });
    const { body } = await world.as.anyone.get(`/api/project/${project.slug}/version/${versionNumber}`);
    expect(body.data).toMatchObject({
      featured: true,
      releaseChannel: "beta",
      loaders: ["quilt"],
      gameVersions: ["0.4.9", "0.4.8"],
      dependencies: [{ projectId: library.id, dependencyType: "required" }],
    });
    expect(body.data.files).toHaveLength(3);
  });
});
