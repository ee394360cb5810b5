// Reads the rows that versions in memory are made of (entries.ts): of all versions of some projects, or of some versions.
import { type InferResult, type RawBuilder, sql } from "kysely";
import { isPublicProject } from "#content/projects/policy.js";
import type { Version } from "#content/shapes/version.js";
import { inList, together } from "#platform/db/dialect.js";
import type { Db, Row } from "#platform/db/tables.js";
import { isNotQuarantined } from "./policy.js";

export interface ReadVersions {
  projectIds: readonly string[];
  /** Only these versions. */
  versionIds: readonly string[] | undefined;
}

const isRead = (
  db: Db,
  { projectIds, versionIds }: ReadVersions,
  columns: { project: string; version: string },
): RawBuilder<boolean> =>
  versionIds ? inList(db, sql.ref(columns.version), versionIds) : inList(db, sql.ref(columns.project), projectIds);

export type VersionRow = InferResult<ReturnType<typeof versionRows>>[number];

export interface DependencyRow {
  id: string;
  on_project_id: string;
  on_version_id: string | null;
  is_public: 0 | 1;
  type: Version["dependencies"][number]["dependencyType"];
  /** The pack of the version contains it. */
  from_pack: 0 | 1;
}

export interface FileEntry {
  id: string;
  name: string;
  type: string;
  size: number;
  sha1: string;
  sha512: string;
  isPrimary: boolean;
}

/** All rows, read together. */
export async function selectVersions(db: Db, read: ReadVersions, which: RawBuilder<boolean>) {
  const [versions, files, dependencies] = await together(db, [
    versionRows(db, read, which),
    fileRows(db, read),
    dependencyRows(db, read),
  ]);
  return {
    rows: versions.rows,
    files: toFiles(files.rows),
    dependencies: Map.groupBy(dependencies.rows, (row) => row.version_id),
  };
}

const versionRows = (db: Db, read: ReadVersions, which: RawBuilder<boolean>) =>
  db
    .selectFrom("versions")
    .innerJoin("projects", "projects.id", "versions.project_id")
    .innerJoin("users as author", "author.id", "versions.author_id")
    .leftJoin("images as avatar", "avatar.id", "author.avatar_id")
    .leftJoin("organizations as org", "org.id", "projects.org_id")
    .leftJoin("team_members as member", (join) =>
      join.onRef("member.team_id", "=", "projects.team_id").onRef("member.user_id", "=", "versions.author_id"),
    )
    .leftJoin("team_members as org_member", (join) =>
      join.onRef("org_member.team_id", "=", "org.team_id").onRef("org_member.user_id", "=", "versions.author_id"),
    )
    .selectAll("versions")
    .select(["author.user_name as author_name", "avatar.file_name as author_avatar"])
    .select(["member.role as author_role", "org_member.role as author_org_role", "projects.org_id"])
    .where(isRead(db, read, { project: "versions.project_id", version: "versions.id" }))
    .where(which)
    .orderBy("versions.date_published", "desc")
    .orderBy("versions.id");

const fileRows = (db: Db, read: ReadVersions) =>
  db
    .selectFrom("version_files")
    .selectAll()
    .where(isRead(db, read, { project: "project_id", version: "version_id" }));

function toFiles(rows: readonly Row<"version_files">[]): Map<string, FileEntry[]> {
  const toEntries = (own: typeof rows): FileEntry[] =>
    own.map((row) => ({
      id: row.id,
      name: row.name,
      type: row.type,
      size: row.size,
      sha1: Buffer.from(row.sha1).toString("hex"),
      sha512: Buffer.from(row.sha512).toString("hex"),
      isPrimary: false,
    }));
  return new Map([...Map.groupBy(rows, (row) => row.version_id)].map(([id, own]) => [id, toEntries(own)]));
}

const dependencyRows = (db: Db, read: ReadVersions) =>
  db
    .selectFrom("dependencies")
    .innerJoin("versions as own", "own.id", "dependencies.version_id")
    .innerJoin("projects", "projects.id", "dependencies.on_project_id")
    // A dependency on a quarantined version counts as one on any version of the project, as if that version were
    // deleted.
    .leftJoin("versions", (join) => join.onRef("versions.id", "=", "dependencies.on_version_id").on(isNotQuarantined))
    .select(["dependencies.id", "dependencies.version_id", "dependencies.on_project_id", "dependencies.type"])
    .select("dependencies.from_pack")
    .select("versions.id as on_version_id")
    .select(sql<0 | 1>`case when ${isPublicProject} then 1 else 0 end`.as("is_public"))
    .where(isRead(db, read, { project: "own.project_id", version: "own.id" }))
    .orderBy("dependencies.id");
