// A client posts the provider's code that it took from the redirect URL itself (earlier-service 4.2).
import { describe, expect, test } from "vitest";
import { siteUrl } from "#test/server/harness.js";
import { newProviderAccount, type OAuthBrowser, oauthApp } from "#test/setup/oauth-browser.js";

const { browser, make } = await oauthApp();

type Intent = "signin" | "signup" | "link";

async function approve(own: OAuthBrowser, intent: Intent, visitor = newProviderAccount()) {
  const path = await own.approve(await own.begin(intent, "github"), visitor);
  return Object.fromEntries(new URL(path, siteUrl).searchParams);
}

const post = (own: OAuthBrowser, intent: Intent, body: object, headers = {}) =>
  own.call(
    "POST",
    `/api/auth/${intent}/github`,
    { "content-type": "application/json", ...headers },
    JSON.stringify(body),
  );

describe("finishSignUp, finishSignIn and finishLink", () => {
  test("make an account, sign in to it, and link another provider's account", async () => {
    const visitor = newProviderAccount();
    const first = browser();
    expect((await post(first, "signup", await approve(first, "signup", visitor))).body).toEqual({
      success: true,
      message: expect.any(String),
    });
    const { id } = (await first.me()).body;
    const second = browser();
    expect(await post(second, "signin", await approve(second, "signin", visitor))).toSucceed();
    expect((await second.me()).body.id).toBe(id);
    const own = browser((await make.user()).sessionToken);
    expect(await post(own, "link", await approve(own, "link"))).toSucceed();
    expect((await own.get("/api/auth/linked-providers")).body).toHaveLength(1);
  });

  test("refuse a code from a sign-in that this browser did not begin, for another purpose, or used before", async () => {
    const own = browser();
    const answer = await approve(own, "signup");
    expect(await post(browser(), "signup", answer)).toFail(400, "providerRefused");
    expect(await post(own, "signup", answer)).toFail(400, "providerRefused");
    expect(await post(own, "signin", await approve(own, "signup"))).toFail(400, "providerRefused");
    expect(await post(own, "signup", { ...(await approve(own, "signup")), state: "x" })).toFail(400, "providerRefused");
    for (const { code, state } of [await approve(own, "signup")])
      for (const body of [{ code }, { state }, {}, { code: null, state }])
        expect(await post(own, "signup", body)).toFail(400, "invalidRequest");
    expect((await own.me()).status).toBe(401);
  });

  test("refuse other websites, strangers, and providers that are not set up", async () => {
    const own = browser();
    const answer = await approve(own, "signup");
    expect(await post(own, "signup", answer, { origin: "https://evil.example" })).toFail(403, "originRefused");
    expect(await post(own, "link", answer)).toFail(401, "signInNeeded");
    const nowhere = await own.call(
      "POST",
      "/api/auth/signin/nowhere",
      { "content-type": "application/json" },
      '{"code":"a","state":"b"}',
    );
    expect(nowhere).toFail(404, "providerUnknown");
  });

  test("never sign in when no account is linked", async () => {
    const own = browser();
    expect(await post(own, "signin", await approve(own, "signin"))).toFail(409, "providerNotKnown");
    expect((await own.me()).status).toBe(401);
  });
});
