// The data of every page of a project: the project as the visitor may see it, its versions, and the visitor's relation
// to it.
import type { FastifyRequest } from "fastify";
import { findOwnMarks, type SaveChoice } from "#community/collections/read.js";
import type { FollowPreferences } from "#community/follows/shapes.js";
import type { Config } from "#config/config.js";
import { preparedOf } from "#content/catalog/prepared-catalog.js";
import type { ProjectPermission } from "#content/members/permissions.js";
import { findEntry } from "#content/members/read.js";
import { findProjectRights } from "#content/members/rights.js";
import type { ProjectEntry } from "#content/projects/entries.js";
import { findPrepared, getVisibleProject } from "#content/projects/read.js";
import type { OfferedSet } from "#content/records/offered-sets.js";
import type { PreparedProject } from "#content/records/prepared-project.js";
import type { Project } from "#content/shapes/project.js";
import { channels, type Version } from "#content/shapes/version.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { type VersionEntry, versionEntries } from "#content/versions/entries.js";
import { type Decision, listRequestedChanges } from "#moderation/desk/requested-changes.js";
import type { Channel, Db } from "#platform/db/tables.js";
import type { Resources } from "#platform/http/resources.js";
import { anonymous, holdsAll, isStaff, type SignedIn, type Viewer } from "#platform/http/viewer.js";
import type { SafeHtml } from "#platform/markdown/render.js";
import { pathOf } from "#web/context/paths.js";

/** A version as lists and tables show it. */
export interface PageVersion
  extends Pick<
    VersionEntry,
    | ("id" | "slug" | "versionNumber" | "channel" | "gameVersions" | "loaders" | "featured" | "yanked")
    | ("datePublished" | "needsOthers")
  > {
  own: { value: VersionRow };
  /** Prepared versions have only those on public projects. */
  readonly dependencies: readonly Pick<
    VersionEntry["dependencies"][number],
    "on_project_id" | "on_version_id" | "type"
  >[];
}

/** The fields of a version that only tables show. */
type VersionRow = Pick<Version, "title" | "downloads" | "primaryFile">;

/** The parts that all pages of a project need. */
export interface PageView {
  entry: Pick<ProjectEntry, "id" | "slug" | "isPublic">;
  project: Project;
  /** The description as HTML, if it is prepared. */
  description?: SafeHtml | undefined;
  /** Newest first. */
  versions: readonly PageVersion[];
  /** The versions that can be the best choice for a set-up, if they are known: most versions have a newer one like them. */
  offered?: readonly PageVersion[];
  taxonomy: Taxonomy;
  /** The visitor's permissions; empty for users outside of the team. */
  permissions: ReadonlySet<ProjectPermission>;
  isStaff: boolean;
  /** Also true for users with rights in the project without being in its team: administrators. */
  isMember: boolean;
  /** The first part of its Maven coordinates. */
  mavenGroup: string;
  /** The programs of visitors that can take a file, as the operator has set them. */
  launchers: Config["launchers"];
  /** Without a slash at the end. */
  siteUrl: string;
  isInvited: boolean;
  /** As the manifest of the last published file writes it; only of projects that are not prepared. */
  namedLicense?: string | null;
  /** The changes that moderators ask for, if the visitor belongs to the team. */
  asked?: Decision | undefined;
  /** The events that the visitor follows; undefined if they do not follow the project. */
  follow: FollowPreferences | undefined;
  /** The visitor's own collections, the last changed first. */
  collections: readonly SaveChoice[];
}

export interface ProjectView extends PageView {
  entry: ProjectEntry;
  versions: readonly VersionEntry[];
}

/** A public project comes from its prepared answers, for every visitor. */
export async function getPageView(resources: Resources, viewer: Viewer, ref: string): Promise<PageView> {
  const prepared = await findPrepared(resources, ref);
  if (!prepared) return getProjectView(resources, viewer, ref);
  const view = toGuestView(resources, prepared, await getTaxonomy(resources));
  if (viewer.kind === "anonymous") return view;
  const { db } = resources;
  const invitation = await findEntry(db, view.project.teamId, viewer.user.id);
  return {
    ...{ ...view, ...(await findRelation(db, viewer, view.project)) },
    ...{ isStaff: isStaff(viewer), isInvited: invitation?.accepted === 0 },
  };
}

export function toGuestView(resources: Resources, prepared: PreparedProject, taxonomy: Taxonomy): PageView {
  const { id, slug } = prepared.details;
  const { project: json, description } = prepared.pageTexts();
  const project = JSON.parse(json) as Project;
  const { sets } = preparedOf(resources);
  const known: OfferedSet[] = [];
  const offeredOf = (ordinal: number): OfferedSet => {
    const set = prepared.setOf(ordinal);
    known[set] ??= prepared.offered(set, sets);
    return known[set];
  };
  // Projects can have thousands, and Array.from takes several times as long.
  const versions: PageVersion[] = [];
  for (let at = 0; at < prepared.versionCount; at++) versions.push(new PreparedVersion(prepared, at, offeredOf));
  const entry = { id, slug, isPublic: true };
  return {
    ...{ ...sharedOf(resources, anonymous, taxonomy), ...asGuest, entry, project, versions },
    offered: prepared.listOffered().map((ordinal) => versions[ordinal]!),
    // It has passed the allow-list when it was prepared.
    description: (description as SafeHtml) || undefined,
  };
}

const asGuest = {
  ...{
    permissions: new Set<ProjectPermission>(),
    isMember: false,
    isInvited: false,
    follow: undefined,
    collections: [],
  },
};

function sharedOf({ config }: Resources, viewer: Viewer, taxonomy: Taxonomy) {
  const { mavenGroup, http, launchers } = config;
  return { taxonomy, mavenGroup, launchers, siteUrl: http.url, isStaff: isStaff(viewer) };
}

/** The version that most visitors look for. */
export const newestVersion = (versions: readonly PageVersion[]): PageVersion | undefined =>
  versions.find(({ yanked, channel }) => !yanked && channel === "release") ?? versions[0];

/** The number is one of the first fields of a version, and most pages show nothing else of most of them. */
const startBytes = 512;
// Quotes inside of a text are escaped, so that these cannot be parts of one.
const titleField = /"title":("(?:[^"\\]|\\.)*")/;
const numberField = /"versionNumber":("(?:[^"\\]|\\.)*")/;
const fileField = '"primaryFile":';
const nextField = ',"files":';

/** A version of a prepared project. Everything is read when it is used: most pages show a few of many versions. */
class PreparedVersion implements PageVersion {
  readonly #project: PreparedProject;
  readonly #ordinal: number;
  readonly #offeredOf: (ordinal: number) => OfferedSet;
  #value: VersionRow | undefined;
  #number: string | undefined;

  /** `offeredOf`: the same object for all versions with the same loaders and game versions. */
  constructor(project: PreparedProject, ordinal: number, offeredOf: (ordinal: number) => OfferedSet) {
    this.#project = project;
    this.#ordinal = ordinal;
    this.#offeredOf = offeredOf;
  }

  get own(): PageVersion["own"] {
    return this;
  }

  get value(): VersionRow {
    this.#value ??= this.#readRow();
    return this.#value;
  }

  /** A version is long, and a page may have 50 of them, so that only the fields that it shows are parsed. */
  #readRow(): VersionRow {
    const text = this.#project.versionStart(this.#ordinal);
    const title = titleField.exec(text);
    const number = numberField.exec(text);
    const fileAt = text.indexOf(fileField);
    const fileEnd = text.indexOf(nextField, fileAt);
    if (!title || !number || fileAt < 0 || fileEnd < 0) return this.#readAll();
    this.#number = JSON.parse(number[1]!) as string;
    return {
      title: JSON.parse(title[1]!),
      downloads: this.#project.downloadsOf(this.#ordinal),
      primaryFile: JSON.parse(text.slice(fileAt + fileField.length, fileEnd)),
    };
  }

  #readAll(): Version {
    const version = JSON.parse(this.#project.versionText(this.#ordinal)) as Version;
    this.#number = version.versionNumber;
    return version;
  }

  get versionNumber(): string {
    this.#number ??= this.#readNumber();
    return this.#number;
  }

  #readNumber(): string {
    const found = numberField.exec(this.#project.versionStart(this.#ordinal, startBytes));
    return found ? (JSON.parse(found[1]!) as string) : this.#readAll().versionNumber;
  }

  get id(): string {
    return this.#project.versionId(this.#ordinal);
  }

  get slug(): string {
    return this.#project.versionSlug(this.#ordinal);
  }

  get channel(): Channel {
    return channels[this.#project.channel(this.#ordinal)]!;
  }

  get gameVersions(): ReadonlySet<string> {
    return this.#offeredOf(this.#ordinal).gameVersions;
  }

  get loaders(): ReadonlySet<string> {
    return this.#offeredOf(this.#ordinal).loaders;
  }

  get featured(): boolean {
    return this.#project.hasFlag(this.#ordinal, "featured");
  }

  get yanked(): boolean {
    return this.#project.hasFlag(this.#ordinal, "yanked");
  }

  get needsOthers(): boolean {
    return this.#project.hasFlag(this.#ordinal, "needsOthers");
  }

  get dependencies(): PageVersion["dependencies"] {
    const { dependencies } = JSON.parse(this.#project.versionText(this.#ordinal)) as Version;
    return dependencies.map(({ projectId, versionId, dependencyType }) => ({
      ...{ on_project_id: projectId, on_version_id: versionId, type: dependencyType },
    }));
  }

  get datePublished(): number {
    return this.#project.datePublished(this.#ordinal);
  }
}

export async function getProjectView(resources: Resources, viewer: Viewer, ref: string): Promise<ProjectView> {
  const entry = await getVisibleProject(resources, viewer, ref);
  const versions = (await versionEntries(resources).load([entry.id])).get(entry.id) ?? [];
  const taxonomy = await getTaxonomy(resources);
  const shared = { ...sharedOf(resources, viewer, taxonomy), entry, project: entry.publicProject.value, versions };
  if (viewer.kind === "anonymous") return { ...shared, ...asGuest };
  const { user } = viewer;
  const isInvited = entry.project.members.some(({ userId, accepted }) => userId === user.id && !accepted);
  const relation = await findRelation(resources.db, viewer, shared.project);
  const asked = relation.permissions.size > 0 ? await listRequestedChanges(resources.db, [entry.project]) : undefined;
  return { ...shared, ...relation, isInvited, asked: asked?.get(entry.id), namedLicense: entry.namedLicense };
}

async function findRelation(db: Db, viewer: SignedIn, { id, members }: Project) {
  const { user } = viewer;
  const { permissions } = await findProjectRights(db, user, id);
  const isMember = permissions.size > 0 || members.some(({ userId, accepted }) => userId === user.id && accepted);
  const { follow, collections } = await findOwnMarks(db, user.id, id);
  // The names of private collections need their scope, also inside of a page.
  return { permissions, isMember, follow, collections: holdsAll(viewer, ["collection_read"]) ? collections : [] };
}

/** The same page under the project's current slug, with the rest of the URL. */
export function canonicalUrl(request: FastifyRequest, slug: string): string {
  const path = pathOf(request);
  const rest = path.split("/").slice(3).join("/");
  return `/project/${slug}${rest === "" ? "" : `/${rest}`}${request.url.slice(path.length)}`;
}
