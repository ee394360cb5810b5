import { describe, expect, test } from "vitest";
import { setSuspension } from "#accounts/users/write.js";
import { assignableScopes } from "#lib/scopes.js";
import { write } from "#platform/changes/write.js";
import { newProviderAccount, oauthApp } from "#test/setup/oauth-browser.js";

const { as, make, browser, resources, clock, provider } = await oauthApp();
const { db } = resources;
const minute = 60_000;
const password = "correct horse battery";

const linksOf = async (userId: string) =>
  (await db.selectFrom("linked_accounts").select("provider").where("user_id", "=", userId).execute()).map(
    (row) => row.provider,
  );

describe("beginLink", () => {
  test("needs a session that was signed in within the last 10 minutes", async () => {
    const user = await make.user();
    clock.advance(9 * minute);
    expect((await browser(user.sessionToken).get("/api/auth/link/github")).status).toBe(200);
    clock.advance(2 * minute);
    expect(await browser(user.sessionToken).get("/api/auth/link/github")).toFail(403, "freshSessionNeeded");
  });

  test("needs a session at all", async () => {
    expect(await as.anyone.get("/api/auth/link/github")).toFail(401, "signInNeeded");
  });
});

describe("linking", () => {
  test("an account that belongs to another user is refused", async () => {
    const visitor = newProviderAccount();
    const [first, second] = [await make.user(), await make.user()];
    expect((await browser(first.sessionToken).walk("link", "github", visitor)).status).toBe(303);
    expect(await browser(second.sessionToken).walk("link", "github", visitor)).toFail(409, "providerAccountTaken");
    expect(await linksOf(second.id)).toEqual([]);
    expect(await linksOf(first.id)).toEqual(["github"]);
  });

  test("a second account of the same provider is refused, and so is the same one again", async () => {
    const user = await make.user();
    const own = browser(user.sessionToken);
    const visitor = newProviderAccount();
    expect((await own.walk("link", "github", visitor)).status).toBe(303);
    expect(await own.walk("link", "github", newProviderAccount())).toFail(409, "providerLinked");
    expect((await own.walk("link", "github", visitor)).status).toBe(409);
    expect((await own.get("/api/auth/linked-providers")).body).toMatchObject([{ providerAccountId: visitor.id }]);
  });

  test("accounts of several providers is possible", async () => {
    const user = await make.user();
    const own = browser(user.sessionToken);
    for (const name of ["google", "discord"])
      expect((await own.walk("link", name, newProviderAccount())).status).toBe(303);
    const linked = (await own.get("/api/auth/linked-providers")).body as { providerName: string }[];
    expect(linked.map(({ providerName }) => providerName)).toEqual(["discord", "google"]);
  });

  test("an account without a verified email is refused", async () => {
    const user = await make.user();
    const reply = await browser(user.sessionToken).walk("link", "discord", newProviderAccount({ verified: false }));
    expect(reply).toFail(409, "providerEmailMissing");
    expect(await linksOf(user.id)).toEqual([]);
  });

  test("leaves the user's own email alone", async () => {
    const user = await make.user();
    const own = browser(user.sessionToken);
    await own.walk("link", "google", newProviderAccount());
    expect((await own.me()).body.email).toBe(user.email);
  });

  test("fails if the browser is signed in as another user, signed out or suspended by then", async () => {
    const endings: ((own: ReturnType<typeof browser>, userId: string) => Promise<unknown>)[] = [
      async (own) => own.cookies.set("auth-token", (await make.user()).sessionToken),
      async (own) => own.cookies.delete("auth-token"),
      async (own) => {
        const token = own.cookies.get("auth-token")!;
        await own.call("DELETE", "/api/auth/sessions");
        own.cookies.set("auth-token", token);
      },
      (_own, userId) => write(resources, { credential: "test" }, (tx) => setSuspension(tx, userId, "spam")),
    ];
    for (const end of endings) {
      const user = await make.user();
      const own = browser(user.sessionToken);
      const visitor = newProviderAccount();
      const path = await own.approve(await own.begin("link", "github"), visitor);
      await end(own, user.id);
      provider.seen.length = 0;
      expect(await own.get(path)).toFail(403, "freshSessionNeeded");
      expect(provider.seen).toEqual([]);
      expect(await browser().walk("signin", "github", visitor)).toFail(409, "providerNotKnown");
    }
  });

  test("fails if the session ends while the provider is called", async () => {
    const user = await make.user();
    const own = browser(user.sessionToken);
    const path = await own.approve(await own.begin("link", "gitlab"), newProviderAccount());
    const asked = provider.hold("profile");
    const reply = own.get(path);
    const answer = await asked;
    expect(await as.user(user).delete("/api/auth/sessions")).toSucceed();
    answer();
    expect(await reply).toFail(403, "freshSessionNeeded");
    expect(await linksOf(user.id)).toEqual([]);
  });

  test("continues in a second session of the same user", async () => {
    const user = await make.user({ password });
    const own = browser(user.sessionToken);
    const path = await own.approve(await own.begin("link", "github"), newProviderAccount());
    const signedIn = await as.anyone.post("/api/auth/signin/credential", { email: user.email, password });
    own.cookies.set("auth-token", /auth-token=([^;]+)/.exec(signedIn.headers.get("set-cookie")!)![1]!);
    expect((await own.get(path)).status).toBe(303);
    expect(await linksOf(user.id)).toEqual(["github"]);
  });
});

describe("unlinkProvider", () => {
  test("refuses to remove the last way to sign in, and allows it if a password or another provider remains", async () => {
    const own = browser();
    await own.walk("signup", "github", newProviderAccount());
    const { id } = (await own.me()).body;
    expect(await own.call("DELETE", "/api/auth/link/github")).toFail(409, "lastSignInMethod");
    await own.walk("link", "google", newProviderAccount());
    expect(await own.call("DELETE", "/api/auth/link/github")).toSucceed();
    expect(await own.call("DELETE", "/api/auth/link/google")).toFail(409, "lastSignInMethod");
    expect(await linksOf(id)).toEqual(["google"]);
    const protectedUser = await make.user({ password });
    const other = browser(protectedUser.sessionToken);
    await other.walk("link", "github", newProviderAccount());
    expect(await other.call("DELETE", "/api/auth/link/github")).toSucceed();
  });

  test("a link to a provider that is not set up here does not count as a way to sign in, and can be removed", async () => {
    const own = browser();
    await own.walk("signup", "github", newProviderAccount());
    const { id } = (await own.me()).body;
    const gone = { id: `gone-${id}`, provider: "myspace", provider_account_id: id, provider_email: null };
    await db
      .insertInto("linked_accounts")
      .values({ ...gone, user_id: id, date_linked: clock.now() })
      .execute();
    expect(await own.call("DELETE", "/api/auth/link/github")).toFail(409, "lastSignInMethod");
    expect(await own.call("DELETE", "/api/auth/link/myspace")).toSucceed();
    expect(await linksOf(id)).toEqual(["github"]);
  });

  test("two providers unlinked at the same time leave one", async () => {
    const own = browser();
    await own.walk("signup", "github", newProviderAccount());
    await own.walk("link", "google", newProviderAccount());
    const replies = await Promise.all(["github", "google"].map((name) => own.call("DELETE", `/api/auth/link/${name}`)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test("a password and the only provider removed at the same time leave one", async () => {
    const user = await make.user({ password });
    const own = browser(user.sessionToken);
    await own.walk("link", "github", newProviderAccount());
    const [removed, unlinked] = await Promise.all([
      as.user(user).delete("/api/user/password", { password }),
      own.call("DELETE", "/api/auth/link/github"),
    ]);
    expect([removed.status, unlinked.status].sort()).toEqual([200, 409]);
  });

  test.each(["github", "myspace", "__proto__"])("says that no %s account is linked", async (name) => {
    const user = await make.user({ password });
    expect(await as.user(user).delete(`/api/auth/link/${name}`)).toFail(404, "providerNotLinked");
  });

  test("needs a session, and the request to come from our own pages", async () => {
    expect(await as.anyone.delete("/api/auth/link/github")).toFail(401, "signInNeeded");
    const user = await make.user({ password });
    const own = browser(user.sessionToken);
    await own.walk("link", "github", newProviderAccount());
    const reply = await own.call("DELETE", "/api/auth/link/github", { origin: "https://evil.example" });
    expect(reply).toFail(403, "originRefused");
    expect(await linksOf(user.id)).toEqual(["github"]);
  });
});

describe("a personal access token", () => {
  test("can neither begin a link nor unlink, regardless of its scopes", async () => {
    const user = await make.user({ password });
    await browser(user.sessionToken).walk("link", "github", newProviderAccount());
    const token = await as.token(user, { scopes: assignableScopes });
    expect(await token.get("/api/auth/link/google")).toFail(403, "sessionNeeded");
    expect(await token.delete("/api/auth/link/github")).toFail(403, "sessionNeeded");
    expect(await linksOf(user.id)).toEqual(["github"]);
  });

  test("cannot finish a link, even with the cookies of the browser that began it", async () => {
    const user = await make.user();
    const own = browser(user.sessionToken);
    const path = await own.approve(await own.begin("link", "github"), newProviderAccount());
    const { value } = await make.token(user, { scopes: assignableScopes });
    expect(await own.get(path, { authorization: `Bearer ${value}` })).toFail(403, "freshSessionNeeded");
    expect(await linksOf(user.id)).toEqual([]);
  });

  test("reads the links with both scopes only (listLinkedProviders)", async () => {
    const user = await make.user();
    await browser(user.sessionToken).walk("link", "github", newProviderAccount());
    const both = await as.token(user, { scopes: ["user_read", "user_read_email"] });
    expect((await both.get("/api/auth/linked-providers")).body).toMatchObject([{ providerName: "github" }]);
    for (const scope of ["user_read", "user_read_email"] as const) {
      const one = await as.token(user, { scopes: [scope] });
      expect(await one.get("/api/auth/linked-providers")).toFail(403, "scopeMissing");
    }
    expect(await as.anyone.get("/api/auth/linked-providers")).toFail(401, "signInNeeded");
  });
});
