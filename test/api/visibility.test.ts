// Visibility: every read of content × every kind of caller × every state of a project (decisions §5). For content that
// a caller may not see, the answer has exactly the same bytes as for missing content.
import { describe, expect, test } from "vitest";
import type { ProjectStatus, Visibility } from "#platform/db/tables.js";
import type { Actor, Reply } from "#test/callers/actors.js";
import { siteUrl, testApp } from "#test/server/harness.js";
import { addMember, makeOrg, makeProject, setProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make } = world;
const owner = await make.user();
const [stranger, invitee, member, orgMember, moderator] = await Promise.all([
  make.user(),
  make.user(),
  make.user(),
  make.user(),
  make.user({ role: "moderator" }),
]);
const org = await makeOrg(world, owner);
await addMember(world, org.teamId, orgMember, { accepted: true, permissions: [] });
const project = await makeProject(world, owner, { orgId: org.id });
await addMember(world, project.teamId, invitee, { accepted: false, permissions: ["edit_details"] });
await addMember(world, project.teamId, member, { accepted: true, permissions: [] });
/** A library that the project depends on, and an unused one. */
const libraryOf: Record<string, string> = {};
for (const id of [project.id, "AAAAAAAA"]) libraryOf[id] = (await makeProject(world, owner)).id;
const version = await makeVersion(world, owner, project.id, {
  channel: "release",
  dependencies: [{ projectId: libraryOf[project.id]!, versionId: null, type: "optional" }],
});
/** A project that depends on this one, and one without dependencies. */
const dependentOf: Record<string, string> = {};
for (const id of [project.id, "AAAAAAAA"]) {
  const { id: dependent } = await makeProject(world, owner);
  const dependencies = id === project.id ? [{ projectId: id, versionId: version.id, type: "required" as const }] : [];
  await makeVersion(world, owner, dependent, { dependencies });
  dependentOf[id] = dependent;
}

/** The same collection with and without the project. */
const collectionOf: Record<string, string> = {};
for (const [id, projects] of [
  [project.id, [project.id]],
  ["AAAAAAAA", []],
] as const) {
  const reply = await as.user(owner).post("/api/collections", { name: "Collected", projects });
  collectionOf[id] = reply.body.collectionId;
}

const callers: Record<string, Actor> = {
  anonymous: as.anyone,
  stranger: as.user(stranger),
  "pending invitee": as.user(invitee),
  member: as.user(member),
  "organization member": as.user(orgMember),
  moderator: as.user(moderator),
  "member's token without read scopes": await as.token(member, { scopes: ["user_read"] }),
};
const insiders = new Set(["member", "organization member", "moderator"]);

const states: { name: string; status: ProjectStatus; visibility: Visibility; isPublic: boolean }[] = [
  { name: "listed", status: "approved", visibility: "listed", isPublic: true },
  { name: "unlisted", status: "approved", visibility: "unlisted", isPublic: true },
  { name: "archived", status: "approved", visibility: "archived", isPublic: true },
  { name: "private", status: "approved", visibility: "private", isPublic: false },
  { name: "draft", status: "draft", visibility: "listed", isPublic: false },
  { name: "processing", status: "processing", visibility: "listed", isPublic: false },
  { name: "withheld", status: "withheld", visibility: "listed", isPublic: false },
  { name: "rejected", status: "rejected", visibility: "unlisted", isPublic: false },
];

/** The real URL, and the same one for a missing object. */
interface Read {
  name: string;
  call(
    actor: Actor,
    ids: { project: string; slug: string; version: string; sha1: string; sha512: string; file: string },
  ): Promise<Reply>;
}

const absent = {
  project: "AAAAAAAA",
  slug: "no-such-project",
  version: "AAAAAAAA",
  sha1: "a".repeat(40),
  sha512: "a".repeat(128),
  file: "nothing.jar",
};
const real = {
  project: project.id,
  slug: project.slug,
  version: version.id,
  sha1: version.sha1,
  sha512: version.sha512,
  file: `file-${version.versionNumber}.jar`,
};

const reads: Read[] = [
  { name: "getProject by id", call: (actor, ids) => actor.get(`/api/project/${ids.project}`) },
  { name: "getProject by slug", call: (actor, ids) => actor.get(`/api/project/${ids.slug}?includeVersions=true`) },
  {
    name: "getCollectionProjects",
    call: (actor, ids) => actor.get(`/api/collections/${collectionOf[ids.project]}/projects`),
  },
  { name: "getDependencies", call: (actor, ids) => actor.get(`/api/project/${ids.slug}/dependencies`) },
  {
    name: "getDependencies of what needs it",
    call: (actor, ids) => actor.get(`/api/project/${dependentOf[ids.project]}/dependencies`),
  },
  { name: "getDependents", call: (actor, ids) => actor.get(`/api/project/${ids.project}/dependents`) },
  {
    name: "getDependents of what it needs",
    call: (actor, ids) => actor.get(`/api/project/${libraryOf[ids.project]}/dependents`),
  },
  {
    name: "resolveDependencies",
    call: (actor, ids) => actor.post("/api/resolve", { projects: [{ project: ids.slug }] }),
  },
  {
    name: "previewUpdate",
    call: async (actor, ids) => {
      const reply = await actor.post("/api/update-preview", { hashes: [ids.sha512] });
      // The answer repeats the hash as sent.
      return { ...reply, text: reply.text.replaceAll(ids.sha512, "") };
    },
  },
  {
    name: "getMavenFile, the metadata",
    call: (actor, ids) => actor.get(`/maven/maven/modshelf/${ids.slug}/maven-metadata.xml`),
  },
  {
    name: "getMavenFile, the jar",
    call: (actor, { project: id, version: ref }) => actor.get(`/maven/maven/modshelf/${id}/${ref}/${id}-${ref}.jar`),
  },
  { name: "checkProject", call: (actor, ids) => actor.get(`/api/project/${ids.slug}/check`) },
  { name: "getProjects", call: (actor, ids) => actor.get(`/api/projects?ids=${ids.project}`) },
  {
    name: "getProjects with versions",
    call: (actor, ids) => actor.get(`/api/projects?ids=${ids.project}&include=version-info`),
  },
  { name: "getProjectsVersions", call: (actor, ids) => actor.get(`/api/projects/versions?ids=${ids.project}`) },
  { name: "getVersions", call: (actor, ids) => actor.get(`/api/project/${ids.slug}/version`) },
  { name: "getVersion", call: (actor, ids) => actor.get(`/api/project/${ids.project}/version/${ids.version}`) },
  { name: "getLatestVersion", call: (actor, ids) => actor.get(`/api/project/${ids.slug}/version/latest`) },
  {
    name: "downloadPrimaryFile",
    call: (actor, ids) => actor.get(`/api/project/${ids.slug}/version/latest/primary-file`),
  },
  {
    name: "downloadFile",
    call: (actor, ids) => actor.get(`/api/project/${ids.slug}/version/${ids.version}/${ids.file}`),
  },
  { name: "getVersionById", call: (actor, ids) => actor.get(`/api/version/${ids.version}`) },
  { name: "getVersionsByIds", call: (actor, ids) => actor.get(`/api/version?ids=${ids.version}`) },
  { name: "getVersionByHash", call: (actor, ids) => actor.get(`/api/version-file/${ids.sha512}`) },
  { name: "getVersionByHash, sha1", call: (actor, ids) => actor.get(`/api/version-file/${ids.sha1}?algorithm=sha1`) },
  { name: "downloadByHash", call: (actor, ids) => actor.get(`/api/version-file/${ids.sha512}/download`) },
  { name: "getVersionsByHashes", call: (actor, ids) => actor.post("/api/version-files", { hashes: [ids.sha512] }) },
  {
    name: "getUpdatesByHashes",
    call: (actor, ids) => actor.post("/api/version-files/update", { hashes: [ids.sha512] }),
  },
  { name: "getUpdateByHash", call: (actor, ids) => actor.post(`/api/version-file/${ids.sha512}/update`, {}) },
  {
    name: "getVersionFile",
    call: (actor, ids) => actor.get(`/cdn/data/project/${ids.project}/version/${ids.version}/${ids.file}`),
  },
];

reads.push(
  { name: "getProjectFeed", call: (actor, ids) => actor.get(`/project/${ids.slug}/feed.atom`) },
  { name: "getProjectFeed as JSON", call: (actor, ids) => actor.get(`/project/${ids.project}/feed.json?ch=dev`) },
  { name: "getBadge", call: (actor, ids) => actor.get(`/badge/${ids.slug}/version.svg`) },
  { name: "getEmbed", call: (actor, ids) => actor.get(`/oembed?url=${siteUrl}/project/${ids.slug}`) },
);

/** Pages show the same as the API. */
for (const [name, below] of Object.entries({
  getProjectPage: "",
  getGalleryPage: "/gallery",
  getChangelogPage: "/changelog",
  getVersionsPage: "/versions",
  getDependentsPage: "/dependents",
  getDownloadPage: "/download",
  getDownloadArchive: "/download.zip",
}))
  reads.push({ name, call: (actor, ids) => actor.get(`/project/${ids.slug}${below}`) });

/** Everything in the answer except for the request id and the quota. */
const essence = (reply: Reply) => ({
  status: reply.status,
  text: reply.text.replace(/"requestId":"\w+"/, ""),
  headers: [...reply.headers].filter(([name]) => !["x-request-id", "date", "keep-alive"].includes(name)),
});

/** The answer for a missing object does not depend on the project, so each caller requests it once. */
const answersToNothing = new Map<string, Reply>();

async function answerToNothing(read: Read, caller: string): Promise<Reply> {
  const key = `${read.name} as ${caller}`;
  const known = answersToNothing.get(key) ?? (await read.call(callers[caller]!, absent));
  answersToNothing.set(key, known);
  return known;
}

describe.each(states)("a $name project", ({ status, visibility, isPublic }) => {
  test("is visible to the right callers, and does not exist for all others", async () => {
    await setProject(world, project.id, { status, visibility });
    for (const [caller, actor] of Object.entries(callers)) {
      const sees = isPublic || insiders.has(caller);
      for (const read of reads) {
        const [reply, nothing] = [await read.call(actor, real), await answerToNothing(read, caller)];
        const what = `${read.name} as ${caller}`;
        if (sees) {
          expect(reply.status, what).toBe(200);
          expect(reply.text, what).not.toBe(nothing.text);
        } else expect(essence(reply), what).toEqual(essence(nothing));
      }
    }
  });

  test("shows the state of its review only to members and moderators (getProjectReview)", async () => {
    await setProject(world, project.id, { status, visibility });
    for (const [caller, actor] of Object.entries(callers)) {
      const [reply, nothing] = [
        await actor.get(`/api/project/${project.slug}/review`),
        await actor.get(`/api/project/${absent.slug}/review`),
      ];
      if (insiders.has(caller)) expect(reply.body, caller).toMatchObject({ status });
      else if (nothing.status === 404 && isPublic) expect(reply, caller).toFail(403, "membersOnly");
      else expect(essence(reply), caller).toEqual(essence(nothing));
    }
  });

  test("is in the lists of its organization and owner for callers who can see it", async () => {
    await setProject(world, project.id, { status, visibility });
    for (const [caller, actor] of Object.entries(callers)) {
      const ids = async (path: string) => (await actor.get(path)).body.map((item: { id: string }) => item.id);
      expect((await ids(`/api/organization/${org.slug}/projects`)).includes(project.id), caller).toBe(
        isPublic || insiders.has(caller),
      );
      const hits = (await actor.get(`/api/search?q=${project.slug}`)).body.hits.map((item: { id: string }) => item.id);
      expect(hits.includes(project.id), caller).toBe(
        status === "approved" && ["listed", "archived"].includes(visibility),
      );
      const random = await ids("/api/projects/random?count=100");
      expect(random.includes(project.id), caller).toBe(status === "approved" && visibility === "listed");
    }
  });

  test("shows permissions to members and moderators only", async () => {
    await setProject(world, project.id, { status, visibility });
    for (const [caller, actor] of Object.entries(callers)) {
      if (!isPublic && !insiders.has(caller)) continue;
      const { members, organisation } = (await actor.get(`/api/project/${project.id}`)).body.project;
      const invited = members.find((one: { userId: string }) => one.userId === invitee.id);
      expect(invited?.permissions, caller).toEqual(insiders.has(caller) ? ["edit_details"] : undefined);
      const accepted = members.find((one: { accepted: boolean }) => one.accepted);
      if (!insiders.has(caller)) expect(accepted.permissions, caller).toEqual([]);
      expect(organisation.slug).toBe(org.slug);
    }
  });
});
