// The pages about versions: the list, the changelog, a version, the newest one.
import { describe, expect, test } from "vitest";
import type { Reply } from "#test/callers/actors.js";
import { testApp } from "#test/server/harness.js";
import { addMember, makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp({ settings: { MODSHELF_MAVEN_GROUP: "org.example.mods" } });
const { as, make, clock } = world;
const owner = await make.user();
const library = await makeProject(world, owner, { name: "Library" });
const pinned = await makeVersion(world, owner, library.id, { versionNumber: "3.1" });
const secret = await makeProject(world, owner, { name: "Secret", visibility: "private" });
const project = await makeProject(world, owner, { name: "Sample" });
const publish: typeof makeVersion = (...given) => {
  clock.advance(1000);
  return makeVersion(...given);
};
const first = await publish(world, owner, project.id, {
  versionNumber: "1.0.0",
  changelog: "## First\n\n<img src=x onerror=alert(1)>",
  gameVersions: ["0.4.8", "0.4.7", "0.4.6"],
  additional: [{ name: "sources.zip", bytes: Buffer.from("sources") }],
  dependencies: [
    { projectId: library.id, versionId: pinned.id, type: "required" },
    { projectId: secret.id, versionId: null, type: "optional" },
  ],
});
await publish(world, owner, project.id, { versionNumber: "1.1.0-b", channel: "beta", loaders: ["puzzle_loader"] });
await publish(world, owner, project.id, { versionNumber: "1.2.0-d", channel: "dev", changelog: "Built by night" });
const path = `/project/${project.slug}`;

const page = (address: string, actor = as.anyone): Promise<Reply> =>
  actor.get(address, { headers: { accept: "text/html" } });
const numbers = ({ text }: Reply): string[] =>
  [...text.matchAll(/<b>([\d.]+(?:-\w)?)<\/b>/g)].map(([, number]) => number!);

describe("getVersionsPage", () => {
  test("lists the newest first, without development builds unless requested", async () => {
    const reply = await page(`${path}/versions`);
    expect(numbers(reply)).toEqual(["1.1.0-b", "1.0.0"]);
    expect(reply.text).toContain(" · 1 development build is hidden.");
    expect((await page(`${path}/changelog`)).text).toContain('<p class="small muted">1 development build is hidden.');
    expect(numbers(await page(`${path}/versions?ch=dev`))).toEqual(["1.2.0-d", "1.1.0-b", "1.0.0"]);
  });

  test("filters by channel, game version and loader, all on the same version", async () => {
    expect(numbers(await page(`${path}/versions?ch=release`))).toEqual(["1.0.0"]);
    expect(numbers(await page(`${path}/versions?v=0.4.7`))).toEqual(["1.0.0"]);
    expect(numbers(await page(`${path}/versions?l=puzzle_loader`))).toEqual(["1.1.0-b"]);
    const nothing = await page(`${path}/versions?l=puzzle_loader&v=0.4.7`);
    expect(numbers(nothing)).toEqual([]);
    expect(nothing.text).toContain("No version matches this filter");
  });

  test("ignores unknown filters", async () => {
    for (const query of ["ch=gold", "page=x", "v=&l=&ch=", "ch=__proto__"])
      expect(numbers(await page(`${path}/versions?${query}`)), query).toEqual(["1.1.0-b", "1.0.0"]);
  });

  test("finds nothing for an unknown game version or loader, and shows the filter", async () => {
    for (const query of ["v=9.9.9", "l=forge", "v=9.9.9&v=0.4.7", "l=__proto__"]) {
      const { text } = await page(`${path}/versions?${query}`);
      expect(text, query).toContain("No version matches this filter");
      expect(text).toContain(`<option value="${query.split(/[=&]/)[1]}" selected>`);
    }
    expect((await page(`${path}/version/latest?v=9.9.9`)).status).toBe(404);
  });

  test("links to the file, or to the download page if it has dependencies", async () => {
    const { text } = await page(`${path}/versions`);
    expect(text).toContain(`href="${path}/download?version=1.0.0"`);
    expect(text).toMatch(/href="[^"]*\/cdn\/data\/project\/[^"]*file-1\.1\.0-b\.jar"/);
  });

  test("ends with its last page; later ones are a 404 with a link back", async () => {
    const long = await makeProject(world, owner);
    for (let at = 0; at < 51; at++) await publish(world, owner, long.id);
    const second = await page(`/project/${long.slug}/versions?page=2`);
    expect(second.text).toContain(`<link rel="prev" href="/project/${long.slug}/versions?page=1"/>`);
    expect(second).toSucceed();
    expect(numbers(second)).toHaveLength(1);
    const third = await page(`/project/${long.slug}/versions?page=3`);
    expect(third.status).toBe(404);
    expect(third.text).toContain(`href="/project/${long.slug}/versions?page=2"`);
    expect((await page(`/project/${long.slug}/changelog?page=4`)).status).toBe(404);
  });
});

describe("getChangelogPage", () => {
  test("shows the sanitized changelog of each version, and groups versions without one", async () => {
    const { text } = await page(`${path}/changelog`);
    expect(text).toContain('id="v-1.0.0"');
    expect(text).toContain(">First</h4>");
    expect(text).not.toContain("onerror");
    expect(text).toContain("1 version without a changelog");
    expect(text).not.toContain("Built by night");
    expect((await page(`${path}/changelog?ch=dev`)).text).toContain("Built by night");
  });

  test("shows the same text of two consecutive versions once", async () => {
    const twice = await makeProject(world, owner);
    await publish(world, owner, twice.id, { changelog: "The same words" });
    await publish(world, owner, twice.id, { changelog: "The same words" });
    const { text } = await page(`/project/${twice.slug}/changelog`);
    expect(text.match(/The same words/g)).toHaveLength(1);
    expect(text).toContain("Same as the previous version");
  });
});

describe("getVersionPage", () => {
  test("shows files with both complete hashes, and dependencies by name", async () => {
    const { text } = await page(`${path}/version/1.0.0`);
    expect(text).toContain(first.sha512);
    expect(text).toContain(first.sha1);
    expect(text).toContain("sources.zip");
    expect(text).toContain(`href="/project/${library.slug}"`);
    expect(text).toContain("only 3.1");
    expect(text).toContain("0.4.6–0.4.8");
    expect(text).toMatch(/aria-current="true"[^>]*>Versions|Versions<[^>]*aria-current="true"/);
  });

  test("names hidden dependencies to the project's team only", async () => {
    expect((await page(`${path}/version/1.0.0`)).text).not.toContain("Secret");
    expect((await page(`${path}/version/1.0.0`)).text).toContain("A project you cannot see");
    expect((await page(`${path}/version/1.0.0`, as.user(owner))).text).toContain("Secret");
  });

  test("explains how to build against it", async () => {
    const { text } = await page(`${path}/version/1.0.0`);
    expect(text).toContain(`implementation(&quot;org.example.mods:${project.slug}:1.0.0&quot;)`);
  });

  test("its id and capital letters redirect permanently to its slug", async () => {
    for (const ref of [first.id, "1.2.0-D"]) {
      const reply = await page(`${path}/version/${ref}`);
      expect(reply.status, ref).toBe(301);
      expect(reply.headers.get("location")).toMatch(new RegExp(`^${path}/version/1\\.`));
    }
    const both = await page(`/project/${project.id}/version/${first.id}`);
    expect(both.headers.get("location")).toBe(`${path}/version/${first.id}`);
  });

  test("is a 404 for an unknown version", async () => {
    for (const ref of ["9.9.9", "AAAAAAAA", pinned.id, "constructor"])
      expect((await page(`${path}/version/${ref}`)).status, ref).toBe(404);
  });

  test("shows that a version was withdrawn, why, and its replacement; the matrix no longer has it", async () => {
    const sorry = await makeProject(world, owner);
    await publish(world, owner, sorry.id, { versionNumber: "1.0" });
    await publish(world, owner, sorry.id, { versionNumber: "2.0" });
    const yank = await as
      .user(owner)
      .post(`/api/project/${sorry.slug}/version/2.0/yank`, { reason: "It eats <worlds>" });
    expect(yank).toSucceed();
    const { text } = await page(`/project/${sorry.slug}/version/2.0`);
    expect(text).toContain("yanked by its author");
    expect(text).toContain("It eats &lt;worlds>");
    expect(text).toContain(`/project/${sorry.slug}/version/latest`);
    expect(text).toContain('content="noindex"');
    expect((await page(`/project/${sorry.slug}/versions`)).text).toContain("yanked");
    expect((await page(`/project/${sorry.slug}`)).text).not.toContain(">2.0</b>");
    expect((await page(`/project/${sorry.slug}/version/latest`)).headers.get("location")).toMatch(/1\.0$/);
  });

  test("has an edit link for members who may edit it", async () => {
    const uploader = await make.user();
    await addMember(world, project.teamId, uploader, { permissions: ["upload_version"] });
    expect((await page(`${path}/version/1.0.0`, as.user(uploader))).text).toContain(`${path}/version/1.0.0/edit`);
    expect((await page(`${path}/version/1.0.0`)).text).not.toContain("/edit");
  });
});

describe("getLatestVersionPage", () => {
  const latest = async (query = "") => {
    const reply = await page(`${path}/version/latest${query}`);
    return [reply.status, reply.headers.get("location")?.split("/").at(-1)];
  };

  test("redirects to the newest that fits, but not permanently", async () => {
    expect(await latest()).toEqual([302, "1.0.0"]);
    expect(await latest("?ch=beta")).toEqual([302, "1.1.0-b"]);
    expect(await latest("?ch=dev")).toEqual([302, "1.2.0-d"]);
    expect(await latest("?l=puzzle_loader")).toEqual([302, "1.1.0-b"]);
    expect((await latest("?l=puzzle_loader&ch=release"))[0]).toBe(404);
  });
});
