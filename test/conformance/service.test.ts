// Sections 0, 1 and 9: the location of the paths, the purpose of the service, and that all of it can be done through
// them.
import { expect } from "vitest";
import { routes } from "#app.js";
import { drawPicture } from "#test/files/pictures.js";
import { conforms } from "./conforms.js";
import { statements } from "./statements.js";
import { approve, conformanceWorld, createProject, good, packFile, uploadVersion } from "./world.js";

const world = await conformanceWorld();
const { as, make } = world;
const author = await make.user();
const owner = as.user(author);

let shade = 16;
/** An equal picture would be the same file. */
const nextColor = (): string => `#0000${(shade++).toString(16)}`;

/** Every method and path that the interface names. */
const named = [...statements.values()].flatMap((quote) => {
  const [, method, path] = /^(GET|POST|PATCH|DELETE) \| (\/api\/[^ ]*)/.exec(quote) ?? [];
  return method && path ? [{ method, path }] : [];
});

conforms(
  {
    "0.base": "Paths below start with /api and are appended to {base_url}, which is the service host address.",
    "9.prefix": "All paths share the /api prefix without a version segment.",
  },
  async () => {
    expect(named).toHaveLength(21);
    for (const { method, path } of named) {
      const reply = await as.anyone.call(method, path.replace(/\{[^}]*\}/g, "x"));
      expect(reply.headers.get("content-type"), path).toContain("application/json");
      expect(["notFound", "methodNotAllowed"], `${method} ${path}`).not.toContain(reply.body.code);
    }
    expect(routes.filter(({ endpoint }) => /^\/api\/v\d/.test(endpoint.path))).toEqual([]);
  },
);

conforms(
  {
    "1.registry": "The service is a registry and download host for game add-on content.",
    "1.content":
      "Projects (for example shader packs, resource packs and mods) have versions, and each version has downloadable files.",
  },
  async () => {
    const kinds = [
      { type: "shader", primaryFile: packFile() },
      { type: "resource-pack", primaryFile: packFile() },
      { type: "mod", primaryFile: packFile("mod.jar") },
    ];
    for (const { type, primaryFile } of kinds) {
      const { id, slug } = await createProject(owner, { type: [type] });
      for (const versionNumber of ["1.0", "1.1"]) await uploadVersion(owner, slug, { versionNumber, primaryFile });
      await approve(world, id);
      const { data } = good(await as.anyone.get(`/api/project/${slug}/version`));
      expect(data.map((version: { versionNumber: string }) => version.versionNumber)).toEqual(["1.1", "1.0"]);
      for (const { id: versionId, primaryFile: file } of data) {
        const reply = await as.anyone.get(`/api/project/${slug}/version/${versionId}/${file.name}`);
        expect(reply.bytes.equals(Buffer.from(await primaryFile.arrayBuffer()))).toBe(true);
      }
    }
  },
);

conforms({ "1.owners": "Projects belong to teams, users or organizations." }, async () => {
  const org = good(await owner.post("/api/organization", { name: "Makers", slug: "makers" }));
  const own = await createProject(owner, { type: ["mod"] });
  const common = await createProject(owner, { type: ["mod"], orgId: org.id });
  const { project } = good(await owner.get(`/api/project/${own.id}`));
  expect(project.members).toEqual([
    expect.objectContaining({ teamId: project.teamId, userId: author.id, isOwner: true }),
  ]);
  expect(good(await owner.get(`/api/project/${common.id}`)).project).toMatchObject({
    orgId: org.id,
    organisation: { id: org.id, slug: "makers" },
  });
  const ids = good(await owner.get(`/api/user/${author.id}/projects`)).map((item: { id: string }) => item.id);
  expect(ids).toContain(own.id);
});

conforms(
  {
    "1.read":
      "Clients can read project, version, organization and user data, look up versions by file hash, and download version files.",
    "5.public": "Most read endpoints are public.",
  },
  async () => {
    const org = good(await owner.post("/api/organization", { name: "Readers", slug: "readers" }));
    const project = await createProject(owner, { type: ["shader"], orgId: org.id });
    const version = await uploadVersion(owner, project.id);
    await approve(world, project.id);
    const hash = version.primaryFile.sha512_hash;
    for (const path of [
      `/api/project/${project.slug}`,
      `/api/projects?ids=${project.id}`,
      "/api/projects/random",
      `/api/projects/versions?ids=${project.id}`,
      `/api/project/${project.slug}/version`,
      `/api/project/${project.slug}/version/${version.slug}`,
      `/api/project/${project.slug}/version/latest`,
      `/api/project/${project.slug}/version/latest/primary-file`,
      `/api/project/${project.slug}/version/${version.id}/${version.primaryFile.name}`,
      "/api/organization/readers",
      "/api/organization/readers/projects",
      `/api/organizations?ids=${org.id}`,
      `/api/user/${author.id}/organization`,
      `/api/user/${author.userName}`,
      `/api/users?ids=${author.id}`,
      `/api/user/${author.userName}/projects`,
    ])
      expect(await as.anyone.get(path)).toSucceed();
    expect(Object.keys(good(await as.anyone.post("/api/version-files", { hashes: [hash] })))).toEqual([hash]);
    expect(good(await as.anyone.post("/api/version-files/update", { hashes: [hash] }))[hash].id).toBe(version.id);
    expect(good(await as.anyone.post(`/api/version-file/${hash}/update`, {})).id).toBe(version.id);
  },
);

conforms(
  {
    "1.write":
      "Authenticated clients can manage personal access tokens and perform write actions such as uploading a project icon.",
    "4.project.icon":
      "PATCH | /api/project/{ID|slug}/icon | multipart form with file part icon; write authentication required",
  },
  async () => {
    const { token } = good(
      await owner.post("/api/pat", { name: "icons", dateExpires: "2099-01-01", authScopes: ["project_write"] }),
    );
    const { id, slug } = await createProject(owner, { type: ["shader"] });
    const icon = async () => good(await owner.get(`/api/project/${id}`)).project.icon;
    expect(await icon()).toBeNull();
    const parts = { icon: await drawPicture() };
    expect(await as.anyone.form("PATCH", `/api/project/${slug}/icon`, parts)).toFail(401, "signInNeeded");
    const reader = await as.token(author, { scopes: ["project_read"] });
    expect(await reader.form("PATCH", `/api/project/${slug}/icon`, parts)).toFail(403, "scopeMissing");
    expect(await icon()).toBeNull();
    for (const actor of [as.bearer(token), owner])
      for (const ref of [id, slug]) {
        const before = await icon();
        expect(
          await actor.form("PATCH", `/api/project/${ref}/icon`, { icon: await drawPicture({ color: nextColor() }) }),
        ).toSucceed();
        expect(await icon()).not.toBe(before);
      }
    expect(await owner.form("PATCH", `/api/project/${slug}/icon`, { other: await drawPicture() })).toFail(400);
    expect(await owner.patch(`/api/project/${slug}/icon`, { icon: "text" })).toFail(400);
  },
);
