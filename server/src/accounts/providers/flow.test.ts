import { describe, expect, test } from "vitest";
import { newSecretToken } from "#lib/secret-token.js";
import { siteUrl } from "#test/server/harness.js";
import { newProviderAccount, type OAuthBrowser, oauthApp } from "#test/setup/oauth-browser.js";
import { canary } from "#test/setup/oauth-provider.js";

const { as, make, browser, provider, resources, clock } = await oauthApp();
const { db, random } = resources;
const minute = 60_000;

const isSignedIn = async (own: OAuthBrowser) => (await own.me()).status === 200;
const countFlows = async () => (await db.selectFrom("oauth_flows").select("provider").execute()).length;
const countUsers = async () => (await db.selectFrom("users").select("id").execute()).length;

/** A browser whose visitor has approved at the provider, and the path that the provider redirects to. */
async function approved(intent: "signin" | "signup" = "signup", name = "github") {
  const own = browser();
  const visitor = newProviderAccount();
  return { own, visitor, path: await own.approve(await own.begin(intent, name), visitor) };
}

const withQuery = (path: string, change: (query: URLSearchParams) => void) => {
  const url = new URL(path, siteUrl);
  change(url.searchParams);
  return url.pathname + url.search;
};

describe("finishWithProvider refuses", () => {
  test("a state that was used before, even by the same browser", async () => {
    const { own, path } = await approved();
    expect((await own.get(path)).status).toBe(303);
    const users = await countUsers();
    own.cookies.delete("auth-token");
    expect(await own.get(path)).toFail(400, "providerRefused");
    expect(await isSignedIn(own)).toBe(false);
    expect(await countUsers()).toBe(users);
  });

  test("two arrivals with one state: one wins", async () => {
    const { own, path } = await approved();
    const users = await countUsers();
    const replies = await Promise.all(Array.from({ length: 5 }, () => own.get(path)));
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 400, 400, 400, 400]);
    expect(await countUsers()).toBe(users + 1);
  });

  test("a state after its 10 minutes, and not before", async () => {
    const early = await approved();
    const late = await approved();
    clock.advance(10 * minute - 5000);
    expect((await early.own.get(early.path)).status).toBe(303);
    clock.advance(6000);
    expect(await late.own.get(late.path)).toFail(400, "providerRefused");
    expect(await isSignedIn(late.own)).toBe(false);
  });

  test("a state in another browser, and uses it up for the right one", async () => {
    const { own, path } = await approved();
    for (const stranger of [browser(), browser()]) {
      await stranger.begin("signin", "github");
      expect(await stranger.get(path)).toFail(400, "providerRefused");
      expect(await isSignedIn(stranger)).toBe(false);
    }
    expect(await own.get(path)).toFail(400, "providerRefused");
  });

  test("a browser without its cookie, or with a wrong one", async () => {
    for (const value of [undefined, "", "x", newSecretToken("msc_", random), newSecretToken("mss_", random)]) {
      const { own, path } = await approved();
      if (value === undefined) own.cookies.delete("oauth-browser");
      else own.cookies.set("oauth-browser", value);
      expect(await own.get(path)).toFail(400, "providerRefused");
      expect(await isSignedIn(own)).toBe(false);
    }
  });

  test("the state of one provider at another, without calling that provider", async () => {
    const { own, path } = await approved("signup", "github");
    provider.seen.length = 0;
    expect(await own.get(path.replace("/github", "/gitlab"))).toFail(400, "providerRefused");
    expect(await own.get(path)).toFail(400, "providerRefused");
    expect(provider.seen).toEqual([]);
  });

  test("a visitor who declined at the provider, without repeating the provider's message", async () => {
    const own = browser();
    const path = await own.approve(await own.begin("signup", "discord"), undefined);
    expect(path).toContain(canary);
    provider.seen.length = 0;
    const reply = await own.get(path);
    expect(reply).toFail(400, "providerRefused");
    expect(reply.text).not.toContain(canary);
    expect(provider.seen).toEqual([]);
    expect(await isSignedIn(own)).toBe(false);
  });

  test("an error together with a valid code", async () => {
    const { own, path } = await approved();
    expect(await own.get(`${path}&error=access_denied`)).toFail(400, "providerRefused");
    expect(await own.get(path)).toFail(400, "providerRefused");
  });

  test("a code that was used in another sign-in", async () => {
    const first = await approved();
    const code = new URL(first.path, siteUrl).searchParams.get("code")!;
    expect((await first.own.get(first.path)).status).toBe(303);
    const second = await approved();
    const path = withQuery(second.path, (query) => query.set("code", code));
    expect(await second.own.get(path)).toFail(400, "providerRefused");
    expect(await isSignedIn(second.own)).toBe(false);
  });

  test("a code that another visitor got, because PKCE binds it to their sign-in", async () => {
    const victim = await approved();
    const code = new URL(victim.path, siteUrl).searchParams.get("code")!;
    const thief = await approved();
    const path = withQuery(thief.path, (query) => query.set("code", code));
    expect(await thief.own.get(path)).toFail(400, "providerRefused");
    expect(await isSignedIn(thief.own)).toBe(false);
  });

  test.each([
    ["no query at all", () => "/auth/callback/github", 400],
    ["no state", (path: string) => withQuery(path, (query) => query.delete("state")), 400],
    ["an empty state", (path: string) => withQuery(path, (query) => query.set("state", "")), 400],
    ["a made-up state", (path: string) => withQuery(path, (query) => query.set("state", "x")), 400],
    [
      "a state that looks right",
      (path: string) => withQuery(path, (query) => query.set("state", newSecretToken("msc_", random))),
      400,
    ],
    ["no code", (path: string) => withQuery(path, (query) => query.delete("code")), 400],
    ["an empty code", (path: string) => withQuery(path, (query) => query.set("code", "")), 400],
    ["two codes", (path: string) => `${path}&code=x`, 400],
    ["two states", (path: string) => `${path}&state=x`, 400],
    ["a huge code", (path: string) => withQuery(path, (query) => query.set("code", "x".repeat(5000))), 400],
    ["a code with a line break", (path: string) => withQuery(path, (query) => query.set("code", "a\r\nb: c")), 400],
    ["a provider that does not exist", (path: string) => path.replace("/github", "/myspace"), 404],
  ])("%s", async (_what, change, status) => {
    const { own, path } = await approved();
    expect(await own.get(change(path))).toFail(status);
    expect(await isSignedIn(own)).toBe(false);
  });

  test("with a page if a person is at the browser", async () => {
    const { own, path } = await approved("signin");
    const reply = await own.get(path, { accept: "text/html,*/*;q=0.8" });
    expect(reply.status).toBe(409);
    expect(reply.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(reply.headers.get("cache-control")).toBe("no-store");
    expect(reply.text).toContain("Sign up with it first");
  });

  test("to redirect to a URL from the request", async () => {
    const { own, path } = await approved();
    const hostile = encodeURIComponent("https://evil.example/");
    const names = ["redirect", "redirect_uri", "redirectTo", "return_to", "next", "url", "continue"];
    const reply = await own.get(`${path}&${names.map((name) => `${name}=${hostile}`).join("&")}`, {
      host: "evil.example",
      "x-forwarded-host": "evil.example",
      referer: "https://evil.example/",
    });
    expect(reply.status).toBe(303);
    expect(reply.headers.get("location")).toBe("/");
    const begun = await as.anyone.get(`/api/auth/signin/github?redirect_uri=${hostile}&next=${hostile}`, {
      headers: { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" },
    });
    expect(begun.body.url).not.toContain("evil");
  });
});

describe("beginning", () => {
  const isRefused: Record<string, string>[] = [
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "nonsense" },
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: `${siteUrl}.evil.example` },
    { origin: "https://modshelf.test" },
    { origin: "https://evil.example", "sec-fetch-site": "same-origin" },
  ];
  test.each(isRefused)("on another site is refused: %j", async (headers) => {
    const user = await make.user();
    const flows = await countFlows();
    for (const intent of ["signin", "signup", "link"]) {
      const reply = await browser(user.sessionToken).get(`/api/auth/${intent}/github?redirect=true`, headers);
      expect(reply).toFail(403, "originRefused");
      expect(reply.headers.getSetCookie()).toEqual([]);
    }
    expect(await countFlows()).toBe(flows);
  });

  const isAllowed: Record<string, string>[] = [
    {},
    { "sec-fetch-site": "same-origin" },
    { "sec-fetch-site": "none" },
    { origin: siteUrl, "sec-fetch-site": "same-origin" },
  ];
  test.each(isAllowed)("on our own pages is allowed: %j", async (headers) => {
    const { sessionToken } = await make.user();
    for (const intent of ["signin", "signup", "link"])
      expect((await browser(sessionToken).get(`/api/auth/${intent}/github?redirect=true`, headers)).status).toBe(302);
  });

  test("in two tabs of one browser lets both finish", async () => {
    const own = browser();
    const visitor = newProviderAccount();
    const first = await own.begin("signup", "github");
    const second = await own.begin("signup", "github");
    expect(first).not.toBe(second);
    expect((await own.get(await own.approve(first, visitor))).status).toBe(303);
    expect((await own.get(await own.approve(second, visitor))).status).toBe(303);
  });

  test("with a cookie that this server did not set gets a new one", async () => {
    const own = browser();
    own.cookies.set("oauth-browser", "fixed-by-somebody");
    await own.begin("signin", "github");
    expect(own.cookies.get("oauth-browser")).toMatch(/^msc_\w{49}$/);
  });
});

test("every sign-in starts a new session, and a signed-in visitor switches to the account they sign in with", async () => {
  const user = await make.user();
  const visitor = newProviderAccount();
  await browser().walk("signup", "github", visitor);
  const own = browser(user.sessionToken);
  expect((await own.walk("signin", "github", visitor)).status).toBe(303);
  expect(own.cookies.get("auth-token")).not.toBe(user.sessionToken);
  expect((await own.me()).body.userName).toBe(visitor.name);
});

test("beginSignUp and beginSignIn remember the path of this site to go to at the end, and never go anywhere else", async () => {
  for (const [next, landing] of [
    ["/project/lamps?tab=1", "/project/lamps?tab=1"],
    ["//evil.example", "/"],
    ["https://evil.example", "/"],
    ["/\\evil.example", "/"],
  ] as const) {
    const own = browser();
    const begun = await own.get(`/api/auth/signup/github?next=${encodeURIComponent(next)}`);
    const arrival = await own.get(await own.approve(begun.body.url, newProviderAccount()));
    expect([arrival.status, arrival.headers.get("location")]).toEqual([303, landing]);
  }
});
