// The documents that the repository generates, with hostile texts of authors.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Pom, toMetadataXml, toPomXml } from "./xml.js";

const pom = (change: Partial<Pom> = {}): string =>
  toPomXml({
    groupId: "maven.modshelf",
    artifactId: "grass",
    version: "1.0",
    packaging: "jar",
    name: "Grass",
    description: "Greener",
    url: "https://mods.example/project/grass",
    license: undefined,
    dependencies: [],
    ...change,
  });

describe("a POM", () => {
  test("names packaging, license and dependencies", () => {
    const text = pom({
      packaging: "zip",
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
      dependencies: [
        { groupId: "maven.modshelf", artifactId: "core", version: "2.0", type: "jar", optional: false },
        { groupId: "maven.modshelf", artifactId: "pack", version: "3.0", type: "zip", optional: true },
      ],
    });
    expect(text.replace(/<project[^>]*>/, "<project>")).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>maven.modshelf</groupId>
  <artifactId>grass</artifactId>
  <version>1.0</version>
  <packaging>zip</packaging>
  <name>Grass</name>
  <description>Greener</description>
  <url>https://mods.example/project/grass</url>
  <licenses>
    <license>
      <name>MIT</name>
      <url>https://opensource.org/license/mit</url>
    </license>
  </licenses>
  <dependencies>
    <dependency>
      <groupId>maven.modshelf</groupId>
      <artifactId>core</artifactId>
      <version>2.0</version>
    </dependency>
    <dependency>
      <groupId>maven.modshelf</groupId>
      <artifactId>pack</artifactId>
      <version>3.0</version>
      <type>zip</type>
      <optional>true</optional>
    </dependency>
  </dependencies>
</project>
`);
  });

  test.each([
    ["<b>&'\"", "&lt;b&gt;&amp;&#39;&quot;"],
    ["]]></name><dependencies>", "]]&gt;&lt;/name&gt;&lt;dependencies&gt;"],
    ["<!--", "&lt;!--"],
    ["a\u0000b\u0008c\u000b\ud800\ufffed", "abcd"],
    ["tab\tstays, 名前 and 🌱 too", "tab\tstays, 名前 and 🌱 too"],
  ])("escapes %j", (name, escaped) => {
    expect(pom({ name })).toContain(`<name>${escaped}</name>`);
  });

  test("has the same elements for all texts", () => {
    const elements = (text: string) => [...text.matchAll(/<[^>]*>/g)].map(([tag]) => tag);
    const wicked = fc.string({ unit: fc.constantFrom("<", ">", "&", "/", "name", "]]>", "\u0000", "\udc00", "🌱") });
    fc.assert(
      fc.property(wicked, wicked, (name, description) => {
        expect(elements(pom({ name, description }))).toEqual(elements(pom()));
      }),
    );
  });
});

test("the metadata lists versions and the time of the last one", () => {
  expect(
    toMetadataXml({
      groupId: "maven.modshelf",
      artifactId: "grass",
      latest: "1.1-beta",
      release: "1.0",
      versions: ["1.0", "1.1-beta"],
      lastUpdated: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
    }),
  ).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<metadata>
  <groupId>maven.modshelf</groupId>
  <artifactId>grass</artifactId>
  <versioning>
    <latest>1.1-beta</latest>
    <release>1.0</release>
    <versions>
      <version>1.0</version>
      <version>1.1-beta</version>
    </versions>
    <lastUpdated>20260102030405</lastUpdated>
  </versioning>
</metadata>
`);
});
