// The authorization endpoint: what it shows, where it sends browsers, and above all where it never does.
import { describe, expect, test } from "vitest";
import { write } from "#platform/changes/write.js";
import { answerIn, makeApplication, OAuthClient, redirectUri } from "#test/callers/oauth-client.js";
import { heading, location, readPage } from "#test/callers/page-forms.js";
import { siteUrl, testApp } from "#test/server/harness.js";
import { setApplicationSuspended } from "./write.js";

const world = await testApp();
const { as, make, resources, clock } = world;
const owner = await make.user();
const user = await make.user();
const made = await makeApplication(world, owner);
const client = new OAuthClient(world, made);

const countGrants = async () => (await resources.db.selectFrom("application_grants").select("id").execute()).length;

describe("getConsentPage", () => {
  test("says who asks for what, and where the answer goes", async () => {
    const page = await client.open(user, { scope: "project_write user_read user_read" });
    expect([page.status, heading(page)]).toEqual([200, "Connect Launcher?"]);
    const said = [owner.userName, user.userName, "launcher.example", "This site has not checked this application"];
    for (const text of [...said, "Edit your projects and their teams", "60 days", redirectUri])
      expect(page.text).toContain(text);
    expect(page.text).not.toContain("See your projects");
  });

  test("cannot be framed or stored, and its form leads only here and to the application", async () => {
    const { headers } = await client.open(user);
    const policy = headers.get("content-security-policy")!;
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' https://launcher.example;");
    expect(headers.get("cache-control")).toBe("no-store");
    const other = await readPage(as.user(user), "/settings");
    expect(other.headers.get("content-security-policy")).toContain("form-action 'self';");
  });

  test("asks guests to sign in first, and then leads back", async () => {
    const path = `/oauth/authorize?${new URLSearchParams(client.request())}`;
    const guest = await readPage(as.anyone, path);
    expect([guest.status, location(guest)]).toEqual([303, `/auth/sign-in?next=${encodeURIComponent(path)}`]);
  });

  test("asks for a recent sign-in, as for a new token", async () => {
    await clock.during(11 * 60_000, async () => {
      for (const reply of [await client.open(user), await client.decide(user, "allow")]) {
        expect(reply.status).toBe(303);
        const back = new URL(location(reply)!, siteUrl);
        expect([back.pathname, back.searchParams.get("again")]).toEqual(["/auth/sign-in", "1"]);
        expect(new URL(back.searchParams.get("next")!, siteUrl).searchParams.get("state")).toBe("a state & more");
      }
    });
  });

  test("is not for tokens", async () => {
    const token = await as.token(user, { scopes: ["user_read"] });
    const path = `/oauth/authorize?${new URLSearchParams(client.request())}`;
    expect(await token.get(path)).toFail(403, "sessionNeeded");
  });
});

describe("a request with a wrong application or destination is shown, not redirected", () => {
  test.each<[string, Record<string, string | string[] | undefined>]>([
    ["no application", { client_id: undefined }],
    ["an unknown application", { client_id: "unknown" }],
    ["two applications", { client_id: [made.id, made.id] }],
    ["a long id", { client_id: "a".repeat(500) }],
    ["no destination", { redirect_uri: undefined }],
    ["another destination", { redirect_uri: "https://evil.example/callback" }],
    ["a longer path", { redirect_uri: `${redirectUri}/../../evil` }],
    ["a username", { redirect_uri: "https://launcher.example@evil.example/callback" }],
    ["a fragment", { redirect_uri: `${redirectUri}#evil` }],
    ["two destinations", { redirect_uri: [redirectUri, "https://evil.example/"] }],
    ["the same destination twice", { redirect_uri: [redirectUri, redirectUri] }],
  ])("%s", async (_what, changes) => {
    const before = await countGrants();
    for (const reply of [await client.open(user, changes), await client.decide(user, "allow", changes)]) {
      expect([reply.status, location(reply)]).toEqual([400, null]);
      expect(reply.text).not.toContain("evil.example");
      expect(reply.headers.get("content-security-policy")).toContain("form-action 'self';");
    }
    expect(await countGrants()).toBe(before);
  });

  test("a suspended application, until it is restored", async () => {
    const suspend = (is: boolean) => write(resources, {}, (tx) => setApplicationSuspended(tx, made.id, is));
    await suspend(true);
    for (const reply of [await client.open(user), await client.decide(user, "allow")]) {
      expect([reply.status, location(reply)]).toEqual([400, null]);
      expect(reply.text).toContain("suspended");
    }
    await suspend(false);
    expect((await client.open(user)).status).toBe(200);
  });

  test("an application whose owner is suspended", async () => {
    const [bad, other] = [await make.user(), await make.user()];
    const theirs = new OAuthClient(world, await makeApplication(world, bad));
    await resources.db.updateTable("users").set({ date_suspended: 1 }).where("id", "=", bad.id).execute();
    expect((await theirs.open(other)).status).toBe(400);
  });
});

describe("other mistakes are sent to the application", () => {
  test.each<[string, string, Record<string, string | string[] | undefined>]>([
    ["no response type", "invalid_request", { response_type: undefined }],
    ["the implicit flow", "unsupported_response_type", { response_type: "token" }],
    ["no challenge", "invalid_request", { code_challenge: undefined }],
    ["an empty challenge", "invalid_request", { code_challenge: "" }],
    ["a short challenge", "invalid_request", { code_challenge: "short" }],
    ["no method", "invalid_request", { code_challenge_method: undefined }],
    ["the method plain", "invalid_request", { code_challenge_method: "plain" }],
    ["two methods", "invalid_request", { code_challenge_method: ["S256", "plain"] }],
    ["no scope", "invalid_scope", { scope: undefined }],
    ["an empty scope", "invalid_scope", { scope: "" }],
    ["two scopes", "invalid_request", { scope: ["user_read", "user_read"] }],
    ["a scope beyond those of the application", "invalid_scope", { scope: "user_read version_create" }],
    ["the email address", "invalid_scope", { scope: "user_write_email" }],
    ["the powers of staff", "invalid_scope", { scope: "staff" }],
    ["a restricted scope", "invalid_scope", { scope: "pat_create" }],
    ["an unknown scope", "invalid_scope", { scope: "everything" }],
    ["line breaks in the scope", "invalid_scope", { scope: "user_read\r\nLocation: x" }],
  ])("%s", async (_what, error, changes) => {
    for (const reply of [await client.open(user, changes), await client.decide(user, "allow", changes)]) {
      expect(reply.status).toBe(303);
      expect(location(reply)).toMatch(/^https:\/\/launcher\.example\/callback\?error=/);
      expect(answerIn(reply)).toMatchObject({ error, state: "a state & more", iss: siteUrl });
      expect(answerIn(reply).error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    }
  });

  test("a state that is too long, or repeated", async () => {
    for (const state of ["a".repeat(1001), ["a", "b"]]) {
      const answer = answerIn(await client.open(user, { state }));
      expect([answer.error, answer.state]).toEqual(["invalid_request", undefined]);
    }
  });
});

describe("submitConsent", () => {
  test("sends a code with the state and the issuer, and notes it in the security log", async () => {
    const reply = await client.decide(user, "allow");
    expect(reply.status).toBe(303);
    const { code, ...rest } = answerIn(reply);
    expect(code).toMatch(/^msc_/);
    expect(rest).toEqual({ state: "a state & more", iss: siteUrl });
    expect((await readPage(as.user(user), "/settings/security-log")).text).toContain("Application connected");
    const rows = await resources.db.selectFrom("application_grants").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(code);
  });

  test("sends a refusal", async () => {
    const before = await countGrants();
    const reply = await client.decide(user, "deny", { state: undefined });
    expect(answerIn(reply)).toMatchObject({ error: "access_denied", iss: siteUrl });
    expect(await countGrants()).toBe(before);
  });

  test("needs the form of this site", async () => {
    const before = await countGrants();
    const body = new URLSearchParams([...client.request(), ["decision", "allow"]]).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded", accept: "text/html" };
    const withoutToken = await as.user(user).call("POST", "/oauth/authorize", { headers, body });
    expect(withoutToken.status).toBe(403);
    const foreign = as.user(user).with({ origin: "https://evil.example" });
    expect((await foreign.call("POST", "/oauth/authorize", { headers, body })).status).toBe(403);
    expect(await countGrants()).toBe(before);
  });

  test("answers on any port of the own machine, and to schemes of programs", async () => {
    const uris = ["http://127.0.0.1/done", "com.example.launcher:/done"];
    const desktop = new OAuthClient(world, await makeApplication(world, owner, { redirectUris: uris }));
    const local = await desktop.decide(user, "allow", { redirect_uri: "http://127.0.0.1:49152/done" });
    expect(location(local)).toMatch(/^http:\/\/127\.0\.0\.1:49152\/done\?code=msc_/);
    const own = await desktop.decide(user, "allow", { redirect_uri: "com.example.launcher:/done" });
    expect(location(own)).toMatch(/^com\.example\.launcher:\/done\?code=msc_/);
  });
});

describe("a user who has agreed before", () => {
  test("is not asked again by a confidential application, for the same or fewer scopes", async () => {
    const confidential = new OAuthClient(world, await makeApplication(world, owner, { isConfidential: true }));
    const scope = "user_read project_read";
    // A code that was never redeemed is no connection.
    await confidential.decide(user, "allow", { scope });
    expect((await confidential.open(user, { scope })).status).toBe(200);
    await confidential.connect(user, { scope });
    const again = await confidential.open(user, { scope: "project_read" });
    expect([again.status, answerIn(again).state]).toEqual([303, "a state & more"]);
    expect(await confidential.redeem(answerIn(again).code!)).toSucceed();
    expect((await confidential.open(user, { scope: "user_read project_write" })).status).toBe(200);
    expect((await confidential.open(await make.user(), { scope })).status).toBe(200);
  });

  test("is always asked by a public one", async () => {
    await client.connect(user);
    expect((await client.open(user)).status).toBe(200);
  });
});
