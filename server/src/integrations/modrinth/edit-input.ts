// Turns what Modrinth's clients send into the input of our own writes, which check it. Problems name the field that was sent.
import type { Static, TSchema } from "typebox";
import * as projects from "#content/projects/edit-contract.js";
import { listVisibleIds } from "#content/projects/read.js";
import { type VersionParts, versionParts } from "#content/versions/edit-contract.js";
import { findProjectsOfVersions } from "#content/versions/read.js";
import type { Db } from "#platform/db/tables.js";
import { Failure, invalid } from "#platform/errors.js";
import { parse } from "#platform/http/validation.js";
import type { Viewer } from "#platform/http/viewer.js";
import { say } from "#words/said.js";
import type { EditedProject, EditedVersion } from "./edit-contract.js";
import { unknownLicenses } from "./mapping.js";

const sentNames: Readonly<Record<string, string>> = {
  title: "name",
  versionNumber: "version_number",
  gameVersions: "game_versions",
  releaseChannel: "version_type",
  primaryFile: "file_parts",
};
const sentProjectNames: Readonly<Record<string, string>> = {
  name: "title",
  summary: "description",
  clientSide: "client_side",
  serverSide: "server_side",
  issueTracker: "issues_url",
  sourceCode: "source_url",
  wikiPage: "wiki_url",
  discordServer: "discord_url",
  donationLinks: "donation_urls",
  id: "license_id",
  url: "license_url",
};

/** Runs the work, and gives the fields in a refusal the names that the client knows. */
async function withNames<T>(names: Readonly<Record<string, string>>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Failure) || !error.issues) throw error;
    throw invalid(...error.issues.map(({ path, message }) => ({ path: rename(names, path), message })));
  }
}

const rename = (names: Readonly<Record<string, string>>, path: string): string =>
  path.replace(/^\w+/, (name) => (Object.hasOwn(names, name) ? names[name]! : name));

export const withVersionNames = <T>(work: () => Promise<T>): Promise<T> => withNames(sentNames, work);
export const withProjectNames = <T>(work: () => Promise<T>): Promise<T> => withNames(sentProjectNames, work);

/** Absent fields stay absent. */
const present = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;

const shownStatuses = ["listed", "archived"];

export async function toVersionParts(db: Db, viewer: Viewer, sent: EditedVersion): Promise<VersionParts> {
  if (sent.status !== undefined && !shownStatuses.includes(sent.status))
    throw invalid({ path: "status", message: say.problems.oneOf(shownStatuses.join(", ")) });
  const parts = present({
    title: sent.name,
    versionNumber: sent.version_number,
    changelog: sent.changelog,
    gameVersions: sent.game_versions,
    releaseChannel: sent.version_type,
    loaders: sent.loaders,
    featured: sent.featured,
    dependencies: sent.dependencies && (await toDependencies(db, viewer, sent.dependencies)),
  });
  return parse<VersionParts>("body", versionParts, parts, "data");
}

/** A version alone names its project. Files that are no projects here cannot be dependencies, and are left out. */
async function toDependencies(
  db: Db,
  viewer: Viewer,
  sent: NonNullable<EditedVersion["dependencies"]>,
): Promise<object[]> {
  const alone = sent.flatMap(({ project_id, version_id }) => (!project_id && version_id ? [version_id] : []));
  const owners = await findProjectsOfVersions(db, alone);
  // A refusal must not name a project that the caller may not see.
  const visible = new Set(await listVisibleIds(db, viewer, [...new Set(owners.values())]));
  const ownerOf = (version: string) => {
    const id = owners.get(version) ?? "";
    return visible.has(id) ? id : undefined;
  };
  return sent
    .filter(({ project_id, version_id }) => project_id || version_id)
    .map(({ project_id, version_id, dependency_type }) => ({
      projectId: project_id || ownerOf(version_id!) || version_id,
      versionId: version_id ?? null,
      dependencyType: dependency_type,
    }));
}

const visibilities = { approved: "listed", unlisted: "unlisted", private: "private", archived: "archived" } as const;

/** The input of our own writes about a project. Absent parts are not changed. */
export function toProjectEdit(sent: EditedProject) {
  const status = sent.requested_status ?? sent.status;
  if (status !== undefined && !Object.hasOwn(visibilities, status))
    throw invalid({ path: "status", message: say.problems.oneOf(Object.keys(visibilities).join(", ")) });
  const details = present({
    name: sent.title,
    slug: sent.slug,
    summary: sent.description,
    clientSide: sent.client_side,
    serverSide: sent.server_side,
    visibility: status === undefined ? undefined : visibilities[status as keyof typeof visibilities],
  });
  const links = present({
    issueTracker: sent.issues_url,
    sourceCode: sent.source_url,
    wikiPage: sent.wiki_url,
    discordServer: sent.discord_url,
    donationLinks: sent.donation_urls,
  });
  const license = toLicense(sent);
  return {
    details: isEmpty(details) ? undefined : parseAs(projects.updateProject, details),
    description:
      sent.body === undefined ? undefined : parseAs(projects.updateProjectDescription, { description: sent.body }),
    links: isEmpty(links) ? undefined : parseAs(projects.updateProjectLinks, links),
    license: license && parseAs(projects.updateProjectLicense, license),
  };
}

const isEmpty = (fields: object): boolean => Object.keys(fields).length === 0;

const parseAs = <S extends TSchema>({ body }: { body: S }, value: object) =>
  parse<Static<S>>("body", body, value, "body");

function toLicense({ license_id, license_url }: EditedProject): object | undefined {
  if (license_id === undefined && !license_url) return undefined;
  const isCustom = unknownLicenses.some((id) => id === license_id);
  return present({
    id: isCustom ? undefined : license_id,
    name: isCustom ? "Custom license" : undefined,
    url: license_url ?? undefined,
  });
}
