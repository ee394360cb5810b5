import { describe, expect, test } from "vitest";
import { createInviteCode } from "#accounts/users/invite-codes.js";
import { setSuspension } from "#accounts/users/write.js";
import { write } from "#platform/changes/write.js";
import { uniqueName } from "#test/server/harness.js";
import { newProviderAccount, oauthApp } from "#test/setup/oauth-browser.js";
import { providerNames } from "#test/setup/oauth-provider.js";

const { make, browser, resources } = await oauthApp();
const { db } = resources;

const countUsers = async () => (await db.selectFrom("users").select("id").execute()).length;
const suspend = (userId: string) => write(resources, { credential: "test" }, (tx) => setSuspension(tx, userId, "spam"));

async function signUpAs(name: string): Promise<string> {
  const own = browser();
  const reply = await own.walk("signup", "google", newProviderAccount({ name }));
  expect(reply.status).toBe(303);
  return (await own.me()).body.userName;
}

describe("the username", () => {
  test("is the provider's name in our grammar", async () => {
    const tail = uniqueName("").slice(1);
    expect(await signUpAs(`Zoë ${tail}`)).toBe(`Zoe-${tail}`);
  });

  test("gets a suffix if it is taken, in any case", async () => {
    const { userName } = await make.user();
    expect(await signUpAs(userName.toUpperCase())).toMatch(new RegExp(`^${userName.toUpperCase()}-[0-9a-z]{5}$`));
  });

  test("gets a suffix and is shortened if it is taken and long", async () => {
    const long = uniqueName("a".repeat(19));
    expect(long).toHaveLength(32);
    expect(await signUpAs(long)).toBe(long);
    expect(await signUpAs(long)).toMatch(new RegExp(`^${long.slice(0, 26)}-[0-9a-z]{5}$`));
  });

  test.each(["admin", "Moderator", "SYSTEM", "deleted_user", "user"])("is never the reserved %s", async (name) => {
    expect(await signUpAs(name)).toMatch(new RegExp(`^${name}-[0-9a-z]{5}$`));
  });

  test.each(["", "   ", "李雷", "🎮🎮", "-", "../..", "\u0000"])("is made up where %j leaves nothing", async (name) => {
    expect(await signUpAs(name)).toMatch(/^member-[0-9a-z]{5}$/);
  });

  test("is lengthened if one letter remains", async () => {
    expect(await signUpAs("x")).toMatch(/^x-[0-9a-z]{5}$/);
  });
});

describe("signing up", () => {
  test.each(providerNames)("needs an email that %s has verified", async (name) => {
    const users = await countUsers();
    for (const more of [{ verified: false }, { email: null }]) {
      const own = browser();
      const visitor = newProviderAccount(more);
      expect(await own.walk("signup", name, visitor)).toFail(409, "providerEmailMissing");
      expect(own.cookies.has("auth-token")).toBe(false);
    }
    expect(await countUsers()).toBe(users);
  });

  test("never links an account that has the same email", async () => {
    const user = await make.user();
    const own = browser();
    const visitor = newProviderAccount({ email: user.email.toUpperCase() });
    expect(await own.walk("signup", "github", visitor)).toFail(409, "emailTaken");
    expect(own.cookies.has("auth-token")).toBe(false);
    expect(await browser().walk("signin", "github", visitor)).toFail(409, "providerNotKnown");
    const links = await db.selectFrom("linked_accounts").select("id").where("user_id", "=", user.id).execute();
    expect(links).toEqual([]);
  });

  test("with an account that is already linked signs in", async () => {
    const visitor = newProviderAccount();
    const first = browser();
    await first.walk("signup", "gitlab", visitor);
    const users = await countUsers();
    const second = browser();
    expect((await second.walk("signup", "gitlab", { ...visitor, verified: false })).status).toBe(303);
    expect((await second.me()).body.id).toBe((await first.me()).body.id);
    expect(await countUsers()).toBe(users);
  });

  test("in several browsers at the same time creates one user", async () => {
    const visitor = newProviderAccount();
    const users = await countUsers();
    const browsers = Array.from({ length: 6 }, () => browser());
    const replies = await Promise.all(browsers.map((own) => own.walk("signup", "discord", visitor)));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 303));
    const ids = await Promise.all(browsers.map(async (own) => (await own.me()).body.id));
    expect(new Set(ids).size).toBe(1);
    expect(await countUsers()).toBe(users + 1);
  });

  test("by several visitors with the same name at the same time creates an account for each", async () => {
    const name = uniqueName("same");
    const pages = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const own = browser();
        return { own, page: await own.begin("signup", "github") };
      }),
    );
    const paths: { own: (typeof pages)[number]["own"]; path: string }[] = [];
    for (const { own, page } of pages) paths.push({ own, path: await own.approve(page, newProviderAccount({ name })) });
    const replies = await Promise.all(paths.map(({ own, path }) => own.get(path)));
    expect(replies.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    const names = await Promise.all(paths.map(async ({ own }) => (await own.me()).body.userName));
    expect(new Set(names).size).toBe(4);
    expect(names).toContain(name);
  });

  test("the same id at two providers is two accounts", async () => {
    const visitor = newProviderAccount();
    await browser().walk("signup", "github", visitor);
    expect(await browser().walk("signin", "gitlab", visitor)).toFail(409, "providerNotKnown");
  });
});

describe("signing in", () => {
  test("never makes an account", async () => {
    const users = await countUsers();
    const own = browser();
    expect(await own.walk("signin", "google", newProviderAccount())).toFail(409, "providerNotKnown");
    expect(own.cookies.has("auth-token")).toBe(false);
    expect(await countUsers()).toBe(users);
  });

  test.each(["signin", "signup"] as const)("is refused to a suspended user (%s)", async (intent) => {
    const visitor = newProviderAccount();
    const first = browser();
    await first.walk("signup", "github", visitor);
    await suspend((await first.me()).body.id);
    const own = browser();
    expect(await own.walk(intent, "github", visitor)).toFail(403, "accountSuspended");
    expect(own.cookies.has("auth-token")).toBe(false);
    expect((await first.me()).status).toBe(401);
  });

  test("with the account of a deleted user fails, and the account can be linked again", async () => {
    const visitor = newProviderAccount();
    const own = browser();
    await own.walk("signup", "google", visitor);
    const { id } = (await own.me()).body;
    expect(await own.call("DELETE", "/api/user")).toSucceed();
    expect(await browser().walk("signin", "google", visitor)).toFail(409, "providerNotKnown");
    const again = browser();
    expect((await again.walk("signup", "google", visitor)).status).toBe(303);
    expect((await again.me()).body.id).not.toBe(id);
  });
});

test("while registration is closed, no new visitor can sign up, and a linked user can sign in", async () => {
  const closed = await oauthApp({ settings: { MODSHELF_REGISTRATION: "closed" } });
  const visitor = newProviderAccount();
  const own = closed.browser();
  expect(await own.walk("signup", "github", visitor)).toFail(403, "registrationClosed");
  expect(own.cookies.has("auth-token")).toBe(false);
  expect(await own.walk("signup", "github", visitor, { invite: "msc_wrong" })).toFail(403, "registrationClosed");
  const invited = newProviderAccount();
  const admin = await closed.make.user({ role: "admin" });
  const invite = await write(closed.resources, { credential: "test" }, (tx) =>
    createInviteCode(tx, admin.id, { note: "", uses: 1, days: "7" }),
  );
  expect((await closed.browser().walk("signup", "github", invited, { invite })).status).toBe(303);
  expect((await closed.browser().walk("signin", "github", invited)).status, "there is an account now").toBe(303);
  expect(await closed.browser().walk("signup", "google", newProviderAccount(), { invite })).toFail(
    403,
    "inviteCodeInvalid",
  );
  const user = await closed.make.user();
  expect((await closed.browser(user.sessionToken).walk("link", "github", visitor)).status).toBe(303);
  expect((await closed.browser().walk("signup", "github", visitor)).status).toBe(303);
  expect((await closed.browser().walk("signin", "github", visitor)).status).toBe(303);
  await closed.stop();
});
