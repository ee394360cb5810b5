// The two documents that the repository generates: the list of versions, and the dependencies of a version. Pure.
import { escapeXml, xmlHead } from "#lib/xml.js";

/** A document is a tree of names; texts are escaped here and nowhere else. */
type Content = string | readonly Element[];
type Element = readonly [name: string, content: Content];

export interface Coordinates {
  groupId: string;
  artifactId: string;
}

export interface PomDependency extends Coordinates {
  version: string;
  /** The extension of its primary file. */
  type: string;
  optional: boolean;
}

export interface Pom extends Coordinates {
  version: string;
  packaging: string;
  name: string;
  description: string;
  url: string;
  license: { name: string; url: string } | undefined;
  dependencies: readonly PomDependency[];
}

export interface Metadata extends Coordinates {
  latest: string;
  release: string;
  /** Oldest first. */
  versions: readonly string[];
  /** Milliseconds. */
  lastUpdated: number;
}

export function toPomXml(pom: Pom): string {
  const { groupId, artifactId, version, packaging, name, description, url, license, dependencies } = pom;
  return toDocument(
    "project",
    [
      ["modelVersion", "4.0.0"],
      ["groupId", groupId],
      ["artifactId", artifactId],
      ["version", version],
      ["packaging", packaging],
      ["name", name],
      ["description", description],
      ["url", url],
      ...(license ? [["licenses", [["license", toLicense(license)]]] as const] : []),
      ...(dependencies.length > 0 ? [["dependencies", dependencies.map(toDependency)] as const] : []),
    ],
    ' xmlns="http://maven.apache.org/POM/4.0.0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://maven.apache.org/POM/4.0.0 http://maven.apache.org/xsd/maven-4.0.0.xsd"',
  );
}

const toLicense = ({ name, url }: { name: string; url: string }): Element[] => [
  ["name", name],
  ...(url === "" ? [] : [["url", url] as const]),
];

const toDependency = ({ groupId, artifactId, version, type, optional }: PomDependency): Element => [
  "dependency",
  [
    ["groupId", groupId],
    ["artifactId", artifactId],
    ["version", version],
    ...(type === "jar" ? [] : [["type", type] as const]),
    ...(optional ? [["optional", "true"] as const] : []),
  ],
];

export const toMetadataXml = ({ groupId, artifactId, latest, release, versions, lastUpdated }: Metadata): string =>
  toDocument("metadata", [
    ["groupId", groupId],
    ["artifactId", artifactId],
    [
      "versioning",
      [
        ["latest", latest],
        ["release", release],
        ["versions", versions.map((version) => ["version", version] as const)],
        ["lastUpdated", toCompactTime(lastUpdated)],
      ],
    ],
  ]);

/** yyyyMMddHHmmss, UTC. */
const toCompactTime = (ms: number): string => new Date(ms).toISOString().replace(/\D/g, "").slice(0, 14);

const toDocument = (name: string, content: Content, attributes = ""): string =>
  `${xmlHead}${toXml([name, content], "", attributes)}`;

function toXml([name, content]: Element, indent: string, attributes = ""): string {
  const inside =
    typeof content === "string"
      ? escapeXml(content)
      : `\n${content.map((child) => toXml(child, `${indent}  `)).join("")}${indent}`;
  return `${indent}<${name}${attributes}>${inside}</${name}>\n`;
}
