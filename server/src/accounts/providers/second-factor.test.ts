// A provider confirms the first factor only: accounts with a second factor are asked for it here as well.
import { Secret, TOTP } from "otpauth";
import { describe, expect, test } from "vitest";
import { beginTotp, confirmTotp } from "#accounts/second-factor/write.js";
import { setSuspension } from "#accounts/users/write.js";
import { write } from "#platform/changes/write.js";
import type { Reply } from "#test/callers/actors.js";
import { location, typed, wrongWith } from "#test/callers/page-forms.js";
import { siteUrl } from "#test/server/harness.js";
import { newProviderAccount, type OAuthBrowser, oauthApp } from "#test/setup/oauth-browser.js";
import type { ProviderAccount } from "#test/setup/oauth-provider.js";

const { browser, resources, clock } = await oauthApp();
clock.freeze();
const { db } = resources;
const minute = 60_000;

const codeNow = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() });

/** A user who signs in with a provider and has an authenticator app. */
async function guarded(): Promise<{ visitor: ProviderAccount; userId: string; secret: string; recovery: string }> {
  const visitor = newProviderAccount();
  const own = browser();
  await own.walk("signup", "github", visitor);
  const { id: userId, sessionId } = (await own.me()).body;
  const setter = { userId, sessionId };
  const secret = await write(resources, { userId }, (tx) => beginTotp(tx, setter));
  const [recovery] = await write(resources, { userId }, (tx) => confirmTotp(tx, setter, codeNow(secret)));
  clock.advance(minute);
  return { visitor, userId, secret, recovery: recovery! };
}

const isSignedIn = async (own: OAuthBrowser) => (await own.me()).status === 200;
const page = (own: OAuthBrowser, path: string) => own.get(path, { accept: "text/html" });

/** The form that was shown, with a code typed into it. */
const answer = (own: OAuthBrowser, form: Reply, code: string) => {
  const fields = Object.fromEntries(["step", "next", "form-token"].map((name) => [name, typed(form, name) ?? ""]));
  return own.submit("/auth/second-factor", { ...fields, code });
};

/** Continues up to the question for the code. */
async function arrive(visitor: ProviderAccount, intent: "signin" | "signup" = "signin") {
  const own = browser();
  const reply = await own.get(
    await own.approve(
      (await own.get(`/api/auth/${intent}/github?redirect=true&next=/dashboard`)).headers.get("location")!,
      visitor,
    ),
  );
  expect(reply.status).toBe(303);
  const asked = location(reply)!;
  return { own, asked, form: await page(own, asked) };
}

describe("finishWithProvider and getSecondFactorPage", () => {
  test.each(["signin", "signup"] as const)("ask for the code before there is a session, at a %s", async (intent) => {
    const { visitor, secret } = await guarded();
    const { own, asked, form } = await arrive(visitor, intent);
    expect(asked).toBe("/auth/second-factor?next=%2Fdashboard");
    expect(own.cookies.has("auth-token")).toBe(false);
    expect(await isSignedIn(own)).toBe(false);
    expect(form.status).toBe(200);
    const reply = await answer(own, form, codeNow(secret));
    expect(location(reply)).toBe("/dashboard");
    expect(await isSignedIn(own)).toBe(true);
    expect(own.cookies.has("sign-in-step")).toBe(false);
    const session = await db
      .selectFrom("sessions")
      .select("provider")
      .orderBy("date_created", "desc")
      .executeTakeFirst();
    expect(session?.provider).toBe("github");
  });

  test("take a recovery code, once", async () => {
    const { visitor, recovery } = await guarded();
    for (const status of [303, 401]) {
      const { own, form } = await arrive(visitor);
      const reply = await answer(own, form, recovery);
      expect(reply.status).toBe(status);
      expect(await isSignedIn(own)).toBe(status === 303);
    }
  });

  test("refuse a wrong code, and allow another try", async () => {
    const { visitor, secret } = await guarded();
    const { own, form } = await arrive(visitor);
    const wrong = await answer(own, form, "000000");
    expect(wrong.status).toBe(401);
    expect(wrongWith(wrong, "code")).toBeTruthy();
    expect(await isSignedIn(own)).toBe(false);
    await answer(own, wrong, codeNow(secret));
    expect(await isSignedIn(own)).toBe(true);
  });

  test("redirect to the sign-in if no sign-in was begun, or too long ago", async () => {
    const { visitor } = await guarded();
    const stranger = browser();
    expect(location(await page(stranger, "/auth/second-factor?next=/dashboard"))).toBe(
      "/auth/sign-in?next=%2Fdashboard",
    );
    const { own, asked } = await arrive(visitor);
    clock.advance(11 * minute);
    expect(location(await page(own, asked))).toBe("/auth/sign-in?next=%2Fdashboard");
  });

  test("keep the step out of every URL", async () => {
    const { visitor } = await guarded();
    const { own, asked } = await arrive(visitor);
    expect(new URL(asked, siteUrl).search).not.toContain(own.cookies.get("sign-in-step")!);
  });

  test("give no session to a user who was suspended in between", async () => {
    const { visitor, userId, secret } = await guarded();
    const { own, form } = await arrive(visitor);
    await write(resources, {}, (tx) => setSuspension(tx, userId, "spam"));
    await answer(own, form, codeNow(secret));
    expect(await isSignedIn(own)).toBe(false);
  });
});
