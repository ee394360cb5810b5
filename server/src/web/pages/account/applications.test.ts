// The pages of applications: registering, editing, renewing the secret, deleting; connections; suspension by moderators.
import { describe, expect, test } from "vitest";
import type { TestUser } from "#test/callers/actors.js";
import { makeApplication, OAuthClient } from "#test/callers/oauth-client.js";
import { type Fields, heading, location, readPage, submit, typed, wrongWith } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";

const world = await testApp();
const { as, make, resources, clock } = world;

const path = "/settings/applications";
const fields = {
  name: "Launcher",
  description: "Installs mods",
  homepage: "https://launcher.example",
  redirectUris: "https://launcher.example/callback\r\n\r\n http://127.0.0.1/done \r\n",
  scope_user_read: "on",
  scope_version_create: "on",
  type: "public",
};
const register = (user: TestUser, changes: Fields = {}) =>
  submit(as.user(user), `${path}/new`, { ...fields, ...changes });
const own = (user: TestUser) =>
  resources.db.selectFrom("applications").selectAll().where("owner_id", "=", user.id).execute();

describe("submitNewApplication", () => {
  test("registers what getNewApplicationPage asks for; getApplicationsPage and getApplicationPage show it", async () => {
    const user = await make.user();
    expect(heading(await readPage(as.user(user), `${path}/new`))).toBe("New application");
    expect(location(await register(user))).toBe(`${path}?done=made`);
    const [row] = await own(user);
    expect(row).toMatchObject({ name: "Launcher", secret_digest: null, scopes: '["user_read","version_create"]' });
    expect(row!.redirect_uris).toBe('["https://launcher.example/callback","http://127.0.0.1/done"]');
    expect((await readPage(as.user(user), path)).text).toContain(row!.id);
    const page = await readPage(as.user(user), `${path}/${row!.id}`);
    expect(typed(page, "name")).toBe("Launcher");
    expect(page.text).toContain("0 users");
    expect(page.text).not.toContain(`${row!.id}/secret`);
  });

  test("shows the secret of a confidential application once, and submitApplicationSecret renews it", async () => {
    const user = await make.user();
    const secretIn = (text: string) => /msa_\w{49}/.exec(text)?.[0];
    const made = await register(user, { type: "confidential" });
    const first = secretIn(made.text);
    expect(first).toBeDefined();
    const { id } = (await own(user))[0]!;
    expect(secretIn((await readPage(as.user(user), `${path}/${id}`)).text)).toBeUndefined();
    const second = secretIn((await submit(as.user(user), `${path}/${id}/secret`)).text);
    expect(second).toBeDefined();
    expect(second).not.toBe(first);
    expect(JSON.stringify(await own(user))).not.toContain(second);
    await clock.during(11 * 60_000, async () => {
      expect(location(await submit(as.user(user), `${path}/${id}/secret`))).toContain("/auth/sign-in?again=1");
    });
  });

  test.each<[string, Fields, string, RegExp]>([
    ["no name", { name: " " }, "name", /2 to 50/],
    ["a name that changes the direction of text", { name: "Launcher\u202e" }, "name", /one line/],
    ["a long description", { description: "a".repeat(257) }, "description", /at most 256/],
    ["a website without http", { homepage: "javascript:alert(1)" }, "homepage", /http/],
    ["a website with a password", { homepage: "https://a:b@c.example" }, "homepage", /username or password/],
    ["no redirect URI", { redirectUris: "\r\n" }, "redirectUris", /at least 1/],
    ["eleven redirect URIs", { redirectUris: "https://a.example/\n".repeat(11) }, "redirectUris", /at most 10/],
    ["a redirect URI without https", { redirectUris: "http://a.example/" }, "redirectUris", /a\.example\/ must start/],
    ["a redirect URI in another form", { redirectUris: "https://a.example" }, "redirectUris", /written as https:/],
  ])("refuses %s beside its field", async (_what, changes, field, problem) => {
    const user = await make.user();
    const page = await register(user, changes);
    expect(page.status).toBe(400);
    expect(wrongWith(page, field)).toMatch(problem);
    expect(page.text).toMatch(/name="scope_version_create" checked/);
    expect(await own(user)).toEqual([]);
  });

  test("refuses no scope, and scopes that no application can have", async () => {
    const user = await make.user();
    const { scope_user_read: _read, scope_version_create: _create, ...without } = fields;
    for (const scope of [{}, { scope_user_write_email: "on" }, { scope_staff: "on" }] as Fields[])
      expect((await submit(as.user(user), `${path}/new`, { ...without, ...scope })).status).toBe(400);
    expect(await own(user)).toEqual([]);
  });

  test("refuses the 21st, and asks for a recent sign-in", async () => {
    const user = await make.user();
    for (let at = 0; at < 20; at++) await makeApplication(world, user);
    expect((await register(user)).status).toBe(409);
    const other = await make.user();
    await clock.during(11 * 60_000, async () => {
      expect(location(await readPage(as.user(other), `${path}/new`))).toContain("/auth/sign-in?again=1");
      expect((await register(other)).status).toBe(403);
    });
    expect(await own(other)).toEqual([]);
  });
});

test("submitApplication, getApplicationDeletionPage and submitApplicationDeletion are for the owner only", async () => {
  const [owner, stranger] = [await make.user(), await make.user()];
  const { id } = await makeApplication(world, owner);
  const paths = [`${path}/${id}`, `${path}/${id}/delete`, `${path}/${id}/secret`];
  for (const each of paths) expect((await submit(as.user(stranger), each, fields)).status).toBe(404);
  for (const each of paths.slice(0, 2)) expect((await readPage(as.user(stranger), each)).status).toBe(404);
  expect((await submit(as.user(owner), `${path}/${id}`, { ...fields, homepage: "x" })).status).toBe(400);
  const change = { ...fields, name: "New name", redirectUris: "com.example.app:/x" };
  expect(location(await submit(as.user(owner), `${path}/${id}`, change))).toBe(`${path}/${id}?done`);
  expect((await own(owner))[0]).toMatchObject({ name: "New name", redirect_uris: '["com.example.app:/x"]' });
  const deletion = await readPage(as.user(owner), `${path}/${id}/delete`);
  expect(heading(deletion)).toBe("Delete New name?");
  expect(deletion.text).toContain("Connected: 0 users<");
  expect(location(await submit(as.user(owner), `${path}/${id}/delete`))).toBe(`${path}?done=deleted`);
  expect(await own(owner)).toEqual([]);
});

test("getConnectionsPage lists applications in words, and submitDisconnection ends one on all devices", async () => {
  const [owner, user] = [await make.user(), await make.user()];
  const client = new OAuthClient(world, await makeApplication(world, owner));
  const devices = [await client.connect(user), await client.connect(user, { scope: "project_write" })];
  await client.code(user);
  const page = await readPage(as.user(user), "/settings/connections");
  for (const said of ["Launcher", owner.userName, "Read your profile", "Edit your projects"])
    expect(page.text).toContain(said);
  expect(page.text.split('class="card stack"').length - 1).toBe(1);
  const exported = (await as.user(user).get("/settings/account/export")).text;
  expect(JSON.parse(exported)).toMatchObject({
    tokens: [],
    connectedApplications: [{ name: "Launcher", scopes: ["user_read", "project_write"] }],
  });
  expect(JSON.parse((await as.user(owner).get("/settings/account/export")).text).applications).toHaveLength(1);
  const disconnect = () => submit(as.user(user), `/settings/connections/${client.id}/disconnect`);
  expect(location(await disconnect())).toBe("/settings/connections?done");
  for (const { access } of devices) expect((await as.bearer(access).get("/api/user")).status).toBe(401);
  expect((await disconnect()).status).toBe(404);
  expect((await readPage(as.user(user), "/settings/connections")).text).toContain("No connected applications");
  expect((await readPage(as.user(user), "/settings/security-log")).text).toContain("Application disconnected");
});

test("getModeratedApplicationsPage, submitApplicationSuspension, submitApplicationRestoration: for moderators", async () => {
  const [owner, user] = [await make.user(), await make.user()];
  const moderator = await make.user({ role: "moderator" });
  await make.confirmed(moderator);
  const { id } = await makeApplication(world, owner, { name: "100%_Fun" });
  const client = new OAuthClient(world, { id, secret: undefined });
  const { access } = await client.connect(user);
  const desk = "/moderation/applications";
  expect((await readPage(as.user(user), desk)).status).toBe(404);
  expect((await submit(as.user(user), `${desk}/${id}/suspend`)).status).toBe(404);
  for (const sought of ["", "100%_f", id, owner.userName.toUpperCase()])
    expect((await readPage(as.user(moderator), `${desk}?q=${encodeURIComponent(sought)}`)).text).toContain(id);
  expect((await readPage(as.user(moderator), `${desk}?q=10%25f`)).text).toContain("No applications found");
  expect((await submit(as.user(moderator), `${desk}/${id}/suspend`)).status).toBe(303);
  expect((await as.bearer(access).get("/api/user")).status).toBe(401);
  expect((await readPage(as.user(owner), `${path}/${id}`)).text).toContain("A moderator has suspended");
  expect((await submit(as.user(moderator), `${desk}/${id}/restore`)).status).toBe(303);
  expect((await as.bearer(access).get("/api/user")).status).toBe(200);
  expect((await submit(as.user(moderator), `${desk}/none/restore`)).status).toBe(404);
  const log = (await readPage(as.user(moderator), "/moderation/log")).text;
  expect(log).toContain("suspended an application of");
});
