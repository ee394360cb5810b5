// The names of the objects that entries of the audit log are about, in one statement for each kind of object.

import { sql } from "kysely";
import { inList } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import type { AuditEntry } from "./audit-contract.js";

/** Something with a page. Objects that no longer exist have none. */
export type NamedObject =
  | { kind: "user"; name: string }
  | { kind: "project" | "organization"; name: string; slug: string }
  | { kind: "version"; id: string; number: string; name: string; slug: string }
  | { kind: "collection"; id: string; name: string }
  | { kind: "case"; id: string }
  | { kind: "content"; hash: string };

export interface AuditObjects {
  /** The object of the action. */
  what: NamedObject | undefined;
  /** Another user, or the project that was added to an organization. */
  other: NamedObject | undefined;
}

type Kind = "user" | "project" | "organization" | "version" | "team" | "collection" | "report";

const textIn = ({ detail }: AuditEntry, name: string): string | undefined => {
  const value = detail[name];
  return typeof value === "string" && value !== "" ? value : undefined;
};

/** The version that a quarantine is about. */
const heldVersion = (entry: AuditEntry): string | undefined => {
  const { versions } = entry.detail;
  const [first] = Array.isArray(versions) ? versions : [];
  return textIn(entry, "versionId") ?? (typeof first === "string" ? first : undefined);
};

/** Moderators and administrators may see the names of everything. */
export async function nameObjects(db: Db, entries: readonly AuditEntry[]): Promise<Map<number, AuditObjects>> {
  const wanted = (kind: Kind, ...details: string[]): string[] => [
    ...new Set(
      entries.flatMap((entry) => [
        ...(entry.object.kind === kind ? [entry.object.id] : []),
        ...details.flatMap((name) => textIn(entry, name) ?? []),
        ...(kind === "version" && entry.object.kind === "quarantine" ? [heldVersion(entry) ?? []].flat() : []),
      ]),
    ),
  ];
  const found = {
    user: await findUsers(db, wanted("user", "userId")),
    project: await findProjects(db, wanted("project", "projectId")),
    organization: await findOrganizations(db, wanted("organization")),
    version: await findVersions(db, wanted("version")),
    team: await findTeams(db, wanted("team")),
    collection: await findCollections(db, wanted("collection")),
    report: await findCases(db, wanted("report")),
  };
  const whatOf = (entry: AuditEntry): NamedObject | undefined => {
    const { kind, id } = entry.object;
    if (kind === "case") return { kind, id };
    if (kind === "content") return { kind, hash: id };
    if (kind === "quarantine") {
      const hash = textIn(entry, "sha512");
      return hash ? { kind: "content", hash } : found.version.get(heldVersion(entry) ?? "");
    }
    return Object.hasOwn(found, kind) ? found[kind as Kind].get(id) : undefined;
  };
  return new Map(
    entries.map((entry) => {
      const other =
        found.user.get(textIn(entry, "userId") ?? "") ?? found.project.get(textIn(entry, "projectId") ?? "");
      return [entry.id, { what: whatOf(entry), other }];
    }),
  );
}

type Found = Promise<Map<string, NamedObject>>;

/** Most pages of the log are about few kinds of objects. */
const listed = async <R extends { id: string }>(
  ids: readonly string[],
  read: () => Promise<R[]>,
  name: (row: R) => NamedObject | undefined,
): Found =>
  new Map(
    (ids.length === 0 ? [] : await read()).flatMap((row): [string, NamedObject][] => {
      const named = name(row);
      return named ? [[row.id, named]] : [];
    }),
  );

const findUsers = (db: Db, ids: string[]): Found =>
  listed(
    ids,
    () =>
      db
        .selectFrom("users")
        .select(["id", "user_name"])
        .where(inList(db, sql.ref("id"), ids))
        .execute(),
    ({ user_name }) => ({ kind: "user", name: user_name }),
  );

const findProjects = (db: Db, ids: string[]): Found =>
  listed(
    ids,
    () =>
      db
        .selectFrom("projects")
        .select(["id", "name", "slug"])
        .where(inList(db, sql.ref("id"), ids))
        .execute(),
    ({ name, slug }) => ({ kind: "project", name, slug }),
  );

const findOrganizations = (db: Db, ids: string[]): Found =>
  listed(
    ids,
    () =>
      db
        .selectFrom("organizations")
        .select(["id", "name", "slug"])
        .where(inList(db, sql.ref("id"), ids))
        .execute(),
    ({ name, slug }) => ({ kind: "organization", name, slug }),
  );

const findVersions = (db: Db, ids: string[]): Found =>
  listed(
    ids,
    () =>
      db
        .selectFrom("versions")
        .innerJoin("projects", "projects.id", "versions.project_id")
        .select(["versions.id", "versions.version_number as number", "projects.name", "projects.slug"])
        .where(inList(db, sql.ref("versions.id"), ids))
        .execute(),
    (row) => ({ kind: "version", ...row }),
  );

/** A team is known by its project or organization. */
const findTeams = (db: Db, ids: string[]): Found =>
  listed(
    ids,
    () =>
      db
        .selectFrom("teams")
        .leftJoin("projects", "projects.team_id", "teams.id")
        .leftJoin("organizations", "organizations.team_id", "teams.id")
        .select(["teams.id", "projects.name", "projects.slug"])
        .select(["organizations.name as org_name", "organizations.slug as org_slug"])
        .where(inList(db, sql.ref("teams.id"), ids))
        .execute(),
    ({ name, slug, org_name, org_slug }) => {
      if (name !== null && slug !== null) return { kind: "project", name, slug };
      return org_name !== null && org_slug !== null
        ? { kind: "organization", name: org_name, slug: org_slug }
        : undefined;
    },
  );

const findCollections = (db: Db, ids: string[]): Found =>
  listed(
    ids,
    () =>
      db
        .selectFrom("collections")
        .select(["id", "name"])
        .where(inList(db, sql.ref("id"), ids))
        .execute(),
    (row) => ({ kind: "collection", ...row }),
  );

const findCases = (db: Db, ids: string[]): Found =>
  listed(
    ids,
    () =>
      db
        .selectFrom("reports")
        .select(["id", "case_id"])
        .where(inList(db, sql.ref("id"), ids))
        .execute(),
    ({ case_id }) => (case_id === null ? undefined : { kind: "case", id: case_id }),
  );
