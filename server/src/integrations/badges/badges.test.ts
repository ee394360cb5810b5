// Badges over HTTP: their content, visibility and cache headers.
import { describe, expect, test } from "vitest";
import { write } from "#platform/changes/write.js";
import { testApp } from "#test/server/harness.js";
import { addMember, makeProject, setProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make, resources } = world;
const author = await make.user();
const project = await makeProject(world, author, { license: "MIT" });
const badge = async (kind: string, ref = project.slug) => {
  const reply = await as.anyone.get(`/badge/${ref}/${kind}.json`);
  expect(reply.status, reply.text).toBe(200);
  return [reply.body.label, reply.body.message];
};

describe("getBadge", () => {
  test("describes a project without versions", async () => {
    expect(await badge("downloads")).toEqual(["downloads", "0"]);
    expect(await badge("license")).toEqual(["license", "MIT"]);
    expect(await badge("version")).toEqual(["version", "none"]);
    expect(await badge("game-versions")).toEqual(["game versions", "none"]);
    expect(await badge("loaders")).toEqual(["loaders", "none"]);
  });

  test("names the newest release, or the newest version if there is no release", async () => {
    const beta = await makeVersion(world, author, project.id, { channel: "beta", loaders: ["puzzle_loader"] });
    expect(await badge("version")).toEqual(["version", beta.versionNumber]);
    const release = await makeVersion(world, author, project.id, { gameVersions: ["0.4.8", "0.4.9"] });
    await makeVersion(world, author, project.id, { channel: "alpha" });
    expect(await badge("version")).toEqual(["version", release.versionNumber]);
    expect(await badge("loaders")).toEqual(["loaders", "Puzzle Loader | Quilt"]);
    expect(await badge("game-versions")).toEqual(["game versions", "0.4.8 | 0.4.9"]);
    await setProject(world, project.id, { downloads: 12_345 });
    expect(await badge("downloads", project.id)).toEqual(["downloads", "12k"]);
    await setProject(world, project.id, { downloads: 0 });
  });

  test.each(["date_yanked", "date_quarantined"] as const)("does not name a version with %s", async (column) => {
    const other = await makeProject(world, author);
    const older = await makeVersion(world, author, other.id);
    const newer = await makeVersion(world, author, other.id, { loaders: ["puzzle_loader"] });
    expect(await badge("version", other.id)).toEqual(["version", newer.versionNumber]);
    await write(resources, {}, async (tx) => {
      await tx.db
        .updateTable("versions")
        .set({ [column]: 1 })
        .where("id", "=", newer.id)
        .execute();
      tx.changed("project", other.id);
    });
    expect(await badge("version", other.id)).toEqual(["version", older.versionNumber]);
    expect(await badge("loaders", other.id)).toEqual(["loaders", "Quilt"]);
  });

  test("is a picture that every site may show and cache for five minutes", async () => {
    const reply = await as.anyone.get(`/badge/${project.slug}/downloads.svg`);
    expect(reply.headers.get("content-type")).toBe("image/svg+xml; charset=utf-8");
    expect(reply.headers.get("cache-control")).toBe("public, max-age=300");
    expect(reply.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    expect(reply.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    expect(reply.headers.get("access-control-allow-origin")).toBe("*");
    const etag = reply.headers.get("etag")!;
    const again = await as.anyone.get(`/badge/${project.slug}/downloads.svg`, { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
  });

  test("for a private project is shown to its members, and not cached for others", async () => {
    const secret = await makeProject(world, author, { visibility: "private" });
    const member = await make.user();
    await addMember(world, secret.teamId, member);
    const path = `/badge/${secret.slug}/downloads.svg`;
    expect((await as.user(member).get(path)).headers.get("cache-control")).toBe("private, no-cache");
    expect(await as.anyone.get(path)).toFail(404, "projectNotFound");
    expect(await as.anyone.get("/badge/no-such-project/downloads.svg")).toFail(404, "projectNotFound");
  });

  test.each([
    "downloads",
    "downloads.png",
    "stars.svg",
    "downloads.svg.json",
    ".svg",
    "__proto__.json",
    "DOWNLOADS.SVG",
  ])("has no %j", async (name) => {
    expect(await as.anyone.get(`/badge/${project.slug}/${name}`)).toFail(404, "notFound");
  });
});
