// The content host on its own origin: the same server answers, and only files are available there.
import { expect, test } from "vitest";
import { parseRaw, sendRaw } from "#test/callers/raw-http.js";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp({ settings: { MODSHELF_CDN_URL: "http://files.test" } });
const author = await world.make.user();
const project = await makeProject(world, author);
const version = await makeVersion(world, author, project.id);

const get = async (host: string, path: string) => {
  const request = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`;
  return parseRaw(await sendRaw(world.origin, request)).status;
};

test("URLs of files point to the content host", async () => {
  const { data } = (await world.as.anyone.get(`/api/project/${project.id}/version/${version.id}`)).body;
  expect(data.primaryFile.url).toMatch(/^http:\/\/files\.test\/cdn\/data\/project\//);
});

test("it serves only files, and nothing from the hot path", async () => {
  const file = `/cdn/data/project/${project.id}/version/${version.id}/file-${version.versionNumber}.jar`;
  for (const host of ["files.test", "FILES.TEST.:80"]) expect(await get(host, file), host).toBe(200);
  expect(await get("modshelf.test", file)).toBe(200);
  for (const path of [
    `/api/project/${project.id}`,
    "/api/tags/loaders",
    "/",
    "/setup",
    "/api/auth/me",
    `/api/projects?ids=${project.id}`,
  ]) {
    await get("modshelf.test", path);
    for (const host of ["files.test", "FILES.TEST", "files.test.", "files.test:80", "Files.Test.:80"])
      expect(await get(host, path), `${host} ${path}`).toBe(404);
  }
  expect(await get("modshelf.test", `/api/project/${project.id}`)).toBe(200);
});
