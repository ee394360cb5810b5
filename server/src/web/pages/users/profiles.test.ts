// The pages of users, organizations and collections, as any visitor sees them.
import { describe, expect, test } from "vitest";
import { placeholderId } from "#platform/db/placeholder.js";
import { heading, submit } from "#test/callers/page-forms.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { addMember, makeOrg, makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make } = world;

const author = await make.user();
const stranger = await make.user();
const mod = await makeProject(world, author, { name: "Grass <b>& more" });
await makeProject(world, author, { name: "A private one", visibility: "private" });
const world2 = await makeProject(world, author, { name: "Rainy world", types: ["world"] });

describe("getUserPage", () => {
  test("shows the user and listed projects, to guests and search engines", async () => {
    const page = await as.anyone.get(`/user/${author.userName}`);
    expect(page.status).toBe(200);
    expect(heading(page)).toBe(author.userName);
    expect(page.text).toContain("Grass &lt;b>&amp; more");
    expect(page.text).not.toContain("A private one");
    expect(page.text).toContain('<meta name="description"');
    expect(page.text).toContain(`href="/user/${author.userName}/feed.atom"`);
    expect(page.text).toContain('"@type":"ProfilePage"');
    expect(page.text).toContain(`/report?itemType=user&amp;itemId=${author.id}`);
  });

  test("shows users their own hidden projects, and a link to edit the profile", async () => {
    const page = await as.user(author).get(`/user/${author.userName}`);
    expect(page.text).toContain("A private one");
    expect(page.text).toContain('href="/settings/profile"');
    expect(page.text).not.toContain("/report?");
  });

  test.each(["id", "other letters"])("redirects from the %s to the name, with the rest of the path", async (form) => {
    const ref = form === "id" ? author.id : author.userName.toUpperCase();
    const moved = await as.anyone.get(`/user/${ref}?page=2`);
    expect([moved.status, moved.headers.get("location")]).toEqual([301, `/user/${author.userName}?page=2`]);
    const slashed = await as.anyone.get(`/user/${author.userName}/`, { headers: { accept: "text/html" } });
    expect([slashed.status, slashed.headers.get("location")]).toEqual([301, `/user/${author.userName}`]);
    const type = await as.anyone.get(`/user/${ref}/mods`);
    expect(type.headers.get("location")).toBe(`/user/${author.userName}/mods`);
  });

  test("says why it is empty, with a next step for the user themselves", async () => {
    expect((await as.anyone.get(`/user/${stranger.userName}`)).text).toContain("has no projects yet");
    expect((await as.user(stranger).get(`/user/${stranger.userName}`)).text).toContain('href="/new"');
  });

  test("stands for deleted accounts without naming them", async () => {
    const page = await as.anyone.get(`/user/${placeholderId}`);
    expect(page.status).toBe(200);
    expect(heading(page)).toBe("Deleted user");
    expect(page.text).toContain("noindex");
    expect(page.text).not.toContain("/report?itemType");
  });

  test("is a 404 for unknown users, with likely causes, and in German if the browser prefers it", async () => {
    const headers = { accept: "text/html", "accept-language": "de" };
    const page = await as.anyone.get(`/user/${uniqueName("nobody")}`, { headers });
    expect(page.status).toBe(404);
    expect(page.text).toContain("Benutzer nicht gefunden");
    expect(page.text).toContain("<li>");
    expect((await as.anyone.get(`/user/${author.userName}`, { headers })).text).toContain("Dabei seit");
  });

  test("shows organizations and public collections, and private ones to their owner", async () => {
    const org = await makeOrg(world, author, { name: "Grass Makers" });
    await as.user(author).post("/api/collections", { name: "Glowing things" });
    await as.user(author).post("/api/collections", { name: "Secret things", visibility: "private" });
    const page = await as.anyone.get(`/user/${author.userName}`);
    expect(page.text).toContain(`href="/organization/${org.slug}"`);
    expect(page.text).toContain("Glowing things");
    expect(page.text).not.toContain("Secret things");
    expect((await as.user(author).get(`/user/${author.userName}`)).text).toContain("Secret things");
  });
});

test("getUserTypePage shows one type, and is a 404 for unknown types", async () => {
  const page = await as.anyone.get(`/user/${author.userName}/worlds`);
  expect(page.text).toContain(`/project/${world2.slug}`);
  expect(page.text).not.toContain(`/project/${mod.slug}`);
  expect((await as.anyone.get(`/user/${author.userName}/shaders`)).text).toContain("No projects of this type");
  expect((await as.anyone.get(`/user/${author.userName}/gremlins`)).status).toBe(404);
  expect((await as.anyone.get(`/user/${author.userName}?page=9`)).status).toBe(404);
  expect((await as.anyone.get(`/user/${author.userName}?page=-1`)).status).toBe(200);
});

describe("getOrganizationPage", () => {
  test("shows text, members and projects; only the team sees pending invitations", async () => {
    const org = await makeOrg(world, author, { name: "Open Org", description: "We make <grass>" });
    await makeProject(world, author, { name: "Shared mod", orgId: org.id });
    const invitee = await make.user();
    await addMember(world, org.teamId, invitee, { accepted: false });
    await addMember(world, org.teamId, stranger);
    const page = await as.anyone.get(`/organization/${org.slug}`);
    expect(page.text.indexOf(`/user/${author.userName}`)).toBeLessThan(page.text.indexOf(`/user/${stranger.userName}`));
    expect(page.status).toBe(200);
    expect(page.text).toContain("We make &lt;grass>");
    expect(page.text).toContain("Shared mod");
    expect(page.text).toContain(author.userName);
    expect(page.text).not.toContain(invitee.userName);
    expect((await as.user(author).get(`/organization/${org.slug}`)).text).toContain(invitee.userName);
    const moved = await as.anyone.get(`/organization/${org.id}`);
    expect([moved.status, moved.headers.get("location")]).toEqual([301, `/organization/${org.slug}`]);
    expect((await as.anyone.get(`/organization/${uniqueName("none")}`)).status).toBe(404);
    const renamed = uniqueName("renamed");
    expect(await as.user(author).patch(`/api/organization/${org.id}`, { slug: renamed })).toSucceed();
    const left = await as.anyone.get(`/organization/${org.slug}?page=1`);
    expect([left.status, left.headers.get("location")]).toEqual([301, `/organization/${renamed}?page=1`]);
  });

  test("getOrganizationTypePage shows one type", async () => {
    const org = await makeOrg(world, author);
    const shader = await makeProject(world, author, { types: ["shader"], orgId: org.id });
    expect((await as.anyone.get(`/organization/${org.slug}/shaders`)).text).toContain(shader.slug);
    expect((await as.anyone.get(`/organization/${org.slug}/mods`)).text).toContain("No projects of this type");
  });

  test("answerOrganizationInvitation accepts or declines from the banner, once", async () => {
    const org = await makeOrg(world, author);
    const [eager, shy] = [await make.user(), await make.user()];
    for (const user of [eager, shy]) await addMember(world, org.teamId, user, { accepted: false });
    const path = `/organization/${org.slug}`;
    expect((await as.user(eager).get(path)).text).toContain("You are invited");
    expect((await submit(as.user(eager), `${path}/invitation`, { answer: "accept" })).status).toBe(303);
    expect((await as.anyone.get(path)).text).toContain(eager.userName);
    expect((await submit(as.user(eager), `${path}/invitation`, { answer: "decline" })).status).toBe(404);
    expect((await as.anyone.get(path)).text).toContain(eager.userName);
    expect((await submit(as.user(shy), `${path}/invitation`, { answer: "decline" })).status).toBe(303);
    expect((await as.user(author).get(path)).text).not.toContain(shy.userName);
    expect((await submit(as.anyone, `${path}/invitation`, { answer: "accept" })).status).toBe(401);
  });
});

describe("getCollectionPage", () => {
  const make_ = async (fields: Record<string, unknown>): Promise<string> =>
    (await as.user(author).post("/api/collections", { name: "A collection", ...fields })).body.collectionId;

  test("shows name, curator and projects; hidden ones are counted, not named", async () => {
    const hidden = await makeProject(world, author, { name: "Hidden gem", visibility: "private" });
    const id = await make_({ description: "All that <glows>", projects: [mod.slug, hidden.slug] });
    const page = await as.anyone.get(`/collection/${id}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain("All that &lt;glows>");
    expect(page.text).toContain(`href="/user/${author.userName}"`);
    expect(page.text).toContain(mod.slug);
    expect(page.text).not.toContain("Hidden gem");
    expect(page.text).toContain("1 project in this collection is not public");
    expect(page.text).not.toContain(`/collection/${id}/edit`);
    expect((await as.user(author).get(`/collection/${id}`)).text).toContain(`/collection/${id}/edit`);
  });

  test("is not found for others while private, and not indexed while unlisted", async () => {
    const secret = await make_({ visibility: "private" });
    expect((await as.user(stranger).get(`/collection/${secret}`)).status).toBe(404);
    expect((await as.anyone.get(`/collection/${secret}`)).status).toBe(404);
    expect((await as.user(author).get(`/collection/${secret}`)).status).toBe(200);
    const unlisted = await make_({ visibility: "unlisted" });
    expect((await as.anyone.get(`/collection/${unlisted}`)).text).toContain("noindex");
    expect((await as.anyone.get("/collection/follows")).status).toBe(404);
    expect((await as.user(author).get("/collection/follows")).headers.get("location")).toBe("/dashboard/library");
  });

  test("filters by the set-up, matched on one version", async () => {
    const [fitting, halves] = [await makeProject(world, author), await makeProject(world, author)];
    await makeVersion(world, author, fitting.id, { loaders: ["quilt"], gameVersions: ["0.4.8"] });
    await makeVersion(world, author, halves.id, { loaders: ["quilt"], gameVersions: ["0.4.7"] });
    await makeVersion(world, author, halves.id, { loaders: ["puzzle-loader"], gameVersions: ["0.4.8"] });
    const id = await make_({ projects: [fitting.id, halves.id] });
    const headers = { cookie: "setup=0.4.8|quilt" };
    const all = await as.anyone.get(`/collection/${id}`, { headers });
    expect(all.text).toContain(halves.slug);
    expect(all.text).toContain("?setup=on");
    const filtered = await as.anyone.get(`/collection/${id}?setup=on`, { headers });
    expect(filtered.text).toContain(fitting.slug);
    expect(filtered.text).not.toContain(halves.slug);
  });

  test("getCollectionTypePage shows one type", async () => {
    const id = await make_({ projects: [mod.id, world2.id] });
    const page = await as.anyone.get(`/collection/${id}/worlds`);
    expect(page.text).toContain(world2.slug);
    expect(page.text).not.toContain(`/project/${mod.slug}`);
  });
});
