// Sign-in providers are set up on the web: they appear at once, their secrets are never shown, and no change locks every
// administrator out.
import { describe, expect, test } from "vitest";
import { type Fields, submit, typed, wrongWith } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";
import { look } from "#test/worlds/desk-world.js";

const world = await testApp({
  settings: { MODSHELF_OAUTH_DISCORD_CLIENT_ID: "discord-id", MODSHELF_OAUTH_DISCORD_CLIENT_SECRET: "k3y-of-discord" },
});
const { as, make, resources, clock } = world;
const { db, config } = resources;
const admin = await make.user({ role: "admin" });
const office = as.user(admin);
const path = "/admin/settings/sign-in";
const secret = "s3cr3t-of-the-app";

async function save(provider: string, fields: Fields, action = `${path}/${provider}`) {
  const stamp = typed(await look(office, `${path}/${provider}`), "stamp") ?? "";
  return submit(office, action, { stamp, ...fields });
}

const offered = async () => (await as.anyone.get("/api/auth/providers")).body as string[];

test("getProvidersPage, getProviderPage, submitProvider and submitProviderRemoval are only for administrators", async () => {
  const moderator = as.user(await make.user({ role: "moderator" }));
  for (const page of [path, `${path}/github`]) expect((await look(moderator, page)).status).toBe(404);
  for (const action of [`${path}/github`, `${path}/github/remove`]) {
    expect((await submit(moderator, action)).status).toBe(404);
    expect((await submit(as.anyone, action)).status).toBe(401);
  }
  expect((await look(office, `${path}/facebook`)).status).toBe(404);
  expect((await submit(office, `${path}/facebook`)).status).toBe(404);
});

describe("submitProvider", () => {
  test("lists all providers with their state, and shows the URL to register", async () => {
    const { text } = await look(office, path);
    expect(text).toMatch(/<b>GitHub<\/b><span><span class="pill">not set up<.*<b>Discord<\/b><span><span[^>]*>on</s);
    expect((await look(office, `${path}/github`)).text).toContain(`${config.http.url}/auth/callback/github</code>`);
  });

  test("a provider appears at once and on other servers, and its secret is never shown", async () => {
    const second = await testApp({ sharedWith: world });
    expect((await save("github", { clientId: "github-id", clientSecret: secret, isOn: "on" })).status).toBe(303);
    expect(await offered()).toEqual(["github", "discord"]);
    expect((await look(as.anyone, "/auth/sign-in")).text).toContain("GitHub");
    await second.resources.changeLog.catchUp();
    await expect.poll(() => second.config.oauth.github?.clientSecret).toBe(secret);
    await second.stop();
    const { text } = await look(office, `${path}/github`);
    expect(text).toContain('value="github-id"');
    expect(text).toContain("A secret is stored");
    expect(text).toContain('href="/api/auth/signin/github?redirect=true');
    const rows = [
      await db.selectFrom("settings").selectAll().execute(),
      await db.selectFrom("sealed_settings").selectAll().execute(),
      await db.selectFrom("audit_log").select("detail").execute(),
    ];
    for (const place of [text, JSON.stringify(rows), (await look(office, "/admin/settings/all")).text])
      expect(place).not.toContain(secret);
  });

  test.each<[string, string, Fields]>([
    ["google", "clientSecret", { clientId: "google-id" }],
    ["google", "clientSecret", { clientId: "google-id", clientSecret: "changeme" }],
    ["google", "clientId", { clientId: "two words", clientSecret: secret }],
    ["google", "clientId", { clientId: "", clientSecret: secret }],
    ["gitlab", "url", { clientId: "gitlab-id", clientSecret: secret, url: "ftp://git.example" }],
    ["github", "clientSecret", { clientId: "another-id" }],
  ])("%s: the form comes back if %s is wrong: %j", async (provider, field, fields) => {
    const before = JSON.stringify(config.oauth);
    const page = await save(provider, { isOn: "on", ...fields });
    expect(page.status).toBe(400);
    expect(wrongWith(page, field)).toMatch(/\w/);
    expect(page.text).not.toContain(secret);
    expect(JSON.stringify(config.oauth)).toBe(before);
  });

  test("a stored secret stays for the same client, and never goes to another GitLab", async () => {
    await save("gitlab", { clientId: "gitlab-id", clientSecret: secret, url: "https://gitlab.com", isOn: "on" });
    expect(config.oauth.gitlab).toEqual({ clientId: "gitlab-id", clientSecret: secret, url: "https://gitlab.com" });
    const page = await save("gitlab", { clientId: "gitlab-id", url: "https://attacker.example", isOn: "on" });
    expect(wrongWith(page, "clientSecret")).toContain("entered again");
    expect((await save("gitlab", { clientId: "gitlab-id", url: "" })).status).toBe(303);
    expect(await offered()).toEqual(["github", "discord"]);
    expect((await save("gitlab", { clientId: "gitlab-id", url: "", isOn: "on" })).status).toBe(303);
    expect(config.oauth.gitlab?.clientSecret).toBe(secret);
  });

  test("a provider of the environment is fixed, but can be switched off", async () => {
    const { text } = await look(office, `${path}/discord`);
    expect(text).toContain("Set by MODSHELF_OAUTH_DISCORD_CLIENT_ID in the environment");
    expect(text).not.toContain('name="clientId"');
    expect((await save("discord", { clientId: "mine", clientSecret: "mine" })).status).toBe(303);
    expect(config.oauth.discord).toBeUndefined();
    expect((await save("discord", { isOn: "on" })).status).toBe(303);
    expect(config.oauth.discord).toEqual({ clientId: "discord-id", clientSecret: "k3y-of-discord" });
    expect((await save("discord", {}, `${path}/discord/remove`)).status).toBe(303);
    expect(config.oauth.discord).toBeDefined();
  });

  test("the last way for an administrator to sign in stays", async () => {
    const link = { id: "link", provider: "github", provider_account_id: "1", provider_email: null, date_linked: 1 };
    await db
      .insertInto("linked_accounts")
      .values({ ...link, user_id: admin.id })
      .execute();
    await db.updateTable("users").set({ password_hash: null }).where("role", "=", "admin").execute();
    for (const [action, fields] of [
      ["", { clientId: "github-id" }],
      ["/remove", {}],
    ] as const) {
      const page = await save("github", fields, `${path}/github${action}`);
      expect([page.status, page.text.includes("no administrator could sign in")]).toEqual([400, true]);
    }
    expect(config.oauth.github).toBeDefined();
    // Another provider does not matter.
    expect((await save("gitlab", {}, `${path}/gitlab/remove`)).status).toBe(303);
    await db.updateTable("users").set({ password_hash: "any" }).where("id", "=", admin.id).execute();
  });

  test("needs a recent sign-in, like the removal", async () => {
    clock.advance(11 * 60 * 1000);
    const { text } = await look(office, `${path}/github`);
    expect(text).toContain("Sign in again");
    expect(text).not.toContain('name="clientId"');
    for (const action of [`${path}/github`, `${path}/github/remove`])
      expect((await submit(office, action, { clientId: "x", clientSecret: "y" })).status).toBe(403);
    expect(config.oauth.github?.clientId).toBe("github-id");
    await make.confirmed(admin);
  });
});

test("submitProviderRemoval deletes the client and its secret", async () => {
  expect((await save("github", {}, `${path}/github/remove`)).status).toBe(303);
  expect(await offered()).toEqual(["discord"]);
  expect(await db.selectFrom("sealed_settings").selectAll().execute()).toEqual([]);
});
