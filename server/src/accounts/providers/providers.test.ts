import { describe, expect, test } from "vitest";
import { siteUrl, testApp } from "#test/server/harness.js";
import { newProviderAccount, oauthApp } from "#test/setup/oauth-browser.js";
import { providerNames } from "#test/setup/oauth-provider.js";

const { as, make, browser, provider, resources, clock } = await oauthApp();
const { db } = resources;

describe.each(providerNames)("with %s", (name) => {
  test("a visitor signs up, and later signs in from another browser", async () => {
    const visitor = newProviderAccount({ email: `Mixed.Case-${name}@Example.com` });
    const first = browser();
    const reply = await first.walk("signup", name, visitor);
    expect(reply.status).toBe(303);
    expect(reply.headers.get("location")).toBe("/");
    expect(reply.headers.get("cache-control")).toBe("private, no-store");
    const me = (await first.me()).body;
    expect(me).toMatchObject({
      userName: visitor.name,
      email: `mixed.case-${name}@example.com`,
      role: "user",
      hasAPassword: false,
    });

    const second = browser();
    const again = await second.walk("signin", name, { ...visitor, email: null });
    expect(again.status).toBe(303);
    expect(again.headers.get("location")).toBe("/");
    expect((await second.me()).body.id).toBe(me.id);
    const sessions = (await second.get("/api/auth/sessions")).body;
    expect(sessions).toHaveLength(2);
    expect(sessions).toMatchObject([{ providerName: name }, { providerName: name }]);
    const { email_verified } = await db
      .selectFrom("users")
      .select("email_verified")
      .where("id", "=", me.id)
      .executeTakeFirstOrThrow();
    expect(email_verified).toBe(1);
  });

  test("a user links an account, sees it, signs in with it and unlinks it", async () => {
    const user = await make.user({ password: "correct horse battery" });
    const visitor = newProviderAccount();
    const own = browser(user.sessionToken);
    const reply = await own.walk("link", name, visitor);
    expect(reply.status).toBe(303);
    expect(reply.headers.get("location")).toBe("/settings/account");
    expect(own.cookies.get("auth-token")).toBe(user.sessionToken);
    const linked = await own.get("/api/auth/linked-providers");
    expect(linked).toSucceed();
    expect(linked.body).toEqual([
      {
        id: expect.any(String),
        providerName: name,
        providerAccountId: visitor.id,
        providerAccountEmail: visitor.email,
      },
    ]);

    const elsewhere = browser();
    expect((await elsewhere.walk("signin", name, visitor)).status).toBe(303);
    expect((await elsewhere.me()).body.id).toBe(user.id);

    expect(await own.call("DELETE", `/api/auth/link/${name}`)).toSucceed();
    expect((await own.get("/api/auth/linked-providers")).body).toEqual([]);
    expect(await browser().walk("signin", name, visitor)).toFail(409, "providerNotKnown");
  });

  test("beginSignIn sends the browser to the provider with state and PKCE, and no secret of this site", async () => {
    const page = new URL(await browser().begin("signin", name));
    expect(Object.fromEntries(page.searchParams)).toEqual({
      response_type: "code",
      client_id: `${name}-client`,
      redirect_uri: `${siteUrl}/auth/callback/${name}`,
      scope: provider.table[name].scope,
      state: expect.stringMatching(/^msc_\w{49}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
  });
});

describe("listProviders", () => {
  test("lists the configured providers for every caller", async () => {
    const reply = await as.anyone.get("/api/auth/providers");
    expect(reply).toSucceed();
    expect(reply.body).toEqual(["github", "gitlab", "discord", "google"]);
  });

  test("lists only these, and the others do not exist", async () => {
    const { MODSHELF_OAUTH_DISCORD_CLIENT_ID, MODSHELF_OAUTH_DISCORD_CLIENT_SECRET } = provider.settings;
    const few = await testApp({
      settings: {
        MODSHELF_OAUTH_DISCORD_CLIENT_ID: MODSHELF_OAUTH_DISCORD_CLIENT_ID!,
        MODSHELF_OAUTH_DISCORD_CLIENT_SECRET: MODSHELF_OAUTH_DISCORD_CLIENT_SECRET!,
      },
    });
    expect((await few.as.anyone.get("/api/auth/providers")).body).toEqual(["discord"]);
    const known = await few.as.anyone.get("/api/auth/signin/discord");
    expect(new URL(known.body.url).origin).toBe("https://discord.com");
    for (const path of ["/api/auth/signin/github", "/api/auth/signup/github", "/auth/callback/github?state=x&code=y"])
      expect(await few.as.anyone.get(path)).toFail(404, "providerUnknown");
    const user = few.as.user(await few.make.user());
    expect(await user.get("/api/auth/link/github")).toFail(404, "providerUnknown");
    await few.stop();
  });
});

describe("beginning", () => {
  test("beginSignUp answers the URL as JSON, or as a redirect if requested", async () => {
    const json = await as.anyone.get("/api/auth/signup/github");
    expect(json).toSucceed();
    expect(json.body).toEqual({ success: true, url: expect.stringContaining("/login/oauth/authorize?") });
    expect(json.headers.get("cache-control")).toBe("private, no-store");
    const redirect = await as.anyone.get("/api/auth/signup/github?redirect=true");
    expect(redirect.status).toBe(302);
    expect(redirect.headers.get("location")).toBe(redirect.body.url);
    expect((await as.anyone.get("/api/auth/signup/github?redirect=false")).status).toBe(200);
    expect(await as.anyone.get("/api/auth/signup/github?redirect=maybe")).toFail(400, "invalidRequest");
  });

  test.each(["myspace", "GitHub", "constructor", "__proto__", "toString", "%00", "..%2f", "x".repeat(65)])(
    "there is no provider %s",
    async (name) => {
      const reply = await as.anyone.get(`/api/auth/signin/${name}`);
      expect(reply.status).toBeOneOf([400, 404]);
      expect(reply).toFail(reply.status);
      expect(reply.headers.getSetCookie()).toEqual([]);
    },
  );

  test("the browser's cookie is short-lived and not readable by scripts", async () => {
    const reply = await as.anyone.get("/api/auth/signin/github");
    expect(reply.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^oauth-browser=msc_\w{49}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/),
    ]);
  });

  test("over https the cookie is bound to this exact host", async () => {
    const url = "https://modshelf.test";
    const https = await oauthApp({ settings: { MODSHELF_URL: url } });
    const [line = ""] = (await https.as.anyone.get("/api/auth/signin/github")).headers.getSetCookie();
    expect(line).toMatch(/^__Host-oauth-browser=msc_\w{49}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/);
    await https.stop();
  });

  test("neither state nor cookie are stored, and the flow ends after 10 minutes", async () => {
    const own = browser();
    const page = new URL(await own.begin("signin", "google"));
    const dump = JSON.stringify(await db.selectFrom("oauth_flows").selectAll().execute());
    const secrets = [page.searchParams.get("state")!, own.cookies.get("oauth-browser")!];
    for (const secret of secrets) expect(dump).not.toContain(secret);
    const last = await db
      .selectFrom("oauth_flows")
      .select("date_expires")
      .orderBy("date_expires", "desc")
      .executeTakeFirstOrThrow();
    expect(Math.abs(last.date_expires - clock.now() - 600_000)).toBeLessThan(5000);
  });
});

describe("remembering", () => {
  const actsOf = (userId: string) =>
    db
      .selectFrom("audit_log")
      .select(["action", "actor_id", "detail"])
      .where((or) => or.or([or("object_id", "=", userId), or("actor_id", "=", userId)]))
      .orderBy("id")
      .execute();

  test("sign-up, sign-in, link and unlink are in the audit log, without a secret", async () => {
    const visitor = newProviderAccount();
    const own = browser();
    await own.walk("signup", "github", visitor);
    const { id } = (await own.me()).body;
    await own.walk("signin", "github", visitor);
    await own.walk("link", "discord", newProviderAccount());
    await own.call("DELETE", "/api/auth/link/discord");
    const acts = await actsOf(id);
    expect(acts.map(({ action }) => action)).toEqual([
      "user.create",
      "user.provider.link",
      "session.create",
      "user.provider.link",
      "user.provider.unlink",
    ]);
    expect(JSON.parse(acts[1]!.detail)).toEqual({ provider: "github", accountId: visitor.id });
    expect(acts[2]).toMatchObject({ actor_id: id });
    expect(JSON.stringify(acts)).not.toMatch(/ms[psc]_/);
  });

  test("the change log names the user whose links have changed", async () => {
    const user = await make.user({ password: "correct horse battery" });
    const countChanges = async () =>
      (
        await db
          .selectFrom("changes")
          .select("seq")
          .where("kind", "=", "user")
          .where("object_id", "=", user.id)
          .execute()
      ).length;
    const before = await countChanges();
    const own = browser(user.sessionToken);
    await own.walk("link", "gitlab", newProviderAccount());
    expect(await countChanges()).toBe(before + 1);
    await own.call("DELETE", "/api/auth/link/gitlab");
    expect(await countChanges()).toBe(before + 2);
  });
});
