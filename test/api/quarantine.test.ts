// Law: quarantined content appears nowhere (reliability Q-1). Every read of the service, with all the names of a
// version, on two servers: before, during and after the quarantine.
import { describe, expect, test } from "vitest";
import { routes } from "#app.js";
import type { EndpointSpec } from "#platform/http/endpoint.js";
import type { Actor, Reply } from "#test/callers/actors.js";
import { noise } from "#test/files/archive-bombs.js";
import { engine, testApp, uniqueName } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { type AnySchema, fitting, type Hints } from "./fitting-values.js";

const world = await testApp();
const second = await testApp({ sharedWith: world });
const { make, resources } = world;
const owner = await make.user();
const moderator = await make.user({ role: "moderator" });
const project = await makeProject(world, owner);
const dependent = await makeProject(world, owner);
const bytes = noise(200);
const held = await makeVersion(world, owner, project.id, {
  versionNumber: uniqueName("9.9.9").replace(/-/g, "."),
  title: uniqueName("title"),
  changelog: uniqueName("changelog"),
  fileName: `${uniqueName("file")}.jar`,
  bytes,
  gameVersions: ["0.4.8", "0.5.0"],
  loaders: ["quilt"],
});
const shown = (await world.as.anyone.get(`/api/version/${held.id}`)).body;
await makeVersion(world, owner, project.id, { gameVersions: ["0.4.8"], loaders: ["puzzle_loader"] }).then(
  // Older, so that the quarantined version is the latest while it is visible.
  ({ id }) => resources.db.updateTable("versions").set({ date_published: 1 }).where("id", "=", id).execute(),
);
const needing = await makeVersion(world, owner, dependent.id, {
  dependencies: [{ projectId: project.id, versionId: held.id, type: "required" }],
});

/** Everything that could name the version in an answer, including its content. */
const marks: string[] = [
  held.id,
  held.versionNumber,
  shown.title,
  shown.changelog,
  shown.primaryFile.name,
  shown.primaryFile.id,
  held.sha1,
  held.sha512,
  held.bytes.toString("latin1"),
];
const names = ({ bytes }: Reply): boolean => {
  const text = bytes.toString("latin1");
  return marks.some((mark) => text.includes(mark));
};

/** Endpoints that may name it, and why. */
const mayName: Record<string, string> = {
  listChanges: "tells mirrors that it is gone",
  streamChanges: "tells mirrors that it is gone",
  getNotifications: "tells its owner that it is held",
  getUserNotifications: "tells its owner that it is held",
  getNotification: "tells its owner that it is held",
  getThread: "tells its team that it is held",
  getProjectModerationPage: "shows that thread",
  exportOwnData: "holds what its owner was told",
  modrinthGetRandomProjects: "chooses projects at random, and shows them like modrinthGetProjects",
};
const isSpared = ({ id, path, tag }: EndpointSpec): boolean =>
  id in mayName || tag === "Moderation" || path === "/metrics" || /^\/(?:api\/docs|moderation|admin)/.test(path);

/** Pages are tried on one engine only, as everywhere. */
const reads = routes
  .filter(({ endpoint }) => !endpoint.internal || engine === "sqlite")
  .map(({ endpoint }) => endpoint)
  .filter((endpoint) => endpoint.method === "GET" && !isSpared(endpoint));

/** By the noun of the path and the name of the parameter: values that lead to the version. */
function hintsFor({ path }: EndpointSpec): Hints {
  const noun = /^\/(?:api|v2|cdn\/data|maven|feeds?|badges?)\/(\w+?)s?(?:[-/]|$)/.exec(path)?.[1];
  const id = noun === "version" ? held.id : project.id;
  const ref = noun === "user" ? owner.userName : project.slug;
  return {
    ...{ ref: [ref], id: [id], projectRef: [project.slug] },
    ...{ ids: [path.startsWith("/v2/") ? JSON.stringify([id]) : id], projectId: [project.id], slug: [project.slug] },
    ...{ loaders: ["[]"], game_versions: ["[]"], facets: ["[]"] },
    ...{ version: [held.id], versionId: [held.id], versionNumber: [held.versionNumber], hash: [held.sha512] },
    ...{ fileName: [shown.primaryFile.name], include: ["version-info"], includeVersions: ["true"] },
  };
}

/** Once in the simplest form, once with all parameters. */
const pathsOf = (endpoint: EndpointSpec): string[] => [
  ...new Set([false, true].map((whole) => pathOf(endpoint, whole))),
];

function pathOf(endpoint: EndpointSpec, whole: boolean): string {
  const values = (schema: EndpointSpec["query"]) => {
    const given = schema as unknown as AnySchema | undefined;
    return given
      ? fitting(
          whole ? { ...given, required: Object.keys(given.properties ?? {}) } : given,
          undefined,
          hintsFor(endpoint),
        )
      : {};
  };
  const params = values(endpoint.params) as Record<string, string>;
  const path = endpoint.path
    .replace("/*", `/${project.slug}`)
    .replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? "sample"));
  const query = new URLSearchParams(values(endpoint.query) as Record<string, string>);
  return query.size > 0 ? `${path}?${query}` : path;
}

const maven = `/maven/${world.config.mavenGroup.replaceAll(".", "/")}/${project.slug}`;

/** Look-ups that are POST because their input is long, and reads that the sweep cannot derive. */
const more: Record<string, (actor: Actor) => Promise<Reply>> = {
  "getProject with versions": (actor) => actor.get(`/api/project/${project.slug}?includeVersions=true`),
  "getProjects with version-info": (actor) => actor.get(`/api/projects?ids=${project.id}&include=version-info`),
  "getProjects with version-list": (actor) => actor.get(`/api/projects?ids=${project.id}&include=version-list`),
  "getProjects with version-slug": (actor) => actor.get(`/api/projects?ids=${project.id}&include=version-slug`),
  getProjectsVersions: (actor) => actor.get(`/api/projects/versions?ids=${project.id}`),
  modrinthGetVersionsByHashes: (actor) => actor.post("/v2/version_files", { hashes: [held.sha1] }),
  modrinthGetUpdatesByHashes: (actor) => actor.post("/v2/version_files/update", { hashes: [held.sha1] }),
  modrinthGetUpdateByHash: (actor) => actor.post(`/v2/version_file/${held.sha1}/update`, {}),
  "getVersion by slug": (actor) => actor.get(`/api/project/${project.slug}/version/${held.versionNumber}`),
  getLatestVersion: (actor) => actor.get(`/api/project/${project.slug}/version/latest`),
  "getLatestVersion, filtered": (actor) =>
    actor.get(`/api/project/${project.slug}/version/latest?gameVersion=0.5.0&loader=quilt`),
  "downloadPrimaryFile of the latest": (actor) => actor.get(`/api/project/${project.slug}/version/latest/primary-file`),
  downloadPrimaryFile: (actor) => actor.get(`/api/project/${project.id}/version/${held.id}/primary-file`),
  getVersionsByIds: (actor) => actor.get(`/api/version?ids=${held.id}`),
  "getVersionByHash, sha1": (actor) => actor.get(`/api/version-file/${held.sha1}?algorithm=sha1`),
  downloadByHash: (actor) => actor.get(`/api/version-file/${held.sha512}/download`),
  getVersionsByHashes: (actor) => actor.post("/api/version-files", { hashes: [held.sha512] }),
  "getVersionsByHashes, sha1": (actor) => actor.post("/api/version-files", { hashes: [held.sha1], algorithm: "sha1" }),
  getUpdatesByHashes: (actor) => actor.post("/api/version-files/update", { hashes: [held.sha512] }),
  getUpdateByHash: (actor) => actor.post(`/api/version-file/${held.sha512}/update`, {}),
  resolveDependencies: (actor) => actor.post("/api/resolve", { projects: [{ project: project.slug }] }),
  getProjectFeed: (actor) => actor.get(`/project/${project.slug}/feed.atom`),
  getReleaseFeed: (actor) => actor.get("/feeds/releases.json"),
  getAllFeed: (actor) => actor.get("/feeds/all.json"),
  getMavenFile: (actor) => actor.get(`${maven}/maven-metadata.xml`),
  "getMavenFile, the jar": (actor) =>
    actor.get(`${maven}/${held.versionNumber}/${project.slug}-${held.versionNumber}.jar`),
  "a version that needs it": (actor) => actor.get(`/api/version/${needing.id}`),
};

const all: Record<string, (actor: Actor) => Promise<Reply>[]> = {
  ...Object.fromEntries(
    reads.map((endpoint) => {
      const paths = pathsOf(endpoint);
      return [endpoint.id, (actor: Actor) => paths.map((path) => actor.get(path))];
    }),
  ),
  ...Object.fromEntries(Object.entries(more).map(([name, call]) => [name, (actor: Actor) => [call(actor)]])),
};

/** The reads that currently name the version. */
async function naming(actor: Actor, among: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of among) if ((await Promise.all(all[name]!(actor))).some(names)) found.push(name);
  return found.sort();
}

/** On each server, as a guest, as the owner, and as a moderator on public routes. */
const callers: [string, Actor][] = [world, second].flatMap(({ as }, at) => [
  [`anybody on server ${at}`, as.anyone] as [string, Actor],
  [`the owner on server ${at}`, as.user(owner)] as [string, Actor],
  [`a moderator on server ${at}`, as.user(moderator)] as [string, Actor],
]);
type Seen = Record<string, string[]>;

/** The reads that show the version to each caller: all of them, or those of a previous run. */
async function everybody(before?: Seen): Promise<Seen> {
  const seen: Seen = {};
  for (const [name, actor] of callers) seen[name] = await naming(actor, before?.[name] ?? Object.keys(all));
  return seen;
}

/** Reads that show the version on the first server are tried on the second one. */
async function everybodyAtFirst(): Promise<Seen> {
  const seen: Seen = {};
  for (const [at, [name, actor]] of callers.entries()) {
    const onFirstServer = callers[at % (callers.length / 2)]![0];
    seen[name] = await naming(actor, seen[onFirstServer] ?? Object.keys(all));
  }
  return seen;
}

/** Every test restores the original state, so that one run is enough for all. */
let atFirst: Promise<Seen> | undefined;

const quarantine = (body: object) =>
  world.as.user(moderator).post("/api/moderation/quarantine", { reason: "Does harm", ...body });
const projectLists = async (actor: Actor) => {
  const { gameVersions, loaders } = (await actor.get(`/api/project/${project.id}`)).body.project;
  return { gameVersions, loaders };
};

/** The rows of a version in the tables. */
const rows = async () => {
  const { db } = resources;
  const of = (table: "version_files" | "version_compat" | "dependencies") =>
    db.selectFrom(table).selectAll().where("version_id", "=", held.id).orderBy("version_id").execute();
  const version = await db.selectFrom("versions").selectAll().where("id", "=", held.id).executeTakeFirstOrThrow();
  const compat = (await of("version_compat")).map((row) => JSON.stringify(row)).sort();
  return { version, compat, files: await of("version_files"), dependencies: await of("dependencies") };
};

/** These tell the team of the project that the version is held, and why. */
const pagesOfTeam = engine === "sqlite" ? ["getVersionPage", "getVersionsPage"] : [];

/** One kind of quarantine is tried on all reads, the other one on those that showed the version before. */
describe.each([
  ["a version", () => ({ versionId: held.id }), true],
  ["a content", () => ({ sha512: held.sha512.toUpperCase() }), false],
])("quarantine of %s", (_what, target, onAllReads) => {
  test("removes it from every route of every server immediately, and restores it completely", {
    timeout: 240_000,
  }, async () => {
    atFirst ??= everybodyAtFirst();
    const before = await atFirst;
    for (const [name, seen] of Object.entries(before)) {
      expect(seen, name).toEqual(expect.arrayContaining(Object.keys(more)));
      expect(seen.length, name).toBeGreaterThan(Object.keys(more).length + 5);
    }
    const lists = await projectLists(world.as.anyone);
    expect(lists.loaders).toContain("quilt");
    const rowsBefore = await rows();

    const made = await quarantine(target());
    expect(made.body).toMatchObject({ success: true, versions: 1 });
    // The server that handled the request knows immediately; the other one within a second.
    expect(names(await world.as.anyone.get(`/api/version/${held.id}`))).toBe(false);
    await expect.poll(async () => names(await second.as.anyone.get(`/api/version/${held.id}`))).toBe(false);
    for (const [name, seen] of Object.entries(await everybody(onAllReads ? undefined : before))) {
      const pages = name.startsWith("the owner") ? pagesOfTeam : [];
      expect(seen, name).toEqual(pages.filter((page) => onAllReads || before[name]!.includes(page)));
    }
    const { changes } = (await second.as.anyone.get("/api/changes?limit=1000")).body;
    const told = changes.filter((change: { id: string }) => change.id === held.id);
    expect(told.at(-1)).toMatchObject({ kind: "version", act: "deleted" });
    for (const { as } of [world, second])
      expect(await projectLists(as.anyone)).toEqual({ gameVersions: ["0.4.8"], loaders: ["puzzle_loader"] });

    const id = made.body.quarantine.id;
    const lifted = await world.as.user(moderator).delete(`/api/moderation/quarantine/${id}`);
    expect(lifted.body).toMatchObject({ success: true, versions: 1 });
    await expect.poll(async () => names(await second.as.anyone.get(`/api/version/${held.id}`))).toBe(true);
    expect(await everybody(before)).toEqual(before);
    expect(await projectLists(second.as.anyone)).toEqual(lists);
    const rowsAfter = await rows();
    const { downloads } = rowsAfter.version;
    expect(rowsAfter).toEqual({ ...rowsBefore, version: { ...rowsBefore.version, downloads } });
  });
});

test("a read that names a quarantined version would be detected", async () => {
  const inspected = await world.as.user(moderator).get(`/api/moderation/version/${held.id}`);
  expect(names(inspected)).toBe(true);
  expect(Object.keys(mayName).filter((id) => id.startsWith("get")).length).toBeGreaterThan(1);
});
