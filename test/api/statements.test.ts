// Constant cost: the number of statements of a read does not grow with the length of its list, with or without a warm
// cache.
import { describe, expect, test } from "vitest";
import { catalogOf } from "#content/catalog/catalog.js";
import { consumers } from "#operations/background/consumers.js";
import { catchUp } from "#platform/changes/consumer.js";
import type { TestUser } from "#test/callers/actors.js";
import { testApp } from "#test/server/harness.js";
import { countStatements, leastCounts } from "#test/server/statement-count.js";
import { makeOrg, makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make, resources, app, clock } = world;
const few = await furnish(2);
const many = await furnish(25);
// Statements of jobs, such as notifying followers a minute later, do not count for a read.
await app.jobs.stop();

/** A user with an organization and that many projects of that many versions each. */
async function furnish(size: number) {
  const owner = await make.user();
  const org = await makeOrg(world, owner);
  const projects: string[] = [];
  const slugs: string[] = [];
  const hashes: string[] = [];
  const versions: string[] = [];
  const users: string[] = [];
  for (let n = 0; n < size; n++) {
    const project = await makeProject(world, owner, n % 2 === 0 ? { orgId: org.id } : {});
    projects.push(project.id);
    slugs.push(project.slug);
    users.push((await make.user()).id);
    for (let v = 0; v < (n === 0 ? size : 1); v++) {
      const version = await makeVersion(world, owner, project.id);
      hashes.push(version.sha512);
      versions.push(version.id);
    }
  }
  const collections = await collect(owner, projects);
  return { owner, org, projects, slugs, hashes, versions, users, collections, ...(await entangle(owner, projects)) };
}

/** A library that each of them depends on, and a pack that depends on each of them. */
async function entangle(owner: TestUser, projects: readonly string[]): Promise<{ library: string; pack: string }> {
  const on = (projectId: string) => ({ projectId, versionId: null, type: "required" as const });
  const [{ id: library }, { id: pack }] = [await makeProject(world, owner), await makeProject(world, owner)];
  await makeVersion(world, owner, library);
  for (const id of projects) await makeVersion(world, owner, id, { dependencies: [on(library)] });
  await makeVersion(world, owner, pack, { versionNumber: "1.0", dependencies: projects.map(on) });
  return { library, pack };
}

/** Every project is followed, in as many collections, and has notifications. */
async function collect(owner: TestUser, projects: readonly string[]): Promise<string[]> {
  const collections: string[] = [];
  for (const id of projects) {
    expect(await as.user(owner).post(`/api/project/${id}/follow`)).toSucceed();
    const made = await as.user(owner).post("/api/collections", { name: "Collected", projects });
    collections.push(made.body.collectionId);
    // As old as the projects: a scheduled job, which may run at any moment, deletes old notifications.
    const dates = { date_created: clock.now(), date_read: null };
    const row = { user_id: owner.id, type: "version_published", group_key: null, ...dates };
    const body = JSON.stringify({ projectId: id, versionIds: [], versionCount: 1, invitedBy: owner.id });
    await resources.db
      .insertInto("notifications")
      .values({ ...row, id: `Told${id}`, body })
      .execute();
  }
  return collections;
}

type Content = typeof few;

const reads: Record<string, (content: Content, actor: typeof as.anyone) => Promise<unknown>> = {
  getProject: ({ projects: [id] }, actor) => actor.get(`/api/project/${id}?includeVersions=true`),
  getProjects: ({ projects }, actor) => actor.get(`/api/projects?ids=${projects}&include=version-info`),
  getProjectsVersions: ({ projects }, actor) => actor.get(`/api/projects/versions?ids=${projects}&limit=100`),
  getVersions: ({ projects: [id] }, actor) => actor.get(`/api/project/${id}/version`),
  getVersionsByIds: ({ versions }, actor) => actor.get(`/api/version?ids=${versions}`),
  getVersionsByHashes: ({ hashes }, actor) => actor.post("/api/version-files", { hashes }),
  getUpdatesByHashes: ({ hashes }, actor) => actor.post("/api/version-files/update", { hashes }),
  getDependencies: ({ pack }, actor) => actor.get(`/api/project/${pack}/dependencies`),
  getDependents: ({ library }, actor) => actor.get(`/api/project/${library}/dependents?limit=100`),
  resolveDependencies: ({ pack, projects, hashes: installed }, actor) =>
    actor.post("/api/resolve", { projects: [pack, ...projects].map((project) => ({ project })), installed }),
  previewUpdate: ({ hashes }, actor) => actor.post("/api/update-preview", { hashes }),
  getMavenFile: ({ pack }, actor) => actor.get(`/maven/maven/modshelf/${pack}/1.0/${pack}-1.0.pom`),
  searchProjects: ({ projects }, actor) => actor.get(`/api/search?limit=${projects.length}&v=0.4.8&facets=1`),
  getUserProjects: ({ owner }, actor) => actor.get(`/api/user/${owner.id}/projects`),
  getOrganizationProjects: ({ org }, actor) => actor.get(`/api/organization/${org.id}/projects`),
  getOrganizations: ({ org }, actor) => actor.get(`/api/organizations?ids=${org.id}`),
  getUserCollections: ({ owner }, actor) => actor.get(`/api/user/${owner.id}/collections`),
  getCollection: ({ collections: [id] }, actor) => actor.get(`/api/collections/${id}`),
  getCollectionProjects: ({ collections: [id] }, actor) => actor.get(`/api/collections/${id}/projects`),
  getFollowedProjects: ({ owner }) => as.user(owner).get("/api/user/follows"),
  getFollows: ({ owner }) => as.user(owner).get("/api/user/follows/preferences"),
  getFollowedCollection: ({ owner }) => as.user(owner).get("/api/collections/follows/projects"),
  getNotifications: ({ owner }) => as.user(owner).get("/api/notifications"),
  getReleaseFeed: (_content, actor) => actor.get("/feeds/releases.json?l=quilt"),
  getAllFeed: (_content, actor) => actor.get("/feeds/all.atom?ch=release"),
  getProjectFeed: ({ projects: [id] }, actor) => actor.get(`/project/${id}/feed.atom`),
  getUserFeed: ({ owner }, actor) => actor.get(`/user/${owner.userName}/feed.json?v=0.4.8`),
  getOrganizationFeed: ({ org }, actor) => actor.get(`/organization/${org.slug}/feed.atom`),
  getCollectionFeed: ({ collections: [id], owner }) => as.user(owner).get(`/collection/${id}/feed.json`),
  getDownloadFigures: ({ projects, owner }) => as.user(owner).get(`/api/analytics/downloads?projectIds=${projects}`),
  getViewFigures: ({ projects, owner }) =>
    as.user(owner).get(`/api/analytics/views?projectIds=${projects}&by=referrer`),
  getBadge: ({ projects: [id] }, actor) => actor.get(`/badge/${id}/game-versions.svg`),
  getSitemap: (_content, actor) => actor.get("/sitemaps/versions-1.xml"),
  getUsers: ({ users }, actor) => actor.get(`/api/users?ids=${users}`),
  getProjectPage: ({ slugs: [slug] }, actor) => actor.get(`/project/${slug}`),
  getVersionsPage: ({ slugs: [slug] }, actor) => actor.get(`/project/${slug}/versions`),
  getChangelogPage: ({ slugs: [slug] }, actor) => actor.get(`/project/${slug}/changelog`),
  getStatsPage: ({ slugs: [slug] }, actor) => actor.get(`/project/${slug}/stats`),
  getHomePage: (_content, actor) => actor.with({ cookie: "setup=0.4.8|quilt" }).get("/"),
  getModsPage: ({ projects }, actor) => actor.get(`/mods?n=${projects.length > 10 ? 20 : 10}&v=0.4.8`),
  getUserPage: ({ owner }, actor) => actor.get(`/user/${owner.userName}`),
  getUserSearchPage: ({ owner }, actor) => actor.get(`/search/users?q=${owner.userName.slice(0, 3)}`),
  getCollectionSearchPage: (_content, actor) => actor.get("/search/collections?q=coll"),
  getCollectionDownloadPage: ({ collections: [id], owner }) =>
    as.user(owner).get(`/collection/${id}/download?v=0.4.8&l=quilt`),
  getDashboardPage: ({ owner }) => as.user(owner).get("/dashboard"),
  getOwnProjectsPage: ({ owner }) => as.user(owner).get("/dashboard/projects"),
  getNotificationsPage: ({ owner }) => as.user(owner).get("/dashboard/notifications?kind=updates"),
  getOrganizationMembersPage: ({ owner, org }) => as.user(owner).get(`/organization/${org.slug}/settings/members`),
  modrinthGetProject: ({ projects: [id] }, actor) => actor.get(`/v2/project/${id}`),
  modrinthGetProjects: ({ projects }, actor) => actor.get(`/v2/projects?ids=${JSON.stringify(projects)}`),
  modrinthGetProjectVersions: ({ projects: [id] }, actor) => actor.get(`/v2/project/${id}/version?loaders=["quilt"]`),
  modrinthGetVersions: ({ versions }, actor) => actor.get(`/v2/versions?ids=${JSON.stringify(versions)}`),
  modrinthGetVersionsByHashes: ({ hashes }, actor) => actor.post("/v2/version_files", { hashes }),
  modrinthGetUpdatesByHashes: ({ hashes }, actor) => actor.post("/v2/version_files/update", { hashes }),
  modrinthGetUpdatesApart: ({ hashes }, actor) =>
    actor.post("/v2/version_files/update_individual", { hashes: hashes.map((hash) => ({ hash, loaders: ["quilt"] })) }),
  modrinthGetDependencies: ({ pack }, actor) => actor.get(`/v2/project/${pack}/dependencies`),
  modrinthSearch: ({ projects }, actor) => actor.get(`/v2/search?limit=${projects.length}&facets=[["versions:0.4.8"]]`),
  modrinthGetUserProjects: ({ owner }, actor) => actor.get(`/v2/user/${owner.id}/projects`),
  modrinthGetUsers: ({ users }, actor) => actor.get(`/v2/users?ids=${JSON.stringify(users)}`),
  modrinthGetFollows: ({ owner }) => as.user(owner).get(`/v2/user/${owner.id}/follows`),
  listChanges: ({ projects }, actor) => actor.get(`/api/changes?since=0&limit=${projects.length}`),
};

describe.each(Object.keys(reads))("%s", (name) => {
  test("needs as many statements for 25 objects as for 2", async () => {
    for (const actor of [as.anyone, as.user(await make.user())]) {
      // A refusal would need few statements, however many objects are asked for.
      const warm = (content: Content) =>
        countStatements(resources.db, async () => expect(await reads[name]!(content, actor)).toSucceed());
      const cold = (content: Content) => {
        catalogOf(resources).forget();
        return warm(content);
      };
      // Consumers also process the new user first, so that their statements are not counted.
      for (const consumer of consumers) await catchUp(resources, consumer);
      // The first use of a session or a taxonomy needs statements of its own.
      await cold(few);
      for (const ask of [cold, warm]) {
        const { first, second } = await leastCounts(
          () => ask(few),
          () => ask(many),
        );
        expect(second).toBe(first);
      }
    }
  });
});

test("anonymous reads by id or slug need no statement once they are cached", async () => {
  for (const name of [
    "getProject",
    "getProjects",
    "getProjectsVersions",
    "getVersions",
    "getVersionsByHashes",
    "getUpdatesByHashes",
    "searchProjects",
  ]) {
    const ask = () => countStatements(resources.db, () => reads[name]!(many, as.anyone));
    await ask();
    expect(Math.min(await ask(), await ask(), await ask()), name).toBe(0);
  }
});
