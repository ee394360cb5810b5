// The main page of a project, its paths, and access to it.
import { describe, expect, test } from "vitest";
import { publicChangesConsumer } from "#integrations/public-changes/consumer.js";
import { catchUp } from "#platform/changes/consumer.js";
import type { Reply } from "#test/callers/actors.js";
import { siteUrl, testApp, uniqueName } from "#test/server/harness.js";
import { addMember, makeOrg, makeProject, setProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { projectTypes } from "#web/context/project-types.js";

const world = await testApp();
const { as, make } = world;
const owner = await make.user();
const stranger = await make.user();
const moderator = await make.user({ role: "moderator" });
const project = await makeProject(world, owner, {
  name: "Better <Grass>",
  summary: "Grass & more",
  description: "# Hello\n\n<script>alert(1)</script> *world*",
});
await makeVersion(world, owner, project.id, { versionNumber: "1.0.0", gameVersions: ["0.4.8", "0.4.7"] });

const inBrowser = { headers: { accept: "text/html" } };
const page = (path: string, actor = as.anyone): Promise<Reply> => actor.get(path, inBrowser);
const jsonLd = ({ text }: Reply) => JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)![1]!);

describe("getProjectPage", () => {
  test("shows name, summary and description, all of them escaped", async () => {
    const reply = await page(`/project/${project.slug}`);
    expect(reply).toSucceed();
    expect(reply.text).toContain("Better &lt;Grass>");
    expect(reply.text).toContain("Grass &amp; more");
    expect(reply.text).toMatch(/<h2 id="h-hello">Hello<\/h2>/);
    expect(reply.text).not.toContain("alert(1)");
    expect(reply.text).not.toMatch(/ style="/);
    expect(reply.text.match(/<h1[ >]/g)).toHaveLength(1);
  });

  test("leads staff to the desk, and shows nothing of that to others, in any order of visits", async () => {
    const shown = await makeProject(world, owner);
    const waiting = await makeProject(world, owner, { status: "processing" });
    const version = await makeVersion(world, owner, shown.id, { versionNumber: "1.0.1" });
    const paths = [
      `/project/${shown.slug}`,
      `/project/${shown.slug}/versions`,
      `/project/${shown.slug}/version/1.0.1`,
      `/user/${owner.userName}`,
    ];
    const staff = as.user(moderator);
    for (const path of paths)
      for (const actor of [as.anyone, staff, as.anyone, as.user(stranger), as.user(owner), staff])
        expect((await page(path, actor)).text.includes('href="/moderation/'), path).toBe(actor === staff);
    const own = (await page(paths[0]!, staff)).text;
    expect(own).toContain(`href="/moderation/queue/${shown.id}"`);
    expect(own).not.toContain("/claim");
    expect((await page(`/project/${waiting.slug}`, staff)).text).toContain(`/moderation/queue/${waiting.id}/claim`);
    const held = (await page(paths[2]!, staff)).text;
    expect(held).toContain(`href="/moderation/quarantine?versionId=${version.id}"`);
    expect(held).toMatch(/href="\/moderation\/scan\/\w+"/);
    const user = (await page(paths[3]!, staff)).text;
    for (const end of ["", "#notes", "/suspend"])
      expect(user).toContain(`href="/moderation/user/${owner.userName}${end}"`);
  });

  test("says that a deleted project is gone, if it was public", async () => {
    const known = await makeProject(world, owner);
    const secret = await makeProject(world, owner, { visibility: "private" });
    for (const { id } of [known, secret]) await makeVersion(world, owner, id);
    await catchUp(world.resources, publicChangesConsumer);
    for (const { slug } of [known, secret]) expect(await as.user(owner).delete(`/api/project/${slug}`)).toSucceed();
    await catchUp(world.resources, publicChangesConsumer);
    const gone = await page(`/project/${known.slug}/versions`);
    expect([gone.status, gone.text.includes("This no longer exists")]).toEqual([410, true]);
    expect((await page(`/project/${secret.slug}`)).status).toBe(404);
    expect((await page(`/project/${uniqueName("never")}`)).status).toBe(404);
  });

  test("shows the compatibility matrix, with links", async () => {
    const { text } = await page(`/project/${project.slug}`);
    expect(text).toContain("0.4.7–0.4.8");
    expect(text).toContain(`href="/project/${project.slug}/download?v=0.4.8&amp;l=quilt&amp;ch=release"`);
    expect(text).toMatch(
      /class="matrix-cell release"[^>]*><span aria-hidden="true">●<\/span> <b title="1\.0\.0">1\.0\.0<\/b> <i>Release<\/i>/,
    );
  });

  test("shows its author with a picture, and its tags as links to lists", async () => {
    const tagged = await makeProject(world, owner);
    const set = await as.user(owner).patch(`/api/project/${tagged.slug}/tags`, {
      categories: ["utility"],
      featuredCategories: ["utility"],
    });
    expect(set).toSucceed();
    for (const actor of [as.anyone, as.user(stranger)]) {
      const { text } = await page(`/project/${tagged.slug}`, actor);
      expect(text).toMatch(
        new RegExp(`<p class="project-by">by <img class="picture round"[^>]*/> <a href="/user/${owner.userName}"`),
      );
      const icon = (shape: string) => `<svg class="icon[^>]*><use href="/assets/tags[^"]*#${shape}"></use></svg> `;
      expect(text).toMatch(
        new RegExp(
          `<p class="tags"><a href="/mods">${icon("box")}Mod</a><a href="/mods\\?c=utility">${icon("tools")}Utility</a></p>`,
        ),
      );
    }
  });

  test("has metadata for search engines and link previews", async () => {
    const reply = await page(`/project/${project.slug}`);
    expect(reply.text).toContain(`<link rel="canonical" href="${siteUrl}/project/${project.slug}"/>`);
    expect(reply.text).toContain('property="og:title" content="Better &lt;Grass>"');
    expect(reply.text).toContain(`href="/project/${project.slug}/feed.atom"`);
    expect(await as.anyone.get(/property="og:image" content="[^"]*(\/og\/[^"]*)"/.exec(reply.text)![1]!)).toSucceed();
    expect(await as.anyone.get(/href="(\/oembed[^"]*)"/.exec(reply.text)![1]!)).toSucceed();
    expect(jsonLd(reply)["@graph"][0]).toMatchObject({
      "@type": "SoftwareApplication",
      name: "Better <Grass>",
      softwareVersion: "1.0.0",
      author: { name: owner.userName },
    });
  });

  test("marks the row of the visitor's set-up", async () => {
    const headers = { accept: "text/html", cookie: "setup=0.4.7|quilt" };
    const { text } = await as.anyone.get(`/project/${project.slug}`, { headers });
    expect(text).toMatch(/<tr class="matrix-mine">/);
    expect(text).toContain("download?v=0.4.7&amp;l=quilt");
  });

  test("is in German if the browser prefers it", async () => {
    const { text } = await as.anyone.get(`/project/${project.slug}`, { headers: { "accept-language": "de-AT" } });
    expect(text).toContain('<html lang="de">');
    expect(text).toContain("Herunterladen");
    expect(text).not.toContain("Compatibility");
  });

  test("is complete for an empty project", async () => {
    const bare = await makeProject(world, owner, { license: "" });
    const reply = await page(`/project/${bare.slug}`);
    expect(reply).toSucceed();
    expect(reply.text).toContain("has no description yet");
    expect(reply.text).not.toContain(`/project/${bare.slug}/download"`);
    for (const below of ["gallery", "changelog", "versions", "dependents", "stats", "download"])
      expect(await page(`/project/${bare.slug}/${below}`), below).toSucceed();
  });

  test("names the organization and its members' roles", async () => {
    const org = await makeOrg(world, owner, { name: "Grass Works" });
    const owned = await makeProject(world, owner, { orgId: org.id });
    const reply = await page(`/project/${owned.slug}`);
    expect(reply.text).toContain(`href="/organization/${org.slug}"`);
    expect(jsonLd(reply)["@graph"][0].author).toMatchObject({ "@type": "Organization", name: "Grass Works" });
  });
});

describe("a project that is not public", () => {
  const paths = ["", "/gallery", "/changelog", "/versions", "/dependents", "/stats", "/stats.csv", "/download"];

  test.each([
    ["draft", { status: "draft" }, "This is a draft", "Created"],
    ["processing", { status: "processing" }, "is in review", "Created"],
    ["rejected", { status: "rejected" }, "was not approved", "Created"],
    ["withheld", { status: "withheld" }, "is withheld", "Published"],
    ["private", { visibility: "private" }, "is private", "Published"],
  ] as const)("(%s) is not found by others, and its team is told why", async (_name, state, words, since) => {
    const hidden = await makeProject(world, owner, state);
    await makeVersion(world, owner, hidden.id);
    for (const path of [...paths, "/download.zip", "/version/1.0.0", "/version/latest"])
      for (const actor of [as.anyone, as.user(stranger)]) {
        const absent = uniqueName("never");
        const reply = await page(`/project/${hidden.slug}${path}`, actor);
        const never = await page(`/project/${absent}${path}`, actor);
        expect(reply.status, path).toBe(404);
        // The forms of every page have new tokens.
        const plain = ({ text, headers }: Reply, slug: string) =>
          text
            .replaceAll(slug, "")
            .replaceAll(headers.get("x-request-id")!, "")
            .replaceAll(/ name="form-token" value="[\w.-]*"/g, "");
        expect(plain(reply, hidden.slug) === plain(never, absent), path).toBe(true);
      }
    for (const actor of [as.user(owner), as.user(moderator)]) {
      const own = await page(`/project/${hidden.slug}`, actor);
      expect(own.text).toContain(words);
      expect(own.text).toContain(`<dt>${since}</dt>`);
      expect(own.text).toContain('<meta name="robots" content="noindex"/>');
    }
    for (const path of paths) expect(await page(`/project/${hidden.slug}${path}`, as.user(owner)), path).toSucceed();
  });

  test.each([
    ["unlisted", "is unlisted", true],
    ["archived", "is archived", false],
  ] as const)("(%s) is shown with a banner; search engines: hidden %s", async (visibility, words, isHidden) => {
    const shown = await makeProject(world, owner, { visibility });
    const { text } = await page(`/project/${shown.slug}`);
    expect(text).toContain(words);
    expect(text.includes('content="noindex"')).toBe(isHidden);
  });

  test("asks invited users to answer", async () => {
    const invited = await make.user();
    await addMember(world, project.teamId, invited, { accepted: false });
    expect((await page(`/project/${project.slug}`, as.user(invited))).text).toContain("You are invited");
    expect((await page(`/project/${project.slug}`)).text).not.toContain("You are invited");
  });

  test("offers each team member the actions that they may do", async () => {
    const uploader = await make.user();
    await addMember(world, project.teamId, uploader, { permissions: ["upload_version"] });
    const path = `/project/${project.slug}`;
    expect((await page(path, as.user(uploader))).text).toContain(`${path}/version/new`);
    expect((await page(path, as.user(stranger))).text).not.toContain(`${path}/version/new`);
    expect((await page(path, as.user(stranger))).text).not.toContain(`${path}/settings`);
  });
});

describe("other paths of a project", () => {
  const tabs = ["", "/versions", "/versions?v=0.4.8", "/gallery", "/download.zip?l=quilt"];

  test.each(tabs)("its id redirects permanently to its slug (%s)", async (tab) => {
    const reply = await page(`/project/${project.id}${tab}`);
    expect(reply.status).toBe(301);
    expect(reply.headers.get("location")).toBe(`/project/${project.slug}${tab}`);
  });

  test("capital letters redirect to lower case", async () => {
    const reply = await page(`/project/${project.slug.toUpperCase()}/changelog?ch=beta`);
    expect(reply.headers.get("location")).toBe(`/project/${project.slug}/changelog?ch=beta`);
  });

  test("an earlier slug redirects to the present one", async () => {
    const renamed = await makeProject(world, owner);
    const slug = uniqueName("renamed");
    expect(await as.user(owner).patch(`/api/project/${renamed.slug}`, { slug })).toSucceed();
    const reply = await page(`/project/${renamed.slug}/versions`);
    expect([reply.status, reply.headers.get("location")]).toEqual([301, `/project/${slug}/versions`]);
  });

  test("a trailing slash and capital letters in the rest are removed", async () => {
    for (const [given, wanted] of [
      [`/project/${project.slug}/`, `/project/${project.slug}`],
      [`/project/${project.slug}/versions/?ch=beta`, `/project/${project.slug}/versions?ch=beta`],
      [`/project/${project.slug}/Versions`, `/project/${project.slug}/versions`],
      [`/project/${project.slug}/version`, `/project/${project.slug}/versions`],
      ["/Mods", "/mods"],
    ] as const) {
      const reply = await page(given);
      expect([reply.status, reply.headers.get("location")], given).toEqual([301, wanted]);
    }
  });

  const moves = ["moveMod", "moveModpack", "moveShader", "moveResourcePack", "moveDatamod", "movePlugin", "moveWorld"];

  test.each(projectTypes.map((type, at) => [moves[at]!, type]))("%s: paths below /%s redirect", async (_id, type) => {
    const locationOf = async (path: string) => {
      const reply = await page(path);
      return [reply.status, reply.headers.get("location")];
    };
    expect(await locationOf(`/${type}/${project.slug}`)).toEqual([301, `/project/${project.slug}`]);
    expect(await locationOf(`/${type}/${project.id}/versions?v=0.4.8`)).toEqual([
      301,
      `/project/${project.id}/versions?v=0.4.8`,
    ]);
    expect(await locationOf(`/${type}/${project.slug}/version`)).toEqual([301, `/project/${project.slug}/versions`]);
    expect(await locationOf(`/${type}/`)).toEqual([301, `/${type}s`]);
  });

  test("never redirect to another site", async () => {
    for (const path of ["/mod//evil.example", "/mod/%2F%2Fevil.example", "/mod/..%2F..%2Fevil", "//evil.example/"]) {
      const location = (await page(path)).headers.get("location");
      expect(location === null || new URL(location, siteUrl).origin === siteUrl, `${path} → ${location}`).toBe(true);
    }
  });
});

test("a project that becomes private disappears for visitors at once", async () => {
  const shy = await makeProject(world, owner);
  expect(await page(`/project/${shy.slug}`)).toSucceed();
  await setProject(world, shy.id, { visibility: "private" });
  expect((await page(`/project/${shy.slug}`)).status).toBe(404);
});
