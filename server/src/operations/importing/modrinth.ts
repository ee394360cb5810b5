// Reads a registry with Modrinth's API v2. It has no organizations, and shows fewer fields than our own interface.
import Type, { type Static, type TSchema } from "typebox";
import { Count, dateOf, Id, List, listPages, maybe, Sha1, Sha512, Size, shown, Text, UrlText } from "./answers.js";
import type { PoliteClient } from "./polite-client.js";
import {
  BadAnswer,
  type Selection,
  type Source,
  type SourceMember,
  type SourceProject,
  type SourceVersion,
} from "./source.js";

const Project = Type.Object({
  id: Id,
  slug: Text(64),
  title: Text(256),
  description: Text(4096),
  body: maybe(Text(1_000_000)),
  project_type: Text(64),
  /** Modshelf has more than one. */
  all_project_types: maybe(List(Text(64), 16)),
  status: Text(32),
  license: maybe(Type.Object({ id: Text(256), name: maybe(Text(256)), url: maybe(UrlText) })),
  categories: List(Text(64), 500),
  additional_categories: maybe(List(Text(64), 500)),
  client_side: Text(32),
  server_side: Text(32),
  icon_url: maybe(UrlText),
  issues_url: maybe(UrlText),
  source_url: maybe(UrlText),
  wiki_url: maybe(UrlText),
  discord_url: maybe(UrlText),
  donation_urls: maybe(List(Type.Object({ platform: Text(256), url: UrlText }), 50)),
  gallery: maybe(
    List(
      Type.Object({
        url: UrlText,
        raw_url: maybe(UrlText),
        featured: Type.Boolean(),
        title: maybe(Text(512)),
        description: maybe(Text(4096)),
        created: Text(64),
        ordering: Type.Optional(Type.Number()),
      }),
      1000,
    ),
  ),
  published: Text(64),
  updated: Text(64),
});

const Member = Type.Object({
  user: Type.Object({ id: Id, username: Text(64) }),
  role: maybe(Text(256)),
  is_owner: maybe(Type.Boolean()),
  accepted: maybe(Type.Boolean()),
});

const File = Type.Object({
  hashes: Type.Object({ sha1: Sha1, sha512: Sha512 }),
  url: UrlText,
  filename: Text(1024),
  primary: Type.Boolean(),
  size: Size,
});

const Version = Type.Object({
  id: Id,
  name: Text(512),
  version_number: Text(256),
  changelog: maybe(Text(1_000_000)),
  version_type: Text(32),
  featured: Type.Boolean(),
  game_versions: List(Text(64), 2000),
  loaders: List(Text(64), 200),
  date_published: Text(64),
  author_id: maybe(Id),
  files: Type.Array(File, { minItems: 1, maxItems: 200 }),
  dependencies: maybe(
    List(Type.Object({ project_id: maybe(Id), version_id: maybe(Id), dependency_type: Text(32) }), 2000),
  ),
});

const Items = List(Type.Object({ id: Id }), 50_000);
const Found = Type.Object({ hits: List(Type.Object({ project_id: Id }), 1000), total_hits: Count });

export const modrinthProbe = { path: "/v2/search?limit=1", schema: Found };

export function createModrinth(client: PoliteClient): Source {
  const ask = async <S extends TSchema>(path: string, schema: S, what: string): Promise<Static<S>> => {
    const found = await client.json<Static<S>>(path, schema);
    if (found === undefined) throw new BadAnswer(`The source has no ${what}.`);
    return found;
  };
  const page = async (offset: number, limit: number) => {
    const path = `/v2/search?index=newest&limit=${limit}&offset=${offset}`;
    const { hits, total_hits } = await ask(path, Found, "search");
    return { ids: hits.map((hit) => hit.project_id), total: total_hits };
  };
  return {
    kind: "modrinth",
    async *list(selection: Selection) {
      if (selection.by === "projects") yield* selection.refs;
      else if (selection.by === "user") {
        const path = `/v2/user/${encodeURIComponent(selection.name)}/projects`;
        yield* (await ask(path, Items, `user "${shown(selection.name)}"`)).map(({ id }) => id);
      } else if (selection.by === "organization")
        throw new BadAnswer("Modrinth's API v2 has no organizations. Name the projects, or the user.");
      else yield* listPages(page);
    },
    async project(ref) {
      const path = `/v2/project/${encodeURIComponent(ref)}`;
      const project = await ask(path, Project, `project "${shown(ref)}"`);
      const members = await ask(`${path}/members`, List(Member, 1000), `members of "${shown(ref)}"`);
      return toProject(project, members);
    },
    async versions(projectId) {
      const path = `/v2/project/${encodeURIComponent(projectId)}/version`;
      return (await ask(path, List(Version, 20_000), `versions of ${projectId}`)).map(toVersion);
    },
    organization: () => Promise.reject(new BadAnswer("Modrinth's API v2 has no organizations.")),
  };
}

const visibilityOf: Record<string, SourceProject["visibility"]> = {
  approved: "listed",
  unlisted: "unlisted",
  archived: "archived",
};

/** How licenses without an id are named there. */
const withoutId = new Set(["LicenseRef-Custom", "LicenseRef-Unknown"]);

function toProject(project: Static<typeof Project>, members: readonly Static<typeof Member>[]): SourceProject {
  const visibility = visibilityOf[project.status];
  if (!visibility) throw new BadAnswer(`The project "${shown(project.slug)}" is not public at the source.`);
  const { license, categories } = project;
  return {
    ...{ id: project.id, slug: project.slug, name: project.title, summary: project.description },
    ...{ description: project.body ?? "", visibility },
    types: project.all_project_types ?? [project.project_type],
    typesFollowLoaders: !project.all_project_types,
    categories: [...categories, ...(project.additional_categories ?? [])],
    // Modrinth's first list has the categories that its own lists show.
    featuredCategories: categories,
    license: {
      id: license && !withoutId.has(license.id) ? license.id : "",
      name: license?.name ?? "",
      url: license?.url ?? "",
    },
    links: {
      issueTracker: project.issues_url ?? null,
      sourceCode: project.source_url ?? null,
      wikiPage: project.wiki_url ?? null,
      discordServer: project.discord_url ?? null,
    },
    donationLinks: project.donation_urls ?? [],
    disclosures: undefined,
    ...{ clientSide: project.client_side, serverSide: project.server_side, iconUrl: project.icon_url ?? null },
    gallery: (project.gallery ?? [])
      .toSorted((a, b) => (a.ordering ?? 0) - (b.ordering ?? 0))
      .map((picture) => ({
        ...{ url: picture.raw_url ?? picture.url, title: picture.title ?? "", description: picture.description ?? "" },
        ...{ featured: picture.featured, date: dateOf(picture.created) },
      })),
    members: members.filter(({ accepted }) => accepted !== false).map(toMember),
    orgId: null,
    ...{ datePublished: dateOf(project.published), dateUpdated: dateOf(project.updated) },
  };
}

const toMember = ({ user, role, is_owner }: Static<typeof Member>): SourceMember => ({
  ...{ userId: user.id, userName: user.username, role: role ?? "" },
  isOwner: is_owner ?? role === "Owner",
});

const toVersion = (version: Static<typeof Version>): SourceVersion => ({
  ...{ id: version.id, number: version.version_number, title: version.name, changelog: version.changelog ?? "" },
  ...{ channel: version.version_type, featured: version.featured, loaders: version.loaders },
  gameVersions: version.game_versions,
  datePublished: dateOf(version.date_published),
  ...{ authorId: version.author_id ?? null, authorName: null },
  files: version.files
    .toSorted((a, b) => Number(b.primary) - Number(a.primary))
    .map(({ filename, url, size, hashes }) => ({ name: filename, url, size, ...hashes })),
  dependencies: (version.dependencies ?? []).map(({ project_id, version_id, dependency_type }) => ({
    ...{ projectId: project_id ?? null, versionId: version_id ?? null, type: dependency_type },
  })),
  yanked: null,
});
