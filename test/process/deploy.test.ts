// The files for containers and systemd: they are valid, and the server accepts their settings. No container engine is
// needed; packed.test.ts starts the program as these files do.
import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { readConfig } from "#config/config.js";
import { root } from "#test/setup/packed.js";
import { temporaryFolder, useProcesses } from "./program.js";

useProcesses();

interface Service {
  image: string;
  environment?: Record<string, string>;
  volumes?: string[];
  depends_on?: string[] | Record<string, unknown>;
  [option: string]: unknown;
}

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const values: Record<string, string> = {
  SITE: "mods.example.org",
  SECRET_KEY: randomBytes(32).toString("hex"),
  POSTGRES_PASSWORD: randomBytes(32).toString("hex"),
  S3_USER: randomBytes(10).toString("hex"),
  S3_PASSWORD: randomBytes(32).toString("hex"),
};
/** As docker compose does; an unknown variable without a default becomes empty. */
const fillIn = (text: string): string =>
  text.replaceAll(/\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g, (_, name, byDefault) => values[name] ?? byDefault ?? "");

const manifest = JSON.parse(read("package.json"));
const dockerfile = read("Dockerfile").replaceAll("\\\n", "");
const imageSettings = Object.fromEntries(
  [...dockerfile.matchAll(/^ENV (.*)$/gm)].flatMap(([, line = ""]) => line.split(" ").map((pair) => pair.split("="))),
);
const pathsIn = (pattern: RegExp, text: string): string[] => [...text.matchAll(pattern)].map(([, path]) => path!);

describe.each([
  ["compose.yaml", 1],
  ["compose.cluster.yaml", 2],
])("%s", (path, count) => {
  const { services, volumes } = parse(read(path), { merge: true }) as {
    services: Record<string, Service>;
    volumes: Record<string, null>;
  };
  const nodes = Object.values(services).filter(({ image }) => image === "modshelf");

  test("has settings that the server accepts", () => {
    expect(nodes).toHaveLength(count);
    for (const { environment = {} } of nodes) {
      const filled = Object.entries(environment).map(([name, value]) => [name, fillIn(value)]);
      const config = readConfig({ ...imageSettings, ...Object.fromEntries(filled) }, temporaryFolder());
      expect(config.dataDir).toBe("/data");
    }
  });

  test("gives the server no rights that it does not need", () => {
    for (const node of nodes)
      expect(node).toMatchObject({
        read_only: true,
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
        volumes: expect.arrayContaining([expect.stringMatching(/:\/data$/)]),
      });
  });

  test("names only services, volumes and files that exist", () => {
    const all = Object.values(services);
    const sources = all.flatMap(({ volumes = [] }) => volumes.map((one) => one.split(":")[0]!));
    const named = sources.filter((source) => !source.startsWith("./"));
    expect(new Set(named)).toEqual(new Set(Object.keys(volumes)));
    expect(sources.filter((source) => source.startsWith("./") && !existsSync(join(root, source)))).toEqual([]);
    const needed = all.flatMap(({ depends_on: on = [] }) => (Array.isArray(on) ? on : Object.keys(on)));
    expect(needed.filter((name) => !(name in services))).toEqual([]);
    const proxied = pathsIn(/(\w+):3000/g, read("deploy/Caddyfile"));
    if ("caddy" in services) expect(proxied.filter((name) => !(name in services))).toEqual([]);
  });
});

describe("the image", () => {
  test("is built from files that exist and are sent to the builder", () => {
    const sent = pathsIn(/^!(.*)$/gm, read(".dockerignore")).map((path) => path.replace(/\/\*.*$/, ""));
    expect(sent.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const packed = [...manifest.files, "LICENSE", "README.md"].map((path: string) => path.split("/")[0]!);
    expect(packed.filter((path) => path !== "dist" && !sent.includes(path))).toEqual([]);
    expect(dockerfile).toContain(`ENTRYPOINT ["node", "/app/${manifest.bin.modshelf}"]`);
  });

  test("has a recent Node.js, a user without rights and no architecture", () => {
    const [, major] = /^ARG NODE=(\d+)$/m.exec(dockerfile) ?? [];
    expect(Number(major)).toBeGreaterThan(24);
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(dockerfile).not.toMatch(/amd64|arm64|x64|--platform/);
  });
});

describe("the unit of systemd", () => {
  const unit = read("deploy/modshelf.service");

  test("has settings that the server accepts", () => {
    const pairs = pathsIn(/^Environment=(.*)$/gm, unit).flatMap((line) => line.split(" "));
    const settings = Object.fromEntries(pairs.map((pair) => pair.split("=")));
    expect(readConfig(settings, temporaryFolder()).dataDir).toBe("/var/lib/modshelf");
    expect(unit).toContain("StateDirectory=modshelf\n");
  });

  const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
  test.runIf(hasSystemd)("is valid and has little exposure", () => {
    const folder = temporaryFolder();
    const path = join(folder, "modshelf.service");
    // The program is not installed on this machine.
    writeFileSync(path, unit.replace(/^ExecStart=\S+/m, "ExecStart=/bin/true"));
    const verified = spawnSync("systemd-analyze", ["verify", path], { encoding: "utf8" });
    expect(verified).toMatchObject({ status: 0, stderr: expect.not.stringContaining("modshelf.service") });
    const report = execFileSync("systemd-analyze", ["security", "--offline=true", path], { encoding: "utf8" });
    const [, exposure] = /exposure level[^:]*: ([\d.]+)/.exec(report) ?? [];
    expect(Number(exposure)).toBeLessThanOrEqual(2);
  });
});
