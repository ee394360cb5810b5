// The paths of the repository that are valid.
import { describe, expect, test } from "vitest";
import { parseAddress } from "./address.js";

const parse = (path: string) => parseAddress(path, "org.example.mods");

describe("an address", () => {
  test("consists of the folders of the group, the artifact, the version and the file", () => {
    expect(parse("org/example/mods/grass/1.0/grass-1.0.jar")).toEqual({
      artifact: "grass",
      version: "1.0",
      fileName: "grass-1.0.jar",
      checksum: undefined,
    });
    expect(parse("org/example/mods/grass/maven-metadata.xml")).toMatchObject({ artifact: "grass", version: undefined });
  });

  test.each(["md5", "sha1", "sha256", "sha512"])("that ends in .%s requests that checksum", (checksum) => {
    expect(parse(`org/example/mods/grass/1.0/grass-1.0.jar.${checksum}`)).toMatchObject({
      fileName: "grass-1.0.jar",
      checksum,
    });
  });

  test.each([
    "",
    "/",
    "org",
    "org/example/mods",
    "org/example/mods/",
    "org/example/mods/grass",
    "org/example/mods/grass/",
    "org/example/mods//maven-metadata.xml",
    "org/example/mods/grass//grass-1.0.jar",
    "org/example/mods/grass/1.0/",
    "org/example/mods/grass/1.0/deep/grass-1.0.jar",
    "org/example/modsgrass/1.0/grass-1.0.jar",
    "org.example.mods/grass/1.0/grass-1.0.jar",
    "ORG/example/mods/grass/1.0/grass-1.0.jar",
    "junit/junit/4.12/junit-4.12.pom",
    "archetype-catalog.xml",
  ])("is not valid: %j", (path) => {
    expect(parse(path)).toBeUndefined();
  });
});
