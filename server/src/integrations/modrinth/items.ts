// Public projects and versions that are shown in Modrinth's form, each with the numbers by which its piece is found
// (pieces.ts).
import type { PreparedProject } from "#content/records/prepared-project.js";
import { blockContent, blockText, type Content } from "#content/records/prepared-version.js";
import type { RecordSource } from "#content/records/record-source.js";
import type { Project } from "#content/shapes/project.js";
import type { Version } from "#content/shapes/version.js";
import { toModrinthHit, toModrinthProject, toModrinthVersion } from "./mapping.js";

/** The numbers go into keys of the cache, so they have bits that differ from each other in many places. */
export const itemKinds = { project: 0, hit: 0x2545f491, version: 0x4f6cdd1d, shortVersion: 0x61c88647 } as const;
export type ItemKind = (typeof itemKinds)[keyof typeof itemKinds];

export interface Item {
  kind: ItemKind;
  content: Content;
  /** Its first field is `downloads`. */
  make(): object;
}

export const projectItem = (project: PreparedProject): Item => ({
  kind: itemKinds.project,
  content: project.content,
  make: () => toModrinthProject(readProject(project), listOffered(project)),
});

export const hitItem = (project: PreparedProject): Item => ({
  kind: itemKinds.hit,
  content: project.content,
  make: () => toModrinthHit(readProject(project)),
});

export interface VersionForm {
  changelog: boolean;
}

const whole: VersionForm = { changelog: true };

export const versionItem = (project: PreparedProject, ordinal: number, form = whole): Item => ({
  kind: form.changelog ? itemKinds.version : itemKinds.shortVersion,
  content: project.versionContent(ordinal),
  make: () => readVersion(project.source, project.blockOf(ordinal), form),
});

/** The same for a version whose place is known (content/records/prepared-format.ts). */
export const blockItem = (record: RecordSource, block: number): Item => ({
  kind: itemKinds.version,
  content: blockContent(record, block),
  make: () => readVersion(record, block, whole),
});

const readProject = (project: PreparedProject): Project => JSON.parse(project.pieceText("project")) as Project;

const readVersion = (record: RecordSource, block: number, form: VersionForm): object =>
  toModrinthVersion(JSON.parse(blockText(record, block, "bulk")) as Version, form);

/** Ids of the versions that are not withdrawn, newest first. */
const listOffered = (project: PreparedProject): string[] =>
  Array.from({ length: project.versionCount }, (_, ordinal) => ordinal)
    .filter((ordinal) => !project.hasFlag(ordinal, "yanked"))
    .map((ordinal) => project.versionId(ordinal));
