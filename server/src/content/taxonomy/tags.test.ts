import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { testApp } from "#test/server/harness.js";
import { getTaxonomy } from "./read.js";
import { installTaxonomy, TaxonomyError } from "./write.js";

const { as, resources } = await testApp();
const folder = mkdtempSync(join(tmpdir(), "modshelf-taxonomy-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("tags", () => {
  test("getProjectTypes answers names in the order of the file", async () => {
    const { body } = await as.anyone.get("/api/tags/project-types");
    expect(body).toEqual(["mod", "datamod", "resource-pack", "shader", "modpack", "plugin", "world"]);
  });

  test("getLoaders filters by type; an unknown type has none", async () => {
    expect((await as.anyone.get("/api/tags/loaders?type=shader")).body).toEqual([
      { name: "simply_shaders", supportedProjectTypes: ["shader"] },
    ]);
    expect((await as.anyone.get("/api/tags/loaders")).body).toHaveLength(5);
    expect((await as.anyone.get("/api/tags/loaders?type=nope")).body).toEqual([]);
  });

  test("getCategories answers categories, or only their names", async () => {
    const { body } = await as.anyone.get("/api/tags/categories?type=shader");
    expect(body).toContainEqual({
      name: "potato",
      projectTypes: ["shader"],
      type: "performance_impact",
      isDisplayed: expect.any(Boolean),
    });
    const names = (await as.anyone.get("/api/tags/categories?type=shader&namesOnly=true")).body;
    expect(names).toEqual(body.map((category: { name: string }) => category.name));
    expect((await as.anyone.get("/api/tags/categories?type=nope")).body).toEqual([]);
  });

  test("getGameVersions comes newest first with label, value, releaseType and major", async () => {
    const { body } = await as.anyone.get("/api/tags/game-versions");
    expect(body.length).toBeGreaterThan(100);
    expect(body[0]).toEqual({
      label: expect.any(String),
      value: expect.any(String),
      releaseType: expect.any(String),
      major: false,
    });
    expect(body).toContainEqual({ label: "0.5", value: "0.5.0", releaseType: "alpha", major: false });
  });

  test("getLicenses, getFeaturedLicenses and getLicense answer SPDX licenses and the site's own", async () => {
    const { body } = await as.anyone.get("/api/tags/licenses");
    expect(body.length).toBeGreaterThan(600);
    expect((await as.anyone.get("/api/tags/licenses/featured")).body).toHaveLength(17);
    expect((await as.anyone.get("/api/tags/licenses/mit")).body).toEqual({
      name: "MIT License",
      licenseId: "MIT",
      url: expect.any(String),
    });
    expect((await as.anyone.get("/api/tags/licenses/all-rights-reserved")).body.licenseId).toBe("all-rights-reserved");
    expect(await as.anyone.get("/api/tags/licenses/nope")).toFail(404, "licenseNotFound");
  });

  test("getApiScopes lists all 38", async () => {
    expect((await as.anyone.get("/api/tags/api-scopes")).body).toHaveLength(38);
  });

  test("answers are cacheable and conditional", async () => {
    const first = await as.anyone.get("/api/tags/licenses");
    expect(first.headers.get("cache-control")).toBe("public, max-age=300");
    const again = await as.anyone.get("/api/tags/licenses", {
      headers: { "if-none-match": first.headers.get("etag")! },
    });
    expect(again.status).toBe(304);
    expect(again.text).toBe("");
  });
});

describe("an operator's file", () => {
  const file = join(folder, "taxonomy.yaml");

  test("replaces the default at once on every route", async () => {
    const own = await testApp();
    writeFileSync(
      file,
      "projectTypes: [map]\nloaders:\n  - {name: engine, projectTypes: [map]}\ngameVersions: ['2.0', '1.0']\n",
    );
    await installTaxonomy(own.resources, file);
    expect((await own.as.anyone.get("/api/tags/project-types")).body).toEqual(["map"]);
    expect(
      (await own.as.anyone.get("/api/tags/game-versions")).body.map((version: { value: string }) => version.value),
    ).toEqual(["2.0", "1.0"]);
    // Installing the same file again changes nothing; returning to the default does.
    expect(await installTaxonomy(own.resources, file)).toBe(false);
    expect(await installTaxonomy(own.resources, undefined)).toBe(true);
    expect((await own.as.anyone.get("/api/tags/project-types")).body).toContain("mod");
    await own.stop();
  });

  test("with a mistake is refused with its line, and the previous one stays in force", async () => {
    writeFileSync(
      file,
      "projectTypes: [map]\nloaders:\n  - {name: engine, projectTypes: [nope]}\ngameVersions: ['1.0']\n",
    );
    const before = await getTaxonomy(resources);
    await expect(installTaxonomy(resources, file)).rejects.toThrow(TaxonomyError);
    await expect(installTaxonomy(resources, file)).rejects.toThrow(/3[:,]/);
    expect(await getTaxonomy(resources)).toBe(before);
  });
});
