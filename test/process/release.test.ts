// The release script: the texts that it would write, its refusals, and that a dry run changes nothing.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { root } from "#test/setup/packed.js";

const { nameComponents, planRelease, releaseFiles, toChecksums } = await import(join(root, "scripts/release-plan.mjs"));

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const withChangelog = (changelog: string) => (path: string) => (path === "CHANGELOG.md" ? changelog : read(path));
const changelog = "# Changelog\n\n## Unreleased\n\n- A new thing.\n\n## 0.1.0 (2026-01-01)\n\n- The first.\n";

describe("the plan of a release", () => {
  const { texts, notes } = planRelease(withChangelog(changelog), "7.8.9", "2027-02-03");

  test("has one version in every manifest and in the lock file, and changes nothing else there", () => {
    const paths = [...texts.keys()].filter((path) => path.endsWith(".json"));
    expect(paths).toEqual([
      "package.json",
      "packages/client/package.json",
      "packages/cli/package.json",
      "package-lock.json",
    ]);
    for (const path of paths) {
      const lines = read(path).split("\n");
      const differing = (texts.get(path) as string).split("\n").filter((line, at) => line !== lines[at]);
      expect(new Set(differing.map((line) => line.trim()))).toEqual(new Set(['"version": "7.8.9",']));
      expect(differing).toHaveLength(path === "package-lock.json" ? 4 : 1);
    }
  });

  test("names the version in the instructions for builds", () => {
    expect(texts.get("action.yml")).toContain("default: modshelf-cli@7.8.9\n");
    expect(texts.get("docs/publishing-from-ci.md")).toContain("OWNER/modshelf@v7.8.9\n");
    const { version } = JSON.parse(read("package.json"));
    expect(
      [...texts.values()].filter((text) => /modshelf(?:-cli)?@v?\d/.test(text) && text.includes(`@${version}`)),
    ).toEqual([]);
  });

  test("turns the top section of the changelog into the release", () => {
    expect(notes).toBe("- A new thing.\n");
    expect(texts.get("CHANGELOG.md")).toBe(changelog.replace("Unreleased", "7.8.9 (2027-02-03)"));
    const only = "# Changelog\n\n## Unreleased\n\n### Part\n\n- One.\n";
    expect(planRelease(withChangelog(only), "1.0.0-beta.1", "2027-02-03").notes).toBe("### Part\n\n- One.\n");
  });

  test("changes nothing in the commit of the release", () => {
    const released = (path: string): string => texts.get(path) ?? read(path);
    const again = planRelease(released, "7.8.9", "2028-01-01");
    expect(again).toEqual({ texts, notes });
    expect(() => planRelease(released, "7.9.0", "2028-01-01")).toThrow("Unreleased");
  });

  test.each(["", "1", "1.2", "v1.2.3", "1.2.3 ", "1.2.3-", "1.2.3; rm", "latest"])(
    "refuses the version %j",
    (version) => {
      expect(() => planRelease(read, version, "2027-02-03")).toThrow("is not a version");
    },
  );

  test.each(["# Changelog\n", "# Changelog\n\n## Unreleased\n\n## 0.1.0\n\n- Old.\n", "## 0.1.0\n\n- Old.\n"])(
    "refuses a changelog without news: %j",
    (text) => expect(() => planRelease(withChangelog(text), "1.2.3", "2027-02-03")).toThrow("Unreleased"),
  );
});

test("checksums have the form that sha256sum reads", () => {
  const hash = createHash("sha256").update("text").digest("hex");
  expect(toChecksums([["a.tgz", Buffer.from("text")]])).toBe(`${hash}  a.tgz\n`);
});

test("the bill of materials has the names of packages, not of folders", () => {
  const own = {
    "bom-ref": "modshelf@1.0.0",
    name: "checkout",
    properties: [{ name: "cdx:npm:package:private", value: "true" }],
  };
  const components = [
    { "bom-ref": "modshelf-cli@1.0.0", name: "cli" },
    { "bom-ref": "@fastify/busboy@3.2.0", name: "@fastify/busboy" },
  ];
  const { metadata, ...rest } = JSON.parse(
    nameComponents(JSON.stringify({ metadata: { component: own }, components })),
  );
  expect(metadata.component).toEqual({ "bom-ref": "modshelf@1.0.0", name: "modshelf", properties: [] });
  expect(rest.components.map(({ name }: { name: string }) => name)).toEqual(["modshelf-cli", "@fastify/busboy"]);
});

test("a dry run shows the notes and writes nothing", async () => {
  const before = releaseFiles.map(read);
  const isThere = existsSync(join(root, "release"));
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [join(root, "scripts/release.mjs"), "99.0.0", "--dry-run"],
    { cwd: root },
  );
  expect(stderr).toContain("Version 99.0.0 would change package.json, packages/client/package.json");
  expect(read("CHANGELOG.md")).toContain(stdout.trim());
  expect(releaseFiles.map(read)).toEqual(before);
  expect(existsSync(join(root, "release"))).toBe(isThere);
});
