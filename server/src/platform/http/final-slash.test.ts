// A final slash never changes the meaning of a URL: on every part of the service, with every method.
import { describe, expect, test } from "vitest";
import { routes } from "#app.js";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make } = world;
const author = await make.user();
const project = await makeProject(world, author);
const version = await makeVersion(world, author, project.id);
const file = `file-${version.versionNumber}.jar`;

async function look(method: string, path: string, headers: Record<string, string>) {
  const answer = await as.anyone.call(method, path, { headers });
  const told = ["content-type", "content-length", "etag", "location", "allow", "cache-control"];
  return [answer.status, answer.body?.code, ...told.map((name) => answer.headers.get(name))];
}

describe("a final slash", () => {
  test.each([
    `/api/project/${project.slug}`,
    `/api/project/${project.slug}?includeVersions=true`,
    `/api/project/${project.slug}/version/latest`,
    `/api/project/${project.slug}/version/latest/primary-file`,
    `/api/projects?ids=${project.id}`,
    "/api/tags/loaders?type=mod",
    "/api",
    "/api/nothing-here",
    `/cdn/data/project/${project.id}/version/${version.id}/${file}`,
    `/maven/maven/modshelf/${project.slug}/maven-metadata.xml`,
    "/maven",
    "/healthz",
    "/robots.txt",
  ])("at %s gives the same answer as without it", async (path) => {
    const [name, query] = path.split("?");
    const slashed = `${name}/${query === undefined ? "" : `?${query}`}`;
    for (const headers of [{}, { accept: "text/html" }] as Record<string, string>[])
      for (const method of ["GET", "HEAD"]) {
        const [expected, answer] = [await look(method, path, headers), await look(method, slashed, headers)];
        expect(answer).toEqual(expected);
      }
  });

  test.each(["/mods?q=a/", `/project/${project.slug}`, `/mod/${project.slug}`, "/login", "/project/a%2Bb"])(
    "at the page %s redirects to its URL without it",
    async (path) => {
      const [name, query] = path.split("?");
      // The second request is answered from the cache.
      for (const headers of [{}, { accept: "text/html" }, {}] as Record<string, string>[]) {
        const reply = await as.anyone.get(`${name}/${query === undefined ? "" : `?${query}`}`, { headers });
        expect([reply.status, reply.headers.get("location")]).toEqual([301, path]);
        await as.anyone.get(path);
      }
    },
  );

  test("at a URL that begins with two slashes redirects to no other site", async () => {
    const reply = await as.anyone.get("//evil.example/");
    expect([reply.status, reply.headers.get("location")]).toEqual([404, null]);
  });

  test("is ignored for writes, refused methods and repeated requests", async () => {
    const me = as.user(author);
    const headers = { "idempotency-key": "one-organization" };
    const body = { name: "Tools", slug: "slashed-tools", description: "For all" };
    const made = await me.post("/api/organization/", body, { headers });
    expect(made).toSucceed();
    expect((await me.post("/api/organization", body, { headers })).body).toEqual(made.body);
    expect(await me.patch(`/api/organization/${made.body.slug}/`, { name: "Better tools" })).toSucceed();
    expect(await me.delete(`/api/organization/${made.body.slug}/`)).toSucceed();
    expect(await as.anyone.post(`/api/project/${project.slug}/`, {})).toFail(405, "methodNotAllowed");
    const looked = await as.anyone.post("/api/version-files/", { hashes: [version.sha512] });
    expect(Object.keys(looked.body)).toEqual([version.sha512]);
    expect((await as.anyone.call("OPTIONS", "/api/pat/", {})).headers.get("allow")).toContain("POST");
  });

  test("is not part of any route", () => {
    expect(routes.filter(({ endpoint: { path } }) => path !== "/" && path.endsWith("/"))).toEqual([]);
  });
});
