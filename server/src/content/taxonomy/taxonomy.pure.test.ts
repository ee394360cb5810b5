import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseTaxonomy } from "./document.js";
import { spdxLicenses } from "./licenses.js";
import { compileTaxonomy, type Environments, readDefaultTaxonomyText } from "./taxonomy.js";

function taxonomyOf(text: string) {
  const parsed = parseTaxonomy(text, "test.yaml");
  if (!parsed.ok) throw new Error(parsed.report);
  return compileTaxonomy(parsed.document);
}

const taxonomy = taxonomyOf(readDefaultTaxonomyText());

describe("the lists of the tag routes", () => {
  test("project types come in the order of the file", () => {
    expect(taxonomy.projectTypes).toEqual(["mod", "datamod", "resource-pack", "shader", "modpack", "plugin", "world"]);
  });

  test("a game version has label, value, release type and major, newest first", () => {
    expect(taxonomy.gameVersions[0]).toEqual({ label: "0.5.13", value: "0.5.13", releaseType: "alpha", major: false });
    expect(taxonomy.gameVersions.find(({ value }) => value === "0.5.0")?.label).toBe("0.5");
    expect(taxonomy.gameVersions.find(({ value }) => value === "0.3.2-pre10")?.releaseType).toBe("pre-release");
    expect(taxonomy.gameVersions.at(-1)?.value).toBe("0.0.1");
    expect(new Set(taxonomy.gameVersions.map(({ releaseType }) => releaseType))).toEqual(
      new Set(["alpha", "pre-release"]),
    );
  });

  test("a category has name, project types, type and whether it is displayed", () => {
    const find = (name: string) => taxonomy.categories.find((category) => category.name === name);
    expect(find("bug-fix")).toEqual({ name: "bug-fix", projectTypes: ["mod"], type: "category", isDisplayed: true });
    expect(find("512x+")).toEqual({
      name: "512x+",
      projectTypes: ["resource-pack"],
      type: "resolution",
      isDisplayed: false,
    });
  });

  test("a loader has a name and supported project types, but no label", () => {
    expect(taxonomy.loaders[0]).toEqual({ name: "quilt", supportedProjectTypes: ["mod", "modpack", "world"] });
  });

  test("only the operator's own licenses have a text, and unset properties have no key", () => {
    const withText = taxonomy.licenses.filter((license) => "text" in license);
    expect(withText.map(({ licenseId }) => licenseId)).toEqual(["all-rights-reserved"]);
    expect(withText[0]).not.toHaveProperty("url");
    expect(taxonomy.findLicense("mit")).toEqual({
      name: "MIT License",
      licenseId: "MIT",
      url: "https://spdx.org/licenses/MIT.html",
    });
  });

  test("featured licenses come in the order of the file", () => {
    expect(taxonomy.featuredLicenses).toHaveLength(17);
    expect(taxonomy.featuredLicenses[0]?.licenseId).toBe("Apache-2.0");
  });

  test.each([
    ["mod", 20, 2],
    ["datamod", 19, 0],
    ["plugin", 17, 2],
    ["modpack", 12, 2],
    ["world", 18, 2],
    ["resource-pack", 29, 0],
    ["shader", 19, 1],
    ["nothing", 0, 0],
    ["constructor", 0, 0],
    [undefined, 80, 5],
  ])("type %s has %i categories and %i loaders", (type, categories, loaders) => {
    expect([taxonomy.categoriesFor(type).length, taxonomy.loadersFor(type).length]).toEqual([categories, loaders]);
  });

  test("a taxonomy is immutable", () => {
    const lists = [taxonomy.projectTypes, taxonomy.categoriesFor("mod"), taxonomy.loadersFor("mod"), taxonomy.licenses];
    for (const list of lists) expect(() => (list as unknown[]).push("x")).toThrow(TypeError);
    expect(() => Object.assign(taxonomy.gameVersions[0]!, { label: "x" })).toThrow(TypeError);
    expect(() => Object.assign(taxonomy.loaders[0]!.supportedProjectTypes, { 0: "x" })).toThrow(TypeError);
    expect(() => Object.assign(taxonomy, { isLoader: () => true })).toThrow(TypeError);
  });
});

describe("licenses", () => {
  test("are found without regard to case, but are valid only in the exact spelling", () => {
    expect(taxonomy.findLicense("lgpl-3.0-ONLY")?.licenseId).toBe("LGPL-3.0-only");
    expect(taxonomy.isLicenseId("LGPL-3.0-only")).toBe(true);
    expect(taxonomy.isLicenseId("lgpl-3.0-only")).toBe(false);
    expect(taxonomy.isLicenseId("all-rights-reserved")).toBe(true);
    expect(taxonomy.findLicense("__proto__")).toBeUndefined();
    expect(taxonomy.findLicense("")).toBeUndefined();
  });

  test("from the SPDX list exist only in their current form", () => {
    const ids = new Set(spdxLicenses.map(({ licenseId }) => licenseId));
    expect(ids.size).toBeGreaterThan(650);
    for (const id of ["GPL-3.0", "LGPL-3.0+", "GFDL-1.1", "BSD-2-Clause-FreeBSD", "bzip2-1.0.5", "Net-SNMP"]) {
      expect(ids).not.toContain(id);
    }
    // A newer list may deprecate more ids; deprecated ids have had these forms.
    const old = [...ids].filter((id) => id.endsWith("+") || /-with-.+-exception$/.test(id) || ids.has(`${id}-only`));
    expect(old).toEqual([]);
  });

  test("from the SPDX list are sorted by id, and no two ids differ only in case", () => {
    const ids = spdxLicenses.map(({ licenseId }) => licenseId.toLowerCase());
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("defined by the operator come before the list, or replace it", () => {
    const additional = "additional: [{ id: ours, name: Ours, url: https://example.org/l }]";
    const file = (more: string) => `projectTypes: [mod]\ngameVersions: [1]\nlicenses: { ${additional}${more} }`;
    expect(taxonomyOf(file("")).licenses[0]?.licenseId).toBe("ours");
    expect(taxonomyOf(file(", spdx: false")).licenses).toEqual([
      { name: "Ours", licenseId: "ours", url: "https://example.org/l" },
    ]);
  });
});

describe("names", () => {
  test("are known or unknown, with regard to case", () => {
    expect(taxonomy.isProjectType("resource-pack")).toBe(true);
    expect(taxonomy.isProjectType("Mod")).toBe(false);
    expect(taxonomy.isLoader("puzzle_loader")).toBe(true);
    expect(taxonomy.isLoader("toString")).toBe(false);
    expect(taxonomy.isCategory("8x-")).toBe(true);
    expect(taxonomy.isCategory("8x")).toBe(false);
    expect(taxonomy.isGameVersion("0.5.0")).toBe(true);
    expect(taxonomy.isGameVersion("0.5")).toBe(false);
  });

  test("have a label, which is derived from the name where the file has none", () => {
    expect(taxonomy.projectTypeLabel("datamod")).toBe("Data mod");
    expect(taxonomy.loaderLabel("puzzle_loader")).toBe("Puzzle Loader");
    const plain = taxonomyOf("projectTypes: [resource-pack]\ngameVersions: [1]");
    expect(plain.projectTypeLabel("resource-pack")).toBe("Resource pack");
    expect(plain.loaderLabel("gone_loader")).toBe("Gone loader");
  });
});

describe("game versions", () => {
  test("are ranked newest first, unknown ones last", () => {
    expect(taxonomy.gameVersionRank("0.5.13")).toBe(0);
    expect(taxonomy.gameVersionRank("0.5.12")).toBe(1);
    expect(taxonomy.gameVersionRank("9.9.9")).toBe(140);
    expect(taxonomy.sortGameVersions(["9.9.9", "0.1.9", "0.1.10", "x", "0.3.2", "0.3.2-pre10"])).toEqual([
      "0.3.2",
      "0.3.2-pre10",
      "0.1.10",
      "0.1.9",
      "9.9.9",
      "x",
    ]);
  });

  test("are sorted by rank; none is lost or added", () => {
    const known = fc.constantFrom(...taxonomy.gameVersions.map(({ value }) => value));
    fc.assert(
      fc.property(fc.array(fc.oneof(known, fc.string())), (values) => {
        const given = [...values];
        const sorted = taxonomy.sortGameVersions(values);
        const ranks = sorted.map(taxonomy.gameVersionRank);
        expect(values).toEqual(given);
        expect(sorted.toSorted()).toEqual(given.toSorted());
        expect(ranks.every((rank, index) => index === 0 || ranks[index - 1]! <= rank)).toBe(true);
      }),
    );
  });
});

/** The verdict as API clients receive it. */
const inEnglish = (verdict: object): object => JSON.parse(JSON.stringify(verdict));

describe("types of one project", () => {
  test.each([
    [["world"], true],
    [["modpack"], true],
    [["shader", "resource-pack"], true],
    [["mod", "plugin"], true],
    [["datamod", "mod"], true],
    [["mod", "mod"], true],
    [["mod", "datamod", "plugin"], false],
    [["datamod", "plugin"], false],
    [["world", "mod"], false],
    [["modpack", "mod"], false],
    [["shader", "mod"], false],
    [[], false],
    [["mod", "nothing"], false],
  ])("%j: %s", (types, allowed) => {
    expect(taxonomy.allowedTypeCombination(types).ok).toBe(allowed);
  });

  test("a refusal says which combinations are allowed", () => {
    expect(inEnglish(taxonomy.allowedTypeCombination(["world", "mod"]))).toEqual({
      ok: false,
      reason:
        "A project cannot be world + mod. Choose one of them, or one of: mod + plugin, mod + datamod, resource-pack + shader.",
    });
    expect(inEnglish(taxonomy.allowedTypeCombination(["mods"]))).toMatchObject({
      reason: expect.stringContaining("Choose from: mod,"),
    });
  });

  test("every subset of an allowed combination is allowed", () => {
    const file = "projectTypes: [a, b, c, d]\ncombinations: [[a, b, c]]\ngameVersions: [1]";
    const { allowedTypeCombination } = taxonomyOf(file);
    expect(allowedTypeCombination(["c", "a"]).ok).toBe(true);
    expect(allowedTypeCombination(["c", "a", "b"]).ok).toBe(true);
    expect(allowedTypeCombination(["a", "d"]).ok).toBe(false);
  });

  test("loaders must fit one of the types; no loader is always allowed", () => {
    expect(taxonomy.loadersAllowed(["mod"], ["quilt", "puzzle_loader"])).toEqual({ ok: true });
    expect(taxonomy.loadersAllowed(["mod", "plugin"], ["quilt", "void"])).toEqual({ ok: true });
    expect(taxonomy.loadersAllowed(["mod"], [])).toEqual({ ok: true });
    expect(inEnglish(taxonomy.loadersAllowed(["mod"], ["quilt", "void"]))).toEqual({
      ok: false,
      reason: 'The loader "void" is not for mod. Choose from: quilt, puzzle_loader.',
    });
    expect(inEnglish(taxonomy.loadersAllowed(["datamod"], ["quilt"]))).toMatchObject({
      reason: 'The loader "quilt" is not for datamod. Leave the loaders empty.',
    });
  });

  test("categories of every type of the project are allowed", () => {
    const allowed = taxonomy.categoriesAllowed(["shader", "resource-pack"]);
    expect([allowed.has("potato"), allowed.has("512x+"), allowed.has("bug-fix")]).toEqual([true, true, false]);
    expect(taxonomy.categoriesAllowed(["nothing"]).size).toBe(0);
  });

  test.each([
    [["mod"], ["jar"]],
    [["mod", "plugin"], ["jar"]],
    [
      ["mod", "datamod"],
      ["jar", "zip", "7z", "gz", "tar"],
    ],
    [["shader"], ["jar", "zip", "7z", "gz", "tar"]],
    [["world"], ["zip", "7z", "gz", "tar"]],
    [["modpack"], ["zip", "mrpack", "7z", "gz", "tar"]],
    [["nothing"], []],
  ])("%j: primary files are %j", (types, fileTypes) => {
    expect(taxonomy.primaryFileTypes(types)).toEqual(fileTypes);
  });

  const chosen: Environments = { clientSide: "optional", serverSide: "unsupported" };
  test.each([
    [["shader"], "required", "unsupported"],
    [["resource-pack", "shader"], "required", "unsupported"],
    [["plugin"], "unsupported", "required"],
    [["mod", "plugin"], "optional", "required"],
    [["world"], "unsupported", "required"],
    [["mod"], "optional", "unsupported"],
    [["mod", "datamod"], "optional", "unsupported"],
    [["modpack"], "optional", "unsupported"],
  ])("%j: the client is %s, the server %s", (types, clientSide, serverSide) => {
    expect(taxonomy.environmentFor(types, chosen)).toEqual({ clientSide, serverSide });
  });

  test("a side is unknown until the author chooses it", () => {
    expect(taxonomy.environmentFor(["mod"])).toEqual({ clientSide: "unknown", serverSide: "unknown" });
    expect(taxonomy.environmentFor(["mod", "plugin"])).toEqual({ clientSide: "unknown", serverSide: "required" });
  });
});
