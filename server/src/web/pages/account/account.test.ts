// Email, password, linked accounts, data export, deletion and tokens, as a browser without script uses them.
import { describe, expect, test } from "vitest";
import { createFeedKey } from "#integrations/feeds/write.js";
import { write } from "#platform/changes/write.js";
import { heading, location, readPage, submit, typed, wrongWith } from "#test/callers/page-forms.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";

const settings = { MODSHELF_OAUTH_GITHUB_CLIENT_ID: "id", MODSHELF_OAUTH_GITHUB_CLIENT_SECRET: "q7Zt-01xw" };
const world = await testApp({ settings });
const { as, make, resources, clock } = world;
const password = "correct horse battery";
const minute = 60_000;

const link = (userId: string, provider: string) =>
  resources.db
    .insertInto("linked_accounts")
    .values({
      id: uniqueName("l"),
      user_id: userId,
      provider,
      provider_account_id: uniqueName(),
      provider_email: "ada@github.example",
      date_linked: 0,
    })
    .execute();

describe("getAccountPage, submitEmail and submitPassword", () => {
  test("change the email address with the password, and show problems beside the field", async () => {
    const [user, other] = [await make.user({ password }), await make.user()];
    const path = "/settings/account/email";
    const email = `${uniqueName()}@example.com`;
    const wrong = await submit(as.user(user), path, { email, emailPassword: "wrong" });
    expect([wrong.status, wrongWith(wrong, "emailPassword")]).toEqual([403, "The current password is wrong."]);
    expect(typed(wrong, "email")).toBe(email);
    const taken = await submit(as.user(user), path, { email: other.email, emailPassword: password });
    expect([taken.status, Boolean(wrongWith(taken, "email"))]).toEqual([409, true]);
    expect((await submit(as.user(user), path, { email: "x", emailPassword: password })).status).toBe(400);
    const reply = await submit(as.user(user), path, { email, emailPassword: password });
    expect(location(reply)).toBe("/settings/account?done=email");
    expect((await readPage(as.user(user), "/settings/account?done=email")).text).toContain(email);
  });

  test("change the password and end the other sessions", async () => {
    const user = await make.user({ password });
    const path = "/settings/account/password";
    const good = { currentPassword: password, newPassword: "another fine one", confirmNewPassword: "another fine one" };
    const unequal = await submit(as.user(user), path, { ...good, confirmNewPassword: "x" });
    expect([unequal.status, Boolean(wrongWith(unequal, "confirmNewPassword"))]).toEqual([400, true]);
    const short = await submit(as.user(user), path, { ...good, newPassword: "x", confirmNewPassword: "x" });
    expect([short.status, Boolean(wrongWith(short, "newPassword"))]).toEqual([400, true]);
    const wrong = await submit(as.user(user), path, { ...good, currentPassword: "wrong" });
    expect([wrong.status, Boolean(wrongWith(wrong, "currentPassword"))]).toEqual([403, true]);
    expect(wrong.text).not.toContain("another fine one");
    expect(location(await submit(as.user(user), path, good))).toBe("/settings/account?done=password");
    expect(await as.user(user).get("/api/auth/me")).toSucceed();
  });

  test("let the user choose which credentials stay with a new password, and show those that are left", async () => {
    const user = await make.user({ password });
    await link(user.id, "github");
    await write(resources, {}, (tx) => createFeedKey(tx, user.id));
    const [kept, lost] = [
      await make.token(user, { scopes: ["user_read"] }),
      await make.token(user, { scopes: ["user_read"] }),
    ];
    const page = await readPage(as.user(user), "/settings/account");
    for (const text of [`value="${kept.id}"`, `value="${lost.id}"`, 'value="feedKey"', "Linked accounts: GitHub"])
      expect(page.text).toContain(text);
    const path = "/settings/account/password";
    const fields = { newPassword: password, confirmNewPassword: password, keepTokens: [kept.id], drop: ["feedKey"] };
    // The choices stay after a mistake.
    const wrong = await submit(as.user(user), path, { ...fields, currentPassword: "wrong" });
    expect(wrong.text).toMatch(new RegExp(`value="${kept.id}" checked`));
    expect(wrong.text).not.toMatch(new RegExp(`value="${lost.id}" checked`));
    const set = await submit(as.user(user), path, { ...fields, currentPassword: password });
    expect(location(set)).toBe("/settings/account?done=password");
    const after = await readPage(as.user(user), "/settings/account?done=password");
    expect(after.text).toContain("Other ways to access your account");
    expect(after.text).toContain("1 access token<");
    expect(after.text).not.toContain("The secret URL of your personal feed");
    expect(await as.bearer(kept.value).get("/api/auth/me")).toSucceed();
    expect(await as.bearer(lost.value).get("/api/auth/me")).toFail(401);
  });

  test("need a recent sign-in if the account has no password", async () => {
    const user = await make.user();
    expect((await readPage(as.user(user), "/settings/account")).text).toContain('name="newPassword"');
    clock.advance(11 * minute);
    const page = await readPage(as.user(user), "/settings/account");
    expect(page.text).not.toContain('name="newPassword"');
    expect(page.text).toContain("/auth/sign-in?again=1&amp;next=%2Fsettings%2Faccount");
    const late = { newPassword: password, confirmNewPassword: password };
    expect(location(await submit(as.user(user), "/settings/account/password", late))).toContain("again=1");
    expect(location(await submit(as.user(user), "/settings/account/email", { email: "a@b.example" }))).toContain(
      "again=1",
    );
  });
});

describe("submitUnlink, getRemovePasswordPage and submitPasswordRemoval", () => {
  test("never remove the last way to sign in", async () => {
    const user = await make.user();
    await link(user.id, "github");
    const page = await readPage(as.user(user), "/settings/account");
    expect(page.text).toContain("ada@github.example");
    expect(page.text).not.toContain("Unlink GitHub");
    expect((await submit(as.user(user), "/settings/account/unlink", { provider: "github" })).status).toBe(409);
    expect((await submit(as.user(user), "/settings/account/unlink", { provider: "__proto__" })).status).toBe(404);
    expect((await submit(as.user(user), "/settings/account/unlink")).status).toBe(404);
  });

  test("remove one of two", async () => {
    const user = await make.user({ password });
    const removing = "/settings/account/remove-password";
    expect(heading(await readPage(as.user(user), removing))).toBe("Remove password");
    const only = await submit(as.user(user), removing, { password });
    expect([only.status, Boolean(wrongWith(only, "password"))]).toEqual([409, true]);
    await link(user.id, "github");
    expect((await readPage(as.user(user), "/settings/account")).text).toContain("Unlink GitHub");
    expect((await submit(as.user(user), removing, { password: "wrong" })).status).toBe(403);
    expect(location(await submit(as.user(user), removing, { password }))).toBe("/settings/account?done=removed");
    expect((await as.user(user).get("/api/auth/me")).body.hasAPassword).toBe(false);
  });
});

describe("getDeleteAccountPage and submitAccountDeletion", () => {
  test("delete only with the typed name and the password", async () => {
    const user = await make.user({ password });
    const path = "/settings/account/delete";
    expect((await readPage(as.user(user), path)).text).toContain(`Type &quot;${user.userName}&quot; to confirm`);
    const noName = await submit(as.user(user), path, { confirm: "yes", password });
    expect([noName.status, Boolean(wrongWith(noName, "confirm"))]).toEqual([400, true]);
    const noPassword = await submit(as.user(user), path, { confirm: user.userName, password: "" });
    expect([noPassword.status, Boolean(wrongWith(noPassword, "password"))]).toEqual([403, true]);
    expect(await as.user(user).get("/api/auth/me")).toSucceed();
    const reply = await submit(as.user(user), path, { confirm: user.userName, password });
    expect([reply.status, location(reply)]).toEqual([303, "/"]);
    expect(await as.anyone.get(`/api/user/${user.userName}`)).toFail(404);
  });

  test("refuse to delete the only administrator", async () => {
    const lonely = await testApp();
    const admin = await lonely.make.user({ role: "admin" });
    const page = await submit(lonely.as.user(admin), "/settings/account/delete", { confirm: admin.userName });
    expect([page.status, Boolean(wrongWith(page, "confirm"))]).toEqual([409, true]);
  });
});

test("exportOwnData contains everything that is stored about the user, and no secret", async () => {
  const user = await make.user({ password });
  const token = await make.token(user, { scopes: ["user_read"] });
  await link(user.id, "github");
  const feedKey = await write(resources, {}, (tx) => createFeedKey(tx, user.id));
  const reply = await as.user(user).get("/settings/account/export");
  expect(reply.headers.get("content-disposition")).toBe(`attachment; filename="modshelf-${user.userName}.json"`);
  expect(reply.body).toMatchObject({
    account: { userName: user.userName, email: user.email, hasAPassword: true },
    tokens: [{ scopes: ["user_read"] }],
    linkedAccounts: [{ provider: "github" }],
    feedKey: { dateCreated: expect.stringMatching(/Z$/) },
    trustedPublishers: [],
  });
  expect(reply.body.sessions).toHaveLength(1);
  for (const secret of ["argon2", "digest", token.value, user.sessionToken, feedKey])
    expect(reply.text).not.toContain(secret);
  expect(await (await as.token(user, { scopes: ["user_read"] })).get("/settings/account/export")).toFail(403);
});

test("exportOwnData names no project that the user may not see", async () => {
  const [user, author] = [await make.user(), await make.user()];
  const project = await makeProject(world, author);
  expect(await as.user(user).post(`/api/project/${project.id}/follow`)).toSucceed();
  const collection = { name: "Mine", visibility: "private", projects: [project.id] };
  expect(await as.user(user).post("/api/collections", collection)).toSucceed();
  const read = async () => (await as.user(user).get("/settings/account/export")).body;
  expect(await read()).toMatchObject({
    follows: [{ project: project.slug }],
    collections: [{ projects: [project.slug] }],
  });
  const renamed = `${project.slug}-secret`;
  const change = { visibility: "private", slug: renamed };
  expect(await as.user(author).patch(`/api/project/${project.id}`, change)).toSucceed();
  const after = await read();
  expect(after).toMatchObject({ follows: [{ project: null }], collections: [{ name: "Mine", projects: [] }] });
  expect(JSON.stringify(after)).not.toContain(renamed);
});

test("getChangePasswordPage redirects password managers to the account page", async () => {
  const reply = await readPage(as.anyone, "/.well-known/change-password");
  expect([reply.status, location(reply)]).toEqual([302, "/settings/account"]);
});

describe("getTokensPage, getNewTokenPage and submitNewToken", () => {
  test("create a token from a preset and show it only once", async () => {
    const user = await make.user();
    expect((await readPage(as.user(user), "/settings/pats")).text).toContain("No tokens yet");
    expect((await readPage(as.user(user), "/settings/pats/new")).text).toContain("CI publishing");
    const shown = await submit(as.user(user), "/settings/pats/new", {
      name: " Release <b> ",
      preset: "ci",
      days: "30",
    });
    expect(shown.status).toBe(200);
    expect(shown.headers.get("cache-control")).toBe("no-store");
    const value = /msp_\w{49}/.exec(shown.text)?.[0] ?? "";
    const [token] = (await as.user(user).get("/api/pat")).body;
    expect(token).toMatchObject({ name: "Release <b>" });
    expect(token.scopes).toContain("version_create");
    expect(token.scopes).not.toContain("project_delete");
    expect(await as.bearer(value).get("/api/auth/me")).toSucceed();
    const list = await readPage(as.user(user), "/settings/pats");
    expect(list.text).not.toContain(value);
    expect(list.text).toContain("Release &lt;b>");
    expect(list.text).toContain('<span title="version_create">Versions: Create</span>');
  });

  test("accept single scopes and a date", async () => {
    const user = await make.user();
    const fields = {
      name: "x",
      preset: "custom",
      days: "date",
      date: "2099-01-31",
      scope_project_write: "on",
      scope_pat_create: "on",
    };
    expect((await submit(as.user(user), "/settings/pats/new", fields)).status).toBe(200);
    const [token] = (await as.user(user).get("/api/pat")).body;
    expect(token).toMatchObject({ scopes: ["project_write"], dateExpires: "2099-01-31T00:00:00.000Z" });
  });

  test("show problems beside the fields, and keep the choices", async () => {
    const user = await make.user();
    const path = "/settings/pats/new";
    for (const [fields, field] of [
      [{ name: "  ", days: "30" }, "name"],
      [{ name: "x".repeat(80), days: "30" }, "name"],
      [{ name: "x", days: "date", date: "2001-01-01" }, "date"],
      [{ name: "x", days: "date", date: "2027-02-31" }, "dateExpires"],
      [{ name: "x", days: "date", date: "" }, "date"],
    ] as const) {
      const page = await submit(as.user(user), path, { ...fields, preset: "custom", scope_project_read: "on" });
      expect(page.status).toBe(400);
      if (field !== "dateExpires") expect(wrongWith(page, field), JSON.stringify(fields)).toBeTruthy();
      expect(page.text).toMatch(/name="scope_project_read" checked/);
    }
    expect((await as.user(user).get("/api/pat")).body).toEqual([]);
  });

  test("need a sign-in within the last ten minutes", async () => {
    const user = await make.user();
    clock.advance(11 * minute);
    expect(location(await readPage(as.user(user), "/settings/pats/new"))).toContain("again=1");
    const page = await submit(as.user(user), "/settings/pats/new", { name: "x", preset: "ci", days: "30" });
    expect([page.status, Boolean(wrongWith(page, "name"))]).toEqual([403, true]);
  });
});

describe("getTokenPage, submitToken and submitTokenRevocation", () => {
  test("change a token's name and scopes, and keep its time of expiry", async () => {
    const [user, other] = [await make.user(), await make.user()];
    const { id } = await make.token(user, { scopes: ["user_read"], dateExpires: Date.parse("2099-01-31T12:34:56Z") });
    const page = await readPage(as.user(user), `/settings/pats/${id}`);
    expect(typed(page, "date")).toBe("2099-01-31");
    expect((await readPage(as.user(other), `/settings/pats/${id}`)).status).toBe(404);
    const fields = { name: "new name", date: "2099-01-31", scope_project_read: "on" };
    expect((await submit(as.user(other), `/settings/pats/${id}`, fields)).status).toBe(404);
    expect((await submit(as.user(user), `/settings/pats/${id}`, fields)).status).toBe(303);
    expect((await as.user(user).get("/api/pat")).body[0]).toMatchObject({
      name: "new name",
      scopes: ["project_read"],
      dateExpires: "2099-01-31T12:34:56.000Z",
    });
    const bad = await submit(as.user(user), `/settings/pats/${id}`, { ...fields, date: "2000-01-01" });
    expect([bad.status, Boolean(wrongWith(bad, "date"))]).toEqual([400, true]);
  });

  test("revoke with one click, after a warning; expired tokens are marked", async () => {
    const user = await make.user();
    const { id, value } = await make.token(user, { scopes: ["user_read"] });
    await make.token(user, { scopes: [], dateExpires: clock.now() - 1000 });
    await as.bearer(value).get("/api/auth/me");
    const page = await readPage(as.user(user), "/settings/pats");
    expect(page.text).toContain("Anything that uses it stops working immediately");
    expect(page.text).toContain('<span class="pill">Expired</span>');
    const reply = await submit(as.user(user), `/settings/pats/${id}/revoke`);
    expect(location(reply)).toBe("/settings/pats?done=revoked");
    expect(await as.bearer(value).get("/api/auth/me")).toFail(401);
    expect((await submit(as.user(user), `/settings/pats/${id}/revoke`)).status).toBe(404);
  });
});

describe("getLeakedTokenPage and submitLeakedToken", () => {
  test("anyone who has the value of a token can revoke it, and its owner sees that", async () => {
    const user = await make.user();
    const { value } = await make.token(user, { scopes: ["user_read"] });
    expect((await readPage(as.anyone, "/auth/leaked-token")).status).toBe(200);
    expect((await submit(as.anyone, "/auth/leaked-token", { token: ` Bearer ${value}\n` })).status).toBe(200);
    expect(await as.bearer(value).get("/api/auth/me")).toFail(401);
    expect((await submit(as.anyone, "/auth/leaked-token", { token: value })).status).toBe(404);
    const log = await readPage(as.user(user), "/settings/security-log");
    expect(log.text).toContain("Token revoked by someone who found it");
  });

  test("nothing else is revoked by it", async () => {
    const user = await make.user();
    for (const token of ["", "x", user.sessionToken, "msp_".padEnd(53, "0"), "'; --"])
      expect((await submit(as.anyone, "/auth/leaked-token", { token })).status).toBe(404);
    expect(await as.user(user).get("/api/auth/me")).toSucceed();
  });
});
