// The account in a real browser: sign-up to sign-out, sessions and tokens, applications, the second factor, passkeys, and a
// check of every page by axe.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { createSession } from "#accounts/sessions/write.js";
import { write } from "#platform/changes/write.js";
import { makeApplication, OAuthClient } from "#test/callers/oauth-client.js";
import { uniqueName } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { desktop, expectAccessible, expectFits, openSite, phone, widths } from "./browser.js";

const site = await openSite();
const password = "correct horse battery";

const authenticator = {
  protocol: "ctap2",
  transport: "internal",
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

const signOut = async (page: Page) => {
  await page.click("details.menu > summary");
  await page.click('form[action="/auth/sign-out"] button');
  await page.waitForURL((url) => url.pathname === "/");
};

describe.each(widths)("at %s width", (_name, viewport) => {
  test.each([true, false])("sign up, sign out, sign in again (script: %s)", async (script) => {
    const userName = uniqueName("new");
    const page = await site.visit("/auth/sign-up?next=/settings/account", { viewport, script });
    await page.fill("#userName", userName);
    await page.fill("#email", "not a mail@x");
    await page.fill("#password", password);
    // Browsers reject some wrong addresses themselves; the server rejects the rest.
    await page.fill("#email", `${userName}@x`);
    await page.click("main form button[type=submit]");
    await page.waitForSelector("#email-wrong");
    expect(await page.inputValue("#userName")).toBe(userName);
    await page.fill("#email", `${userName}@example.com`);
    await page.fill("#password", password);
    await page.click("main form button[type=submit]");
    await page.waitForURL((url) => url.pathname === "/settings/account");
    await signOut(page);
    await page.goto("/settings/sessions");
    expect(new URL(page.url()).pathname).toBe("/auth/sign-in");
    await page.fill("#login", userName);
    await page.fill("#password", "wrong");
    await page.click("main form button[type=submit]");
    await page.waitForSelector("#password-wrong");
    expect(await page.inputValue("#login")).toBe(userName);
    await page.fill("#password", password);
    await page.click("main form button[type=submit]");
    await page.waitForURL((url) => url.pathname === "/settings/sessions");
  });

  test.each([true, false])("end another session in two steps (script: %s)", async (script) => {
    const user = await site.make.user();
    const other = await write(site.resources, { credential: "test" }, (tx) =>
      createSession(tx, user.id, { provider: "credential", address: "192.0.2.1", userAgent: "Firefox/1 Windows" }),
    );
    const page = await site.visit("/settings/sessions", { viewport, script, user });
    expect(await page.textContent("main")).toContain("Firefox on Windows");
    await page.click('button[aria-label="End session: Firefox on Windows"]');
    await page.waitForSelector("[role=status]");
    expect(await page.textContent("main")).not.toContain("Firefox on Windows");
    expect(await site.as.anyone.with({ cookie: `auth-token=${other}` }).get("/api/auth/me")).toFail(401);
  });

  test.each([true, false])("create a token, which is shown once, and revoke it (script: %s)", async (script) => {
    const user = await site.make.user();
    const page = await site.visit("/settings/pats", { viewport, script, user });
    await page.click("a[href='/settings/pats/new']");
    await page.fill("#name", "Release bot");
    await page.check("input[name=preset][value=read]");
    await page.click("main form button[type=submit]");
    const value = (await page.textContent(".secret code")) ?? "";
    expect(value).toMatch(/^msp_/);
    if (script) {
      await page.click("[data-copy]");
      expect(await page.evaluate("navigator.clipboard.readText()")).toBe(value);
    }
    await expectFits(page);
    await page.click("main a.button");
    expect(await page.textContent("main")).toContain("Release bot");
    expect(await page.textContent("main")).not.toContain(value);
    await page.click('button[aria-label="Revoke: Release bot"]');
    await page.waitForSelector("[role=status]");
    expect(await site.as.bearer(value).get("/api/auth/me")).toFail(401);
  });
});

test.each([
  ["light", desktop, true],
  ["dark", { width: 320, height: 640 }, false],
] as const)("an application is connected and disconnected (%s)", async (theme, viewport, script) => {
  const program = createServer((_request, response) => response.end("<title>Back in the application</title>"));
  await new Promise<void>((resolve) => program.listen(0, "127.0.0.1", resolve));
  const redirectUri = `http://127.0.0.1:${(program.address() as AddressInfo).port}/done`;
  const [owner, user] = [await site.make.user(), await site.make.user({ password })];
  const redirectUris = ["http://127.0.0.1/done"];
  const client = new OAuthClient(site, await makeApplication(site, owner, { redirectUris }));
  const request = new URLSearchParams(client.request({ redirect_uri: redirectUri, scope: "user_read project_write" }));
  const page = await site.visit(`/oauth/authorize?${request}`, { theme, viewport, script });
  await page.fill("#login", user.email);
  await page.fill("#password", password);
  await page.click("main form button[type=submit]");
  await page.waitForURL((url) => url.pathname === "/oauth/authorize");
  await expectFits(page);
  if (script) await expectAccessible(page);
  await page.click("button[value=deny]");
  await page.waitForURL((url) => url.searchParams.get("error") === "access_denied");
  await page.goto(`/oauth/authorize?${request}`);
  await page.click("button[value=allow]");
  // The browser follows the redirect to another origin only if the policy of the page allows it.
  await page.waitForURL((url) => url.searchParams.has("code"));
  expect(await page.title()).toBe("Back in the application");
  program.close();
  const code = new URL(page.url()).searchParams.get("code")!;
  const { body } = await client.redeem(code, { redirect_uri: redirectUri });
  expect((await site.as.bearer(body.access_token).get("/api/user")).body.userName).toBe(user.userName);
  await page.goto("/settings/connections");
  await page.click('button[aria-label="Disconnect: Launcher"]');
  await page.waitForSelector("[role=status]");
  expect((await site.as.bearer(body.access_token).get("/api/user")).status).toBe(401);
});

test("the second factor is set up and requested without script", async () => {
  const user = await site.make.user({ password });
  const page = await site.visit("/settings/security", { viewport: phone, script: false, user });
  await page.click('form[action$="/totp/begin"] button');
  const secret = (await page.textContent(".secret code")) ?? "";
  await expectFits(page);
  const codeAt = (timestamp: number) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
  await page.fill("#code", codeAt(site.clock.now()));
  await page.click("main form button[type=submit]");
  await page.waitForSelector(".secrets");
  const recovery = (await page.textContent(".secrets li")) ?? "";
  await signOut(page);
  await page.goto("/auth/sign-in?next=/settings/security");
  await page.fill("#login", user.email);
  await page.fill("#password", password);
  await page.click("main form button[type=submit]");
  await page.fill("#code", recovery);
  await page.click("main form button[type=submit]");
  await page.waitForURL((url) => url.pathname === "/settings/security");
  expect(await page.textContent("main")).toContain("9 recovery codes left.");
});

test("a passkey is added, signs in without a password, and is removed", async () => {
  // Passkeys need a host name, so this site has one.
  const named = await openSite({ host: "localhost" });
  const { url } = named.config.http;
  const user = await named.make.user({ password });
  const page = await named.visit(`${url}/settings`, { viewport: desktop });
  const devices = await page.context().newCDPSession(page);
  await devices.send("WebAuthn.enable");
  await devices.send("WebAuthn.addVirtualAuthenticator", { options: authenticator });
  await page.context().addCookies([{ name: "auth-token", value: user.sessionToken, url }]);
  await page.goto(`${url}/settings/security`);
  await page.fill("#passkeyName", "My phone");
  await page.click("[data-passkey-add] button");
  await page.waitForSelector("[role=status] .notice");
  expect(await page.textContent("main")).toContain("My phone");
  await signOut(page);
  await page.goto(`${url}/auth/sign-in?next=/settings/sessions`);
  await page.click("[data-passkey-sign-in] button");
  await page.waitForURL((to) => to.pathname === "/settings/sessions");
  expect(await page.textContent("main")).toContain("Passkey");
  await page.goto(`${url}/settings/security`);
  await page.click('button[aria-label="Remove: My phone"]');
  await page.waitForSelector("[role=status] .notice");
  await signOut(page);
  await page.goto(`${url}/auth/sign-in`);
  await page.click("[data-passkey-sign-in] button");
  await page.waitForFunction(() => document.querySelector("[data-failed]")?.textContent !== "");
});

test("a moderator confirms with a passkey, on the page and together with a form: finishPasskeyConfirmation", async () => {
  const named = await openSite({ host: "localhost" });
  const { url } = named.config.http;
  const user = await named.make.user({ password, role: "admin" });
  const page = await named.visit(`${url}/settings`, { viewport: desktop });
  const devices = await page.context().newCDPSession(page);
  await devices.send("WebAuthn.enable");
  await devices.send("WebAuthn.addVirtualAuthenticator", { options: authenticator });
  await page.context().addCookies([{ name: "auth-token", value: user.sessionToken, url }]);
  await page.goto(`${url}/settings/security`);
  await page.fill("#passkeyName", "My phone");
  await page.click("[data-passkey-add] button");
  await page.waitForSelector("[role=status] .notice");
  // From now on the account has a second factor, which this session has not passed.
  await page.goto(`${url}/admin/legal?page=terms`);
  expect(new URL(page.url()).pathname).toBe("/auth/confirm");
  await expectAccessible(page);
  await page.click("[data-passkey-confirm] button");
  await page.waitForURL((to) => to.pathname === "/admin/legal");
  await page.fill("textarea[name=text]", "No jokes about lamps.");
  await named.resources.db.updateTable("sessions").set({ date_powers_end: 1 }).execute();
  await page.click("main form.form button[type=submit]");
  await page.waitForSelector("[data-passkey-confirm] button");
  await page.click("[data-passkey-confirm] button");
  await page.waitForURL((to) => to.pathname === "/legal/terms");
  expect(await page.textContent("main")).toContain("No jokes about lamps.");
});

describe("every page is accessible and fits the screen", () => {
  const guestPages = ["/auth/sign-in", "/auth/sign-up", "/auth/leaked-token", "/settings"];
  const memberPages = [
    "/auth/confirm",
    "/settings",
    "/settings/profile",
    "/settings/account",
    "/settings/account/delete",
    "/settings/security",
    "/settings/sessions",
    "/settings/pats",
    "/settings/pats/new",
    "/settings/notifications",
    "/settings/security-log",
    "/dashboard",
    "/dashboard/notifications",
    "/dashboard/projects",
    "/dashboard/organizations",
    "/dashboard/collections",
    "/dashboard/library",
    "/dashboard/reports",
    "/dashboard/analytics",
  ];

  test.each([
    ["light", desktop],
    ["dark", phone],
  ] as const)(
    "for guests, %s",
    async (theme, viewport) => {
      const page = await site.visit("/settings", { theme, viewport });
      for (const path of guestPages) {
        await page.goto(path);
        await expectAccessible(page);
        await expectFits(page);
      }
    },
    120_000,
  );

  test.each([
    ["light", desktop],
    ["dark", phone],
    ["light", { width: 320, height: 640 }],
  ] as const)(
    "for members, %s",
    async (theme, viewport) => {
      const user = await site.make.user({ password });
      await makeProject(site, user, { name: "A very long name for a draft xx", status: "draft" });
      await site.make.token(user, { scopes: ["project_read"] });
      await site.as.user(user).post("/api/collections", { name: "مجموعة", visibility: "private" });
      const page = await site.visit("/settings", { theme, viewport, user });
      for (const path of memberPages) {
        await page.goto(path);
        await expectAccessible(page);
        await expectFits(page);
      }
    },
    120_000,
  );
});

test.runIf(process.env.PAGES === "full").each([true, false])(
  "a program is signed in with a code that the user types (script: %s)",
  async (script) => {
    const ask = { client_id: "shelf on desk", scope: "user_read version_create" };
    const { body } = await site.as.anyone.post("/api/device/code", ask);
    const user = await site.make.user();
    const page = await site.visit("/device", { user, script, viewport: phone });
    await page.fill("#code", "BCDF-GHJK");
    await page.click("main form button[type=submit]");
    await page.waitForSelector("#code-wrong");
    await page.fill("#code", body.user_code.toLowerCase());
    await page.click("main form button[type=submit]");
    await page.waitForSelector("text=Only approve if you started this yourself");
    await expectFits(page);
    if (script) await expectAccessible(page);
    await page.click('button[value="approve"]');
    await page.waitForSelector("text=shelf on desk is signed in");
    expect(await site.as.anyone.post("/api/device/token", { device_code: body.device_code })).toSucceed();
  },
);
