// Answers of every kind that contain a resource of the interface: with all fields set, with as few as possible, and in
// each place where the resource appears.

import { drawPicture } from "#test/files/pictures.js";
import type { TestApp } from "#test/server/harness.js";
import { uniqueName } from "#test/server/harness.js";
import type { Resource } from "./fields.js";
import { approve, createProject, good, type Made, packFile, uploadVersion } from "./world.js";

type Json = Record<string, unknown>;
export type Samples = Record<Resource, Json[]>;

export async function collectSamples(world: TestApp): Promise<Samples> {
  const user = await world.make.user();
  const owner = world.as.user(user);
  const stranger = world.as.anyone;
  const get = async (path: string, actor = stranger) => good(await actor.get(path));

  const plain = await createProject(owner, { type: ["shader"] });
  const target = await uploadVersion(owner, plain.slug);
  await approve(world, plain.id);
  const org: Made = good(await owner.post("/api/organization", { name: "Conforming", slug: uniqueName("org") }));
  const full = await createFullProject(world, owner, org, target);
  const drafts = [await createProject(owner, { type: ["mod"] }), await createProject(owner, { type: ["plugin"] })];
  const queued = await createQueued(owner);

  const fullProject = (await get(`/api/project/${full.slug}?includeVersions=true`)).project;
  const projects = [fullProject, (await get(`/api/project/${plain.id}`)).project];
  for (const { id } of [...drafts, queued]) projects.push((await get(`/api/project/${id}`, owner)).project);
  const ids = `${plain.id},${full.id}`;
  const hashes = [fullProject.versions[0].primaryFile.sha512_hash];
  const versions = [
    ...fullProject.versions,
    ...(await get(`/api/project/${full.id}/version`)).data,
    (await get(`/api/project/${full.id}/version/latest`)).data,
    (await get(`/api/project/${plain.slug}/version/${target.id}`)).data,
    ...(Object.values(await get(`/api/projects/versions?ids=${ids}`)) as Json[][]).flat(),
    ...(await get(`/api/projects?ids=${ids}&include=version-info`)).flatMap(
      (item: { versions: Json[] }) => item.versions,
    ),
    ...Object.values(good(await stranger.post("/api/version-files", { hashes }))),
    ...Object.values(good(await stranger.post("/api/version-files/update", { hashes }))),
    good(await stranger.post(`/api/version-file/${hashes[0]}/update`, {})),
  ];
  const organizations = [
    await get(`/api/organization/${org.slug}`),
    ...(await get(`/api/organizations?ids=${org.id}`)),
    ...(await get("/api/organization", owner)),
    ...(await get(`/api/user/${user.id}/organization`)),
  ];
  const listOf = (key: string, from: Json[]) => from.flatMap((item) => (item[key] ?? []) as Json[]);

  return {
    PAT: await collectTokens(world, owner),
    Project: projects,
    GalleryItem: listOf("gallery", projects),
    Member: [...listOf("members", projects), ...listOf("members", organizations), ...fullProject.organisation.members],
    ProjectListItem: [
      ...(await get(`/api/projects?ids=${ids}`)),
      ...(await get(`/api/projects?ids=${ids}&include=version-list`)),
      ...(await get("/api/projects/random")),
      ...(await get(`/api/user/${user.id}/projects`)),
      ...(await get(`/api/organization/${org.id}/projects`)),
    ],
    ProjectVersionData: versions,
    File: [...listOf("files", versions), ...versions.map((version) => version.primaryFile)],
    Author: versions.map((version) => version.author),
    Dependency: listOf("dependencies", versions),
    Organization: organizations,
    User: await collectUsers(world),
  };
}

/** A project with everything that it can have. */
async function createFullProject(world: TestApp, owner: ReturnType<TestApp["as"]["user"]>, org: Made, target: Json) {
  const project = await createProject(owner, { type: ["resource-pack"], orgId: org.id });
  const path = `/api/project/${project.slug}`;
  const link = "https://example.org/somewhere";
  good(await owner.form("PATCH", `${path}/icon`, { icon: await drawPicture() }));
  for (const featured of ["true", "false"])
    good(await owner.form("POST", `${path}/gallery`, { image: await drawPicture(), title: "A view", featured }));
  good(await owner.patch(`${path}/description`, { description: "# A pack" }));
  good(await owner.patch(`${path}/tags`, { categories: ["realistic"], featuredCategories: ["realistic"] }));
  const links = { issueTracker: link, sourceCode: link, wikiPage: link, discordServer: link };
  good(await owner.patch(`${path}/external-links`, links));
  good(await owner.patch(`${path}/license`, { id: "MIT" }));
  const depend = (versionId: unknown) =>
    JSON.stringify([{ projectId: target.projectId, versionId, dependencyType: "required" }]);
  await uploadVersion(owner, project.id, { dependencies: depend(null) });
  const changelog = "One\r\nTwo";
  await uploadVersion(owner, project.id, {
    dependencies: depend(target.id),
    changelog,
    featured: "true",
    additionalFiles: packFile("more.zip"),
  });
  await approve(world, project.id);
  return project;
}

/** In review, because only then is there a requested status. */
async function createQueued(owner: ReturnType<TestApp["as"]["user"]>): Promise<Made> {
  const project = await createProject(owner, { type: ["shader"] });
  await uploadVersion(owner, project.id);
  good(await owner.patch(`/api/project/${project.id}/description`, { description: "Soon" }));
  good(await owner.patch(`/api/project/${project.id}/license`, { id: "MIT" }));
  good(await owner.post(`/api/project/${project.id}/submit-for-review`));
  return project;
}

async function collectTokens({ as }: TestApp, owner: ReturnType<TestApp["as"]["user"]>): Promise<Json[]> {
  const input = { name: "ci", dateExpires: "2099-01-31", authScopes: ["user_read", "version_create"] };
  const created = good(await owner.post("/api/pat", input));
  const before = good(await owner.get("/api/pat"));
  good(await as.bearer(created.token).get("/api/auth/me"));
  const updated = good(await owner.patch(`/api/pat/${created.id}`, { ...input, name: "cd" }));
  return [created, ...before, updated, ...good(await owner.get("/api/pat"))];
}

async function collectUsers({ as, make }: TestApp): Promise<Json[]> {
  const [told, silent] = [await make.user(), await make.user()];
  good(await as.user(told).form("PATCH", "/api/user", { bio: "I draw", profilePageBg: await drawPicture() }));
  return [
    good(await as.anyone.get(`/api/user/${told.userName}`)),
    good(await as.anyone.get(`/api/user/${silent.id}`)),
    ...good(await as.anyone.get(`/api/users?ids=${told.id},${silent.id}`)),
  ];
}
