// The tour of projects, versions, uploads, organizations, teams and trusted publishers.
import { counterOf } from "#content/downloads/counters.js";
import { viewCounterOf } from "#content/views/counters.js";
import { anonymous } from "#platform/http/viewer.js";
import { indexFile, mrpack } from "#test/files/packs.js";
import { drawPicture } from "#test/files/pictures.js";
import { carryOut } from "#test/worlds/desk-world.js";
import { archive, releaseOf, type Tour } from "./tour.js";

export async function walkContent(tour: Tour): Promise<void> {
  await publishLibrary(tour);
  await describeProject(tour);
  await publishVersions(tour);
  await approve(tour);
  await publishPack(tour);
  await readVersions(tour);
  await sendInParts(tour);
  await walkOrganizations(tour);
  await walkTeams(tour);
  await trustBuilds(tour);
}

/** The dependency of the project. */
async function publishLibrary({ recorder }: Tour): Promise<void> {
  const json = { name: "Meadow core", slug: "meadow-core", type: ["mod"], summary: "What all meadows share" };
  const { body } = await recorder.call("createProject", { json, unseen: true });
  recorder.known.set("libraryId", body.id);
  const library = { params: { ref: "meadow-core" }, unseen: true } as const;
  const version = (await recorder.call("createVersion", { ...library, form: releaseOf("2.0.0") })).body.data;
  recorder.known.set("libraryVersionId", version.id);
  await makePublic(recorder, library, "What all meadows share.");
}

async function makePublic(
  recorder: Tour["recorder"],
  one: { params: { ref: string }; unseen: true },
  description: string,
): Promise<void> {
  await recorder.call("updateProjectDescription", { ...one, json: { description } });
  await recorder.call("updateProjectLicense", { ...one, json: { id: "MIT" } });
  await recorder.call("submitProject", one);
  await recorder.call("setProjectStatus", { ...one, json: { status: "approved" } });
}

async function describeProject({ recorder }: Tour): Promise<void> {
  const image = await drawPicture({ width: 320, height: 180 });
  const icon = await drawPicture({ width: 64, height: 64, color: "#66aa33" });
  const named = { name: "Better grass", slug: "better-grass", type: ["mod"], summary: "Grass that moves in the wind" };
  await recorder.call("createProject", { json: named });
  for (const place of ["", "/api/project", "/api/moderation/project", "/project", "/badge"])
    recorder.known.set(place ? `${place} ref` : "ref", "better-grass");
  await recorder.call("updateProject", { json: { summary: "Grass that moves in the wind" } });
  await recorder.call("updateProjectDescription", { json: { description: "# Better grass\n\nIt moves in the wind." } });
  await recorder.call("updateProjectTags", {
    json: { categories: ["decoration"], featuredCategories: ["decoration"] },
  });
  await recorder.call("updateProjectLinks", {
    json: {
      sourceCode: "https://example.org/better-grass",
      donationLinks: [{ platform: "Ko-fi", url: "https://ko-fi.com/example" }],
    },
  });
  await recorder.call("updateProjectLicense", { json: { id: "MIT" } });
  await recorder.call("updateProjectDisclosures", {
    json: { ai: [], telemetry: { present: true, details: "Sends the game version to stats.example.org once a day" } },
  });
  await recorder.call("updateProjectIcon", { form: { icon } });
  await recorder.call("removeProjectIcon");
  await recorder.call("createGalleryItem", { form: { image, title: "At dusk", featured: "true" } });
  await recorder.call("createGalleryItem", {
    form: { image: await drawPicture({ color: "#111111" }), title: "At night" },
  });
}

async function publishVersions({ recorder, clock }: Tour): Promise<void> {
  const dependencies = JSON.stringify([
    {
      projectId: recorder.known.get("libraryId"),
      versionId: recorder.known.get("libraryVersionId"),
      dependencyType: "required",
    },
  ]);
  const shared = { loaders: "quilt", gameVersions: "0.4.8", dependencies, changelog: "- The grass is greener." };
  for (const versionNumber of ["1.3.0", "1.4.0"]) {
    clock.advance(60_000);
    const { body } = await recorder.call("createVersion", {
      form: { ...shared, versionNumber, primaryFile: archive("better-grass", versionNumber) },
    });
    recorder.known.set("versionId", body.data.id);
    recorder.known.set("projectId", body.data.projectId);
    recorder.known.set("/cdn/data/project id", body.data.projectId);
    recorder.known.set("hash", body.data.primaryFile.sha512_hash);
    recorder.known.set("fileName", body.data.primaryFile.name);
  }
  recorder.known.set("version", "1.4.0");
  recorder.known.set("/api/version/ version", recorder.known.get("versionId")!);
  recorder.known.set("path", "maven/modshelf/better-grass/maven-metadata.xml");
  await recorder.call("updateVersion", { json: { title: "Better grass 1.4.0" } });
  await recorder.call("updateLatestVersion", { json: { featured: true } });
}

/** Through the review queue, with one withdrawal. */
async function approve(tour: Tour): Promise<void> {
  const { recorder } = tour;
  await recorder.call("submitProject");
  await recorder.call("withdrawProject");
  await recorder.call("submitProject");
  await recorder.call("getModerationQueue");
  await recorder.call("claimProject");
  await recorder.call("getModerationSummary");
  await recorder.call("releaseProject");
  await recorder.call("setProjectStatus", { json: { status: "approved" } });
  await carryOut(tour);
}

/** A pack of the project's older version, and of a file from elsewhere. */
async function publishPack({ recorder, as }: Tour): Promise<void> {
  const json = { name: "Meadow pack", slug: "meadow-pack", type: ["modpack"], summary: "All meadows at once" };
  await recorder.call("createProject", { json, unseen: true });
  const older = (await as.anyone.get("/api/project/better-grass/version")).body.data.at(-1).primaryFile;
  const hashes = { sha1: older.sha1_hash, sha512: older.sha512_hash };
  const pack = mrpack([
    { ...indexFile("mods/better-grass.jar", ""), hashes, fileSize: older.size, downloads: [older.url] },
    indexFile("mods/other.jar", "other"),
  ]);
  const file = new File([new Uint8Array(pack)], "meadow-pack-1.0.0.mrpack");
  const form = { loaders: "quilt", gameVersions: "0.4.8", versionNumber: "1.0.0", primaryFile: file };
  const one = { params: { ref: "meadow-pack" }, unseen: true } as const;
  await recorder.call("createVersion", { ...one, form });
  await makePublic(recorder, one, "All meadows at once.");
  await recorder.call("getPackContents", { params: { ref: "meadow-pack", version: "1.0.0" } });
}

async function readVersions({ recorder, as, people, resources, clock }: Tour): Promise<void> {
  const { known } = recorder;
  const [id, version, hash] = [known.get("projectId")!, known.get("versionId")!, known.get("hash")!];
  const [gallery] = (await recorder.call("getProject")).body.project.gallery;
  known.set("/api/project/{ref}/gallery id", gallery.id);
  await recorder.call("getProjects", { query: `ids=better-grass,${known.get("libraryId")}` });
  await recorder.call("getProjectsVersions", { query: `ids=${id},meadow-core` });
  await recorder.call("getVersionsByIds", { query: `ids=${version}` });
  const list = (await as.anyone.get("/api/project/better-grass/version")).body.data;
  const older = list.at(-1).primaryFile.sha512_hash;
  await recorder.call("getVersionsByHashes", { json: { hashes: [hash] } });
  const filter = { gameVersions: ["0.4.8"], loader: "quilt" };
  await recorder.call("getUpdatesByHashes", { json: { hashes: [older], ...filter } });
  await recorder.call("getUpdateByHash", { params: { hash: older }, json: filter });
  await recorder.call("resolveDependencies");
  await recorder.call("exportPlan");
  await recorder.call("previewUpdate", { json: { hashes: [older], gameVersion: "0.4.8", loader: "quilt" } });
  await recorder.call("getDependents", { params: { ref: "meadow-core" } });
  await recorder.call("updateGalleryItem");
  const steady = (projects: unknown) =>
    (projects as { slug: string }[]).toSorted((one, other) => (one.slug < other.slug ? -1 : 1));
  for (const mixed of ["getRandomProjects", "getHomePageCarousel"]) await recorder.call(mixed, { steady });
  for (const one of ["downloadPrimaryFile", "downloadFile", "downloadByHash", "getVersionFile"])
    await recorder.call(one);
  await counterOf(resources).flush();
  const visit = { userAgent: "Mozilla/5.0", fetchDest: "document", purpose: undefined, asksForPrivacy: false };
  const views = viewCounterOf(resources);
  views.note(anonymous, "192.0.2.1", id, { ...visit, referer: "https://forum.example.org/" }, () => "");
  await views.flush();
  // Figures end with the day before.
  clock.advance(24 * 60 * 60_000);
  await recorder.call("getDownloadFigures", { query: `projectIds=${id}`, actor: as.user(people.ada) });
  await recorder.call("getViewFigures", { query: `projectIds=${id}&by=referrer`, actor: as.user(people.ada) });
  await recorder.call("getEmbed", { query: `url=${encodeURIComponent("http://modshelf.test/project/better-grass")}` });
}

async function sendInParts({ recorder }: Tour): Promise<void> {
  const file = archive("better-grass", "1.5.0");
  const begin = () => recorder.call("beginUpload", { json: { name: file.name, size: file.size } });
  recorder.known.set("uploadId", (await begin()).body.upload.id);
  await recorder.call("getUpload");
  await recorder.call("listUploads");
  await recorder.call("sendPart", { form: { offset: "0", part: file } });
  await recorder.call("finishUpload");
  await recorder.call("deleteUpload");
}

async function walkOrganizations({ recorder, as, people }: Tour): Promise<void> {
  const json = { name: "Grass Makers", slug: "grass-makers", description: "We make grass greener" };
  const { body } = await recorder.call("createOrganization", { json });
  const { known } = recorder;
  for (const place of ["/api/organization", "/organization"]) known.set(`${place} ref`, "grass-makers");
  known.set("/cdn/data/organization id", body.id);
  known.set("projectRef", "better-grass");
  await recorder.call("editOrganization", { json: { description: "We make grass greener." } });
  await recorder.call("setOrganizationIcon", { form: { icon: await drawPicture() } });
  await recorder.call("removeOrganizationIcon");
  await recorder.call("addOrganizationProject", { json: { projectId: known.get("projectId") } });
  const { id } = (await recorder.call("getOrganization", { actor: as.user(people.ada) })).body;
  await recorder.call("getOrganizations", { query: `ids=${id}` });
  await recorder.call("getOrganizationProjects");
  await recorder.call("removeOrganizationProject");
}

async function walkTeams({ recorder, as, people }: Tour): Promise<void> {
  const { known } = recorder;
  const { grace } = people;
  const project = (await as.user(people.ada).get("/api/project/better-grass")).body.project;
  known.set("teamId", project.teamId);
  await recorder.call("inviteMember", { json: { userName: "grace" } });
  await recorder.call("acceptInvite", { actor: as.user(grace) });
  const members = (await as.user(people.ada).get(`/api/team/${project.teamId}/members`)).body;
  known.set("memberId", members.find((one: { userId: string }) => one.userId === grace.id).id);
  await recorder.call("editMember", { json: { role: "Artist", permissions: ["upload_version", "edit_details"] } });
  await recorder.call("getTeamMembers", { actor: as.user(people.ada) });
  const organization = (await as.user(people.ada).get("/api/organization/grass-makers")).body;
  const team = { teamId: organization.teamId as string };
  await recorder.call("inviteMember", { params: team, json: { userName: "grace" } });
  await recorder.call("acceptInvite", { params: team, actor: as.user(grace) });
  await recorder.call("addOrganizationProject", { json: { projectId: known.get("libraryId") } });
  const library = (await as.user(people.ada).get("/api/project/meadow-core")).body.project;
  await recorder.call("overrideMember", {
    params: { teamId: library.teamId },
    json: { userId: grace.id, role: "Artist", permissions: ["upload_version"] },
  });
}

async function trustBuilds({ recorder, builds }: Tour): Promise<void> {
  const repository = "octocat/better-grass";
  await recorder.call("createTrustedPublisher", { json: { issuer: builds.url, repository, workflow: "publish.yml" } });
  const token = builds.token({
    ...{
      sub: `repo:${repository}:ref:refs/tags/v1`,
      repository,
      repository_owner: "octocat",
      repository_owner_id: "583231",
    },
    workflow_ref: `${repository}/.github/workflows/publish.yml@refs/tags/v1`,
  });
  await recorder.call("createPublishingToken", { json: { token } });
  const [publisher] = (await recorder.call("listTrustedPublishers")).body;
  recorder.known.set("publisherId", publisher.id);
}
