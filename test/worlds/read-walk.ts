// Every read route of the interface, asked for everything that a registry has, with answers in which ids are replaced by
// names: so two registries with the same content can be compared. The routes come from the contracts; a new route with an
// unknown parameter fails the walk until it is taught here.
import { routes } from "#app.js";
import type { EndpointSpec } from "#platform/http/endpoint.js";
import type { TestApp } from "#test/server/harness.js";

interface Names {
  /** Ids and names of pictures, by themselves, with a name that is the same on every registry. */
  tokens: Map<string, string>;
  projects: { id: string; slug: string; teamId: string }[];
  versions: { id: string; slug: string; project: string; number: string; files: string[] }[];
  users: { id: string; name: string }[];
  orgs: { id: string; slug: string; teamId: string }[];
  hashes: string[];
  files: { name: string; versionId: string; projectId: string }[];
}

/** `isShown`: only these projects are asked for. */
export async function readNames({ resources: { db } }: TestApp, isShown: (slug: string) => boolean): Promise<Names> {
  const tokens = new Map<string, string>();
  const name = (id: string | null, token: string) => id !== null && tokens.set(id, token);
  const users = await db.selectFrom("users").select(["id", "user_name"]).execute();
  for (const user of users) name(user.id, `<user ${user.user_name}>`);
  const orgs = await db.selectFrom("organizations").select(["id", "slug", "team_id"]).execute();
  for (const org of orgs) name(org.id, `<org ${org.slug}>`) && name(org.team_id, `<team ${org.slug}>`);
  const projects = await db.selectFrom("projects").select(["id", "slug", "team_id"]).execute();
  for (const { id, slug, team_id } of projects) name(id, `<project ${slug}>`) && name(team_id, `<team ${slug}>`);
  const nameOf = (id: string) => tokens.get(id) ?? id;
  for (const row of await db.selectFrom("team_members").select(["id", "team_id", "user_id"]).execute())
    name(row.id, `<member ${nameOf(row.team_id)} ${nameOf(row.user_id)}>`);
  const versions = await db.selectFrom("versions").select(["id", "slug", "project_id", "version_number"]).execute();
  for (const row of versions) name(row.id, `<version ${nameOf(row.project_id)} ${row.version_number}>`);
  const files = await db.selectFrom("version_files").selectAll().execute();
  for (const file of files) name(file.id, `<file ${nameOf(file.version_id)} ${file.name}>`);
  for (const row of await db.selectFrom("dependencies").selectAll().execute())
    name(row.id, `<dependency ${nameOf(row.version_id)} ${nameOf(row.on_project_id)}>`);
  for (const item of await db.selectFrom("gallery_items").selectAll().execute()) {
    name(item.id, `<picture ${item.name}>`);
    name(item.image_id, `<image ${item.name}>`);
    name(item.thumbnail_id, `<thumbnail ${item.name}>`);
  }
  for (const image of await db.selectFrom("images").select(["id", "owner_id"]).execute())
    if (!tokens.has(image.id)) name(image.id, `<image of ${nameOf(image.owner_id)}>`);
  const shown = projects.filter(({ slug }) => isShown(slug)).sort((a, b) => (a.slug < b.slug ? -1 : 1));
  const slugs = new Map(shown.map(({ id, slug }) => [id, slug]));
  const isOfShown = ({ project_id }: { project_id: string }) => slugs.has(project_id);
  const byName = (a: string, b: string) => (nameOf(a) < nameOf(b) ? -1 : 1);
  return {
    tokens,
    projects: shown.map(({ id, slug, team_id }) => ({ id, slug, teamId: team_id })),
    versions: versions
      .filter(isOfShown)
      .sort((a, b) => byName(a.id, b.id))
      .map(({ id, slug, project_id, version_number }) => ({
        ...{ id, slug, project: slugs.get(project_id)!, number: version_number },
        files: files.filter((file) => file.version_id === id).map((file) => file.name),
      })),
    users: users
      .filter(({ user_name }) => !["keeper", "deleted_user"].includes(user_name))
      .map(({ id, user_name }) => ({ id, name: user_name }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    orgs: orgs.map(({ id, slug, team_id }) => ({ id, slug, teamId: team_id })),
    hashes: files
      .filter(isOfShown)
      .map((file) => Buffer.from(file.sha512).toString("hex"))
      .sort(),
    files: files
      .filter(isOfShown)
      .sort((a, b) => byName(a.id, b.id))
      .map((file) => ({ name: file.name, versionId: file.version_id, projectId: file.project_id })),
  };
}

/** Routes that do not read content: the server's own state, signing in, and logs of its own history. */
const notContent: Record<string, string> = {
  ...{
    validateSession: "signing in",
    listProviders: "signing in",
    beginSignIn: "signing in",
    beginSignUp: "signing in",
  },
  ...{ createOAuthToken: "signing in", revokeOAuthToken: "signing in", getOAuthMetadata: "signing in" },
  ...{ getPublishingAudience: "signing in", getFollowingFeed: "of a user's own" },
  ...{ getHealth: "state", getReadiness: "state", getMetrics: "state", getService: "state" },
  ...{ listChanges: "history", streamChanges: "history" },
  ...{ getApiReference: "documents", getOpenApi: "documents", getOpenApiAtOldPath: "documents" },
  ...{ getCollectionIcon: "collections are not imported", getCollectionFeed: "collections are not imported" },
  ...{ getUserPicture: "profiles are not imported" },
};

const isRead = ({ id, method, path, access, internal, crossOrigin }: EndpointSpec): boolean =>
  (method === "GET" || crossOrigin === true) &&
  (access.kind === "open" || access.kind === "readable") &&
  access.role === undefined &&
  (!internal || path.startsWith("/v2")) &&
  !(id in notContent);

export const readRoutes = routes.map(({ endpoint }) => endpoint).filter(isRead);

interface Asked {
  path: string;
  body?: unknown;
  /** The same question on every registry. */
  label: string;
}

type Values = Record<string, string>;

/** All values of the parameters in the path of a route. */
function valuesFor({ path, id }: EndpointSpec, names: Names): Values[] {
  const parameters = [...path.matchAll(/:(\w+)|\*/g)].map(([all, name]) => name ?? all);
  if (parameters.length === 0) return [{}];
  const [first = ""] = parameters;
  const key = parameters.join(" ");
  const refs = (all: readonly { id: string; slug?: string; name?: string }[]) =>
    all.flatMap(({ id, slug, name }) => [{ ref: id }, { ref: (slug ?? name)! }]);
  if (/^\/(?:api|v2)\/user\/|^\/user\//.test(path)) return withFormat(path, refs(names.users));
  if (/^\/(?:api\/)?organization\//.test(path)) return withFormat(path, refs(names.orgs));
  if (key === "ref badge")
    return names.projects.flatMap(({ slug }) => ["version.svg", "license.json"].map((badge) => ({ ref: slug, badge })));
  if (key === "ref" || key === "ref format") return withFormat(path, refs(names.projects));
  if (key === "ref version")
    return names.versions.flatMap(({ id, slug, project }) => [
      { ref: project, version: slug },
      { ref: project, version: id },
    ]);
  if (key === "ref version fileName")
    return names.versions.flatMap(({ slug, project, files }) =>
      files.map((fileName) => ({ ref: project, version: slug, fileName })),
    );
  if (key === "version") return names.versions.map(({ id }) => ({ version: id }));
  if (key === "hash") return names.hashes.map((hash) => ({ hash }));
  if (key === "teamId") return [...names.projects, ...names.orgs].map(({ teamId }) => ({ teamId }));
  if (key === "format") return withFormat(path, [{}]);
  if (id === "getLicense" || id === "modrinthGetLicense") return [{ id: "MIT" }];
  if (path.startsWith("/api/collections")) return [{ id: "unknown" }];
  if (id === "getSitemap" || id === "getFormerSitemap") return [{ file: "sitemap.xml" }, { file: "projects-1.xml" }];
  if (key === "id versionId fileName")
    return names.files.map(({ name, versionId, projectId }) => ({ id: projectId, versionId, fileName: name }));
  if (first === "*")
    return names.versions.flatMap(({ project, number }) => [
      { "*": `maven/modshelf/${project}/maven-metadata.xml` },
      { "*": `maven/modshelf/${project}/${number}/${project}-${number}.pom` },
    ]);
  // Pictures: their URLs are in the answers, which are compared.
  if (path.startsWith("/cdn/data/")) return [];
  throw new Error(`The walk does not know the parameters of ${id}: ${path}`);
}

const withFormat = (path: string, all: Values[]): Values[] =>
  path.includes(":format") ? all.flatMap((values) => ["atom", "json"].map((format) => ({ ...values, format }))) : all;

/** The questions of a route: one for each value of its path, or for its lists. */
function questions(endpoint: EndpointSpec, names: Names, label: (text: string) => string): Asked[] {
  const isModrinth = endpoint.path.startsWith("/v2");
  const list = (ids: string[]) => (isModrinth ? JSON.stringify(ids) : ids.join(","));
  const ids = /user/i.test(endpoint.id)
    ? names.users.map(({ id }) => id)
    : /organization/i.test(endpoint.id)
      ? names.orgs.map(({ id }) => id)
      : /getVersions/i.test(endpoint.id)
        ? names.versions.map(({ id }) => id)
        : names.projects.map(({ id }) => id);
  const hasIds = "ids" in (endpoint.query?.properties ?? {});
  const isRandom = "count" in (endpoint.query?.properties ?? {});
  const query = isRandom
    ? "?count=100"
    : hasIds
      ? `?ids=${encodeURIComponent(list(ids))}`
      : endpoint.id === "getEmbed"
        ? "?url="
        : "";
  return valuesFor(endpoint, names).map((values) => {
    const path = endpoint.path.replaceAll(/:(\w+)|\*/g, (all, name) => {
      const value = values[name ?? all]!;
      return all === "*" ? value : encodeURIComponent(value);
    });
    const body = endpoint.method === "POST" ? bodyFor(endpoint, names) : undefined;
    return { path: path + query, body, label: `${endpoint.method} ${label(path)}` };
  });
}

const bodyFor = ({ id }: EndpointSpec, { hashes, projects }: Names): unknown => {
  if (id === "resolveDependencies")
    return { projects: projects.map(({ slug }) => ({ project: slug })), gameVersion: "0.4.8" };
  if (id === "previewUpdate") return { hashes, gameVersion: "0.4.8", loader: "quilt" };
  if (/individual/i.test(id)) return { algorithm: "sha512", hashes: hashes.map((hash) => ({ hash })) };
  return { algorithm: "sha512", hashes, loaders: ["quilt"], game_versions: ["0.4.8"] };
};

/** Whether a field is left out of the comparison. */
export type IsDifferent = (field: string, object: object) => boolean;

/** The status and the body of each answer, by question. */
export async function walkReads(
  site: TestApp,
  isShown: (slug: string) => boolean,
  isDifferent: IsDifferent,
): Promise<Map<string, unknown>> {
  const names = await readNames(site, isShown);
  const host = new URL(site.config.http.url).host;
  const named = (text: string): string =>
    text
      .replaceAll(host, "HOST")
      .replaceAll(/(?<![A-Za-z0-9])[A-Za-z0-9]{8}(?![A-Za-z0-9])/g, (word) => names.tokens.get(word) ?? word)
      .replaceAll(/member-[0-9a-f]{12}/g, (word) => names.tokens.get(word) ?? word);
  const answers = new Map<string, unknown>();
  for (const endpoint of readRoutes)
    for (const { path, body, label } of questions(endpoint, names, named)) {
      const reply = await site.as.anyone.call(endpoint.method, path, body === undefined ? {} : { json: body });
      const told =
        reply.body === undefined
          ? toText(reply.headers, reply.bytes, named)
          : without(JSON.parse(named(reply.text)), isDifferent);
      answers.set(label, { status: reply.status, told });
    }
  return answers;
}

/** Texts in which ids are replaced; other files by their bytes. */
function toText(headers: Headers, bytes: Buffer, named: (text: string) => string): string {
  const type = headers.get("content-type") ?? "";
  if (!/text|xml|json|svg/.test(type)) return bytes.toString("base64");
  // The pages of a sitemap are in the order of their ids.
  return named(bytes.toString("utf8"))
    .split(/(?=<url>|<\/urlset>)/)
    .sort()
    .join("");
}

/** Without those fields, and with projects and dependencies in the order of their names. */
function without(value: unknown, isDifferent: IsDifferent): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => without(item, isDifferent));
    return items.every(isUnordered) ? items.toSorted((a, b) => (toKey(a) < toKey(b) ? -1 : 1)) : items;
  }
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !isDifferent(key, value));
  return Object.fromEntries(kept.map(([key, inner]) => [key, without(inner, isDifferent)]));
}

const toKey = (item: unknown): string => JSON.stringify(item);

/** Lists of projects are ordered by downloads, and dependencies by their ids; neither is the same elsewhere. */
const isUnordered = (item: unknown): boolean =>
  typeof item === "object" &&
  item !== null &&
  (("slug" in item && !("versionNumber" in item)) || "dependencyType" in item || "dependency_type" in item);
