// The pages of every area on both engines: each area is read and written once through its own forms. The tests
// beside the pages cover the rest, on SQLite.
import { describe, expect, test } from "vitest";
import type { Actor } from "#test/callers/actors.js";
import { type Fields, location, readPage, submit, submitFiles, withSessionOf } from "#test/callers/page-forms.js";
import { jar } from "#test/callers/uploads.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { makeOrg, makeProject } from "#test/worlds/content.js";
import { queueProject } from "#test/worlds/desk-world.js";

const world = await testApp();
const { as, make } = world;
const owner = await make.user();
const author = as.user(owner);
const office = as.user(await make.user({ role: "admin" }));
const project = await makeProject(world, owner);
const path = `/project/${project.slug}`;

interface Area {
  name: string;
  actor: Actor;
  form: string;
  fields: Fields;
  /** The page that shows the change, and the text that it shows. */
  page: string;
  shows: string;
}

const org = await makeOrg(world, owner);
const guest = await make.user();
const queued = await queueProject(world, owner);
const slug = uniqueName("walk");

const areas: Area[] = [
  {
    name: "account: submitProfileSettings",
    actor: author,
    form: "/settings/profile",
    fields: { name: "Ada Walks", userName: owner.userName, bio: "" },
    page: "/settings/profile",
    shows: "Ada Walks",
  },
  {
    name: "admin: submitSiteNotice",
    actor: office,
    form: "/admin/notices",
    fields: { text: "Closed on Monday", level: "plain" },
    page: "/about",
    shows: "Closed on Monday",
  },
  {
    name: "collections: submitNewCollection",
    actor: author,
    form: "/collections/new",
    fields: { name: "Things that glow", description: "", visibility: "unlisted", project: project.slug },
    page: "/dashboard/collections",
    shows: "Things that glow",
  },
  {
    name: "dashboard: submitOwnProjects",
    actor: author,
    form: "/dashboard/projects",
    fields: { project: project.id, sourceCode: "https://code.example/walk" },
    page: path,
    shows: "https://code.example/walk",
  },
  {
    name: "moderation: submitReviewClaim",
    actor: office,
    form: `/moderation/queue/${queued.id}/claim`,
    fields: {},
    page: `/moderation/queue/${queued.id}`,
    shows: `/moderation/queue/${queued.id}/release`,
  },
  {
    name: "organizations: submitNewOrganization",
    actor: author,
    form: "/organizations/new",
    fields: { name: "Walkers", slug: `${slug}-org`, description: "" },
    page: `/organization/${slug}-org`,
    shows: "Walkers",
  },
  {
    name: "project: submitFollow",
    actor: as.user(guest),
    form: `${path}/follow`,
    fields: {},
    page: path,
    shows: `${path}/unfollow`,
  },
  {
    name: "project settings: submitLinks",
    actor: author,
    form: `${path}/settings/links`,
    fields: { issueTracker: "https://walk.example/issues", sourceCode: "", wikiPage: "", discordServer: "" },
    page: path,
    shows: "https://walk.example/issues",
  },
  {
    name: "publish: submitNewProject",
    actor: author,
    form: "/new",
    fields: { name: "Walking sticks", slug, summary: "They hold", type: ["mod"], visibility: "listed" },
    page: `/project/${slug}`,
    shows: "Walking sticks",
  },
  {
    name: "site: submitLegalText",
    actor: office,
    form: "/admin/legal",
    fields: { page: "rules", text: "Be kind to walkers" },
    page: "/legal/rules",
    shows: "Be kind to walkers",
  },
  {
    name: "teams: inviteToOrganization",
    actor: author,
    form: `/organization/${org.slug}/settings/members`,
    fields: { userName: guest.userName, role: "publisher" },
    page: `/organization/${org.slug}/settings/members`,
    shows: guest.userName,
  },
];

describe("the pages of an area accept a form and show the change", () => {
  test.each(areas)("$name", async ({ actor, form, fields, page, shows }) => {
    expect((await readPage(actor, page)).text).not.toContain(shows);
    const sent = await submit(actor, form, fields);
    expect(sent.status, sent.text).toBe(303);
    const shown = await readPage(actor, page);
    expect(shown.status).toBe(200);
    expect(shown.text).toContain(shows);
  });

  test("account: submitSignUp creates an account that can sign out", async () => {
    const userName = uniqueName("new");
    const member = { userName, email: `${userName}@example.com`, password: "correct horse battery" };
    const signedUp = withSessionOf(as.anyone, await submit(as.anyone, "/auth/sign-up", member));
    expect((await readPage(signedUp, "/dashboard")).text).toContain(userName);
    expect((await submit(signedUp, "/auth/sign-out")).status).toBe(303);
    expect(location(await readPage(signedUp, "/dashboard"))).toMatch(/^\/auth\/sign-in/);
  });

  test("publish: submitNewVersion stores a file that the project's page and lists offer", async () => {
    const fields = { versionNumber: "1.0", title: "First", releaseChannel: "release", gameVersions: ["0.4.8"] };
    const files = { primaryFile: [new File([new Uint8Array(jar())], "walk.jar")], additionalFiles: undefined };
    const sent = await submitFiles(author, `${path}/version/new`, { ...fields, loaders: ["quilt"] }, files);
    expect([sent.status, location(sent)?.startsWith(path)]).toEqual([303, true]);
    expect((await readPage(as.anyone, `${path}/versions`)).text).toContain("walk.jar");
    expect((await readPage(as.anyone, "/mods?l=quilt")).text).toContain(project.slug);
  });
});
