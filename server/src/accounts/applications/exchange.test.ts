// The token and revocation endpoints against thieves and races: codes, verifiers, refresh tokens, other clients.
import { describe, expect, test } from "vitest";
import { removeAccount, setSuspension } from "#accounts/users/write.js";
import { deleteExpired } from "#operations/background/housekeeping.js";
import { write } from "#platform/changes/write.js";
import type { Reply } from "#test/callers/actors.js";
import { makeApplication, newVerifier, OAuthClient } from "#test/callers/oauth-client.js";
import { siteUrl, testApp } from "#test/server/harness.js";
import { deleteApplication, renewSecret, setApplicationSuspended } from "./write.js";

const world = await testApp();
const { as, make, resources, clock } = world;
const { db } = resources;
const owner = await make.user();
const open = new OAuthClient(world, await makeApplication(world, owner));
const closed = new OAuthClient(world, await makeApplication(world, owner, { isConfidential: true }));

/** A refusal in the form of RFC 6749, and in that of this API. */
function expectRefused(reply: Reply, status: number, error: string): void {
  expect([reply.status, reply.body.error]).toEqual([status, error]);
  expect(reply.body.error_description).toBe(reply.body.message);
  expect([reply.body.success, reply.headers.get("cache-control")]).toEqual([false, "no-store"]);
}

const worksFor = async (access: string): Promise<boolean> => (await as.bearer(access).get("/api/user")).status === 200;

describe("createOAuthToken with a code", () => {
  test.each([["public", open] as const, ["confidential", closed] as const])(
    "gives a %s application a token with the scopes of the user's choice",
    async (_type, client) => {
      const user = await make.user();
      const reply = await client.redeem(await client.code(user, { scope: "project_read user_read" }));
      expect(reply).toSucceed();
      expect(reply.headers.get("cache-control")).toBe("no-store");
      expect(reply.headers.get("access-control-allow-origin")).toBe("*");
      const { access_token: access, refresh_token: refresh, ...rest } = reply.body;
      expect(rest).toEqual({ token_type: "Bearer", expires_in: 3600, scope: "user_read project_read" });
      expect((await as.bearer(access).get("/api/user")).body.id).toBe(user.id);
      expect(await as.bearer(access).patch("/api/project/none", { name: "Other" })).toFail(403, "scopeMissing");
      expect(await as.bearer(access).get("/api/pat")).toFail(403, "sessionNeeded");
      const rows = [
        await db.selectFrom("application_grants").selectAll().execute(),
        await db.selectFrom("tokens").selectAll().execute(),
      ];
      for (const secret of [access, ...refresh.split(".")]) expect(JSON.stringify(rows)).not.toContain(secret);
    },
  );

  test("does not list the token among the user's own, and its end is not announced", async () => {
    const user = await make.user();
    const { access } = await open.connect(user);
    expect((await as.user(user).get("/api/pat")).body).toEqual([]);
    const { id } = await db.selectFrom("tokens").select("id").where("user_id", "=", user.id).executeTakeFirstOrThrow();
    expect(await as.user(user).delete(`/api/pat/${id}`)).toFail(404);
    expect(await as.user(user).patch(`/api/pat/${id}`, { dateExpires: "2099-01-01" })).toFail(404);
    expect(await worksFor(access)).toBe(true);
    await clock.during(61 * 60_000, async () => {
      expect(await as.bearer(access).get("/api/user")).toFail(401, "credentialInvalid");
    });
  });

  test("refuses the second use, and ends what came of the first", async () => {
    const user = await make.user();
    const code = await open.code(user);
    const first = await open.redeem(code);
    expectRefused(await open.redeem(code), 400, "invalid_grant");
    expect(await worksFor(first.body.access_token)).toBe(false);
    expectRefused(await open.refresh(first.body.refresh_token), 400, "invalid_grant");
    const log = await as.user(user).get("/settings/security-log", { headers: { accept: "text/html" } });
    expect(log.text).toContain("was used twice");
  });

  test("gives tokens to at most one of several parallel requests", async () => {
    const code = await open.code(await make.user());
    const replies = await Promise.all(Array.from({ length: 6 }, () => open.redeem(code)));
    expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    for (const reply of replies.filter(({ status }) => status !== 200)) expectRefused(reply, 400, "invalid_grant");
    // One of them was a thief: nothing works any more.
    for (const { body } of replies) if (body.access_token) expect(await worksFor(body.access_token)).toBe(false);
  });

  test.each<[string, Record<string, string | undefined>, string]>([
    ["without a verifier", { code_verifier: undefined }, "invalid_request"],
    ["with another verifier", { code_verifier: newVerifier() }, "invalid_grant"],
    ["with an empty verifier", { code_verifier: "" }, "invalid_grant"],
    ["with a short verifier", { code_verifier: "short" }, "invalid_grant"],
    ["with another destination", { redirect_uri: "https://launcher.example/other" }, "invalid_grant"],
    ["without a destination", { redirect_uri: undefined }, "invalid_request"],
    ["without a code", { code: undefined }, "invalid_request"],
    ["with a wrong code", { code: "msc_wrong" }, "invalid_grant"],
    ["without a grant type", { grant_type: undefined }, "invalid_request"],
    ["with a password", { grant_type: "password" }, "unsupported_grant_type"],
    ["with a name of JavaScript", { grant_type: "constructor" }, "unsupported_grant_type"],
  ])("refuses a request %s, and the right one still works", async (_what, changes, error) => {
    const code = await open.code(await make.user());
    expectRefused(await open.redeem(code, changes), 400, error);
    expect(await open.redeem(code)).toSucceed();
  });

  test("refuses repeated parameters, other bodies and the challenge itself as verifier", async () => {
    const code = await open.code(await make.user());
    expectRefused(
      await open.post("/oauth/token", { grant_type: ["authorization_code", "refresh_token"], code }),
      400,
      "invalid_request",
    );
    const xml = await as.anyone.call("POST", "/oauth/token", { headers: { "content-type": "text/xml" }, body: "<x/>" });
    expectRefused(xml, 415, "invalid_request");
    expectRefused(
      await open.redeem(code, { code_verifier: open.request().find(([name]) => name === "code_challenge")![1] }),
      400,
      "invalid_grant",
    );
  });

  test("refuses it after 60 seconds", async () => {
    const still = await testApp();
    still.clock.freeze();
    const client = new OAuthClient(still, await makeApplication(still, await still.make.user()));
    const code = await client.code(await still.make.user());
    await still.clock.during(60_001, async () => expectRefused(await client.redeem(code), 400, "invalid_grant"));
    await still.clock.during(59_000, async () => expect(await client.redeem(code)).toSucceed());
    await still.stop();
  });

  test("refuses the code of another application, which can still use it", async () => {
    const code = await closed.code(await make.user());
    const thief = new OAuthClient(world, { id: open.id, secret: undefined });
    thief.verifier = closed.verifier;
    expectRefused(await thief.redeem(code), 400, "invalid_grant");
    expect(await closed.redeem(code)).toSucceed();
    expectRefused(await thief.redeem(code), 400, "invalid_grant");
  });
});

describe("the application names itself", () => {
  const basic = (id: string, secret: string) => ({
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
  });
  const noSecret = { client_id: undefined, client_secret: undefined };

  test("with HTTP Basic authentication, or in the form", async () => {
    const code = await closed.code(await make.user());
    expect(await closed.redeem(code, noSecret, basic(closed.id, closed.secret!))).toSucceed();
    const again = await closed.code(await make.user());
    const encoded = closed.secret!.replace("msa_", "msa%5F");
    expect(await closed.redeem(again, noSecret, basic(closed.id, encoded))).toSucceed();
  });

  test("and is refused without a secret, with a wrong one, or with one that it does not have", async () => {
    const code = await closed.code(await make.user());
    const attempts = [
      await closed.redeem(code, { client_secret: undefined }),
      await closed.redeem(code, { client_secret: "" }),
      await closed.redeem(code, { client_secret: `${closed.secret}x` }),
      await closed.redeem(code, noSecret),
      await closed.redeem(code, { client_id: "unknown" }),
      await closed.redeem(code, { client_id: "a".repeat(400) }),
      await closed.redeem(code, noSecret, basic(closed.id, "wrong")),
      await closed.redeem(code, noSecret, { authorization: "Basic ???" }),
      await closed.redeem(code, noSecret, { authorization: `Bearer ${closed.secret}` }),
      await open.redeem(await open.code(await make.user()), { client_secret: "invented" }),
    ];
    for (const reply of attempts) {
      expectRefused(reply, 401, "invalid_client");
      expect(reply.headers.get("www-authenticate")).toContain("Basic");
    }
    for (const form of [{ client_secret: closed.secret }, { client_secret: undefined, client_id: open.id }])
      expectRefused(await closed.redeem(code, form, basic(closed.id, closed.secret!)), 400, "invalid_request");
    expect(await closed.redeem(code)).toSucceed();
  });

  test("with the new secret only, once it is renewed", async () => {
    const { id, secret } = await makeApplication(world, owner, { isConfidential: true });
    const client = new OAuthClient(world, { id, secret });
    const { refresh } = await client.connect(await make.user());
    const renewed = await write(resources, {}, (tx) => renewSecret(tx, owner.id, id));
    expectRefused(await client.refresh(refresh), 401, "invalid_client");
    expect(await new OAuthClient(world, { id, secret: renewed }).refresh(refresh)).toSucceed();
    const other = await make.user();
    await expect(write(resources, {}, (tx) => renewSecret(tx, other.id, id))).rejects.toThrow("Application not found");
  });

  test("and a browser may do so from any page, without cookies", async () => {
    const origin = "https://launcher.example";
    const preflight = await as.anyone.call("OPTIONS", "/oauth/token", {
      headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "authorization" },
    });
    expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
    const code = await open.code(await make.user());
    const reply = await open.redeem(code, {}, { origin, "sec-fetch-site": "cross-site" });
    expect(reply).toSucceed();
    expect(reply.headers.get("access-control-allow-origin")).toBe("*");
    expect(reply.headers.get("access-control-allow-credentials")).toBeNull();
  });
});

describe("createOAuthToken with a refresh token", () => {
  test("gives new tokens, and the old ones end", async () => {
    const user = await make.user();
    const { access, refresh } = await open.connect(user);
    const reply = await open.refresh(refresh);
    expect(reply).toSucceed();
    expect(reply.body.refresh_token).not.toBe(refresh);
    expect([await worksFor(access), await worksFor(reply.body.access_token)]).toEqual([false, true]);
    expect((await db.selectFrom("tokens").select("id").where("user_id", "=", user.id).execute()).length).toBe(1);
  });

  test("ends the connection if an old one comes again", async () => {
    const { refresh } = await open.connect(await make.user());
    const second = (await open.refresh(refresh)).body;
    expectRefused(await open.refresh(refresh), 400, "invalid_grant");
    expect(await worksFor(second.access_token)).toBe(false);
    expectRefused(await open.refresh(second.refresh_token), 400, "invalid_grant");
  });

  test("works for at most one of several parallel requests", async () => {
    const { refresh } = await open.connect(await make.user());
    const replies = await Promise.all(Array.from({ length: 6 }, () => open.refresh(refresh)));
    expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    for (const reply of replies.filter(({ status }) => status !== 200)) expectRefused(reply, 400, "invalid_grant");
  });

  test("can give fewer scopes, and never more", async () => {
    const { refresh } = await open.connect(await make.user(), { scope: "user_read project_read" });
    const fewer = await open.refresh(refresh, { scope: "user_read" });
    expect(fewer.body.scope).toBe("user_read");
    for (const scope of ["user_read project_write", "staff", "user_write_email", "pat_create", "", " "])
      expectRefused(await open.refresh(fewer.body.refresh_token, { scope }), 400, "invalid_scope");
    const all = await open.refresh(fewer.body.refresh_token);
    expect(all.body.scope).toBe("user_read project_read");
  });

  test("gives no scope that the application has given up, or got later", async () => {
    const { id } = await makeApplication(world, owner);
    const client = new OAuthClient(world, { id, secret: undefined });
    const { refresh } = await client.connect(await make.user(), { scope: "user_read project_read" });
    const scopes = JSON.stringify(["user_read", "version_create"]);
    await db
      .updateTable("applications")
      .set({ scopes: scopes as never })
      .where("id", "=", id)
      .execute();
    expect((await client.refresh(refresh)).body.scope).toBe("user_read");
  });

  test("is refused to another application, and garbled", async () => {
    const { refresh } = await closed.connect(await make.user());
    expectRefused(await open.refresh(refresh), 400, "invalid_grant");
    const [family = "", current = ""] = refresh.split(".");
    for (const wrong of [
      family,
      current,
      `${family}.`,
      `.${current}`,
      `${current}.${family}`,
      `${refresh}.${current}`,
      "x",
    ])
      expectRefused(await closed.refresh(wrong), 400, "invalid_grant");
    expect(await closed.refresh(refresh)).toSucceed();
  });

  test("expires 60 days after the last use", async () => {
    const user = await make.user();
    const day = 24 * 60 * 60_000;
    const { refresh } = await open.connect(user);
    const next = await clock.during(59 * day, async () => (await open.refresh(refresh)).body.refresh_token);
    const last = await clock.during(118 * day, async () => (await open.refresh(next)).body.refresh_token);
    expect(last).toBeDefined();
    await clock.during(179 * day, async () => {
      expectRefused(await open.refresh(last), 400, "invalid_grant");
      await deleteExpired(resources);
    });
    expect(await db.selectFrom("application_grants").select("id").where("user_id", "=", user.id).execute()).toEqual([]);
  });

  test("works on 20 devices; a further one ends the connection that was used least", async () => {
    const user = await make.user();
    const devices = [];
    for (let at = 0; at < 21; at++) devices.push(await clock.during(at * 1000, () => open.connect(user)));
    expect(await worksFor(devices[0]!.access)).toBe(false);
    expect(await worksFor(devices[1]!.access)).toBe(true);
    expect(await worksFor(devices[20]!.access)).toBe(true);
  });
});

describe("revokeOAuthToken", () => {
  test.each(["access", "refresh"] as const)("ends the connection of a %s token", async (which) => {
    const tokens = await open.connect(await make.user());
    const reply = await open.revoke(tokens[which]);
    expect([reply.status, reply.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(await worksFor(tokens.access)).toBe(false);
    expectRefused(await open.refresh(tokens.refresh), 400, "invalid_grant");
  });

  test("accepts what it does not know, and leaves tokens of others alone", async () => {
    const user = await make.user();
    const tokens = await closed.connect(user);
    const own = await make.token(user, { scopes: ["user_read"] });
    for (const token of ["unknown", tokens.access, tokens.refresh, own.value])
      expect((await open.revoke(token)).status).toBe(200);
    expect([await worksFor(tokens.access), await worksFor(own.value)]).toEqual([true, true]);
    expectRefused(await closed.revoke(tokens.access, { client_secret: "wrong" }), 401, "invalid_client");
    expectRefused(await open.post("/oauth/revoke", {}), 400, "invalid_request");
    expect(await worksFor(tokens.access)).toBe(true);
  });
});

describe("tokens of an application stop working at once", () => {
  test("while the application is suspended", async () => {
    const { id } = await makeApplication(world, owner);
    const client = new OAuthClient(world, { id, secret: undefined });
    const user = await make.user();
    const { access, refresh } = await client.connect(user);
    const code = await client.code(user);
    await write(resources, {}, (tx) => setApplicationSuspended(tx, id, true));
    expect(await worksFor(access)).toBe(false);
    expectRefused(await client.refresh(refresh), 400, "unauthorized_client");
    expectRefused(await client.redeem(code), 400, "unauthorized_client");
    await write(resources, {}, (tx) => setApplicationSuspended(tx, id, false));
    expect(await worksFor(access)).toBe(true);
    expect(await client.refresh(refresh)).toSucceed();
  });

  test("when the application or its owner is deleted", async () => {
    const leaving = await make.user();
    for (const remove of [
      (id: string) => write(resources, {}, (tx) => deleteApplication(tx, leaving.id, id)),
      () => write(resources, {}, (tx) => removeAccount(tx, leaving.id, resources.accountRemovals)),
    ]) {
      const { id } = await makeApplication(world, leaving);
      const client = new OAuthClient(world, { id, secret: undefined });
      const { access, refresh } = await client.connect(await make.user());
      await remove(id);
      expect(await worksFor(access)).toBe(false);
      expectRefused(await client.refresh(refresh), 401, "invalid_client");
    }
  });

  test("when the user is suspended or deleted", async () => {
    const user = await make.user();
    const { access, refresh } = await open.connect(user);
    const code = await open.code(user);
    await write(resources, {}, (tx) => setSuspension(tx, user.id, "Spam"));
    expect(await worksFor(access)).toBe(false);
    for (const reply of [await open.refresh(refresh), await open.redeem(code)])
      expectRefused(reply, 400, "invalid_grant");
    await write(resources, {}, (tx) => removeAccount(tx, user.id, resources.accountRemovals));
    expectRefused(await open.refresh(refresh), 400, "invalid_grant");
    expect(await db.selectFrom("application_grants").select("id").where("user_id", "=", user.id).execute()).toEqual([]);
  });

  test("when the user changes the password, but not when they sign out elsewhere", async () => {
    const user = await make.user({ password: "correct horse" });
    const { access, refresh } = await open.connect(user);
    expect(await as.user(user).post("/api/auth/sessions/revoke-others")).toSucceed();
    expect(await worksFor(access)).toBe(true);
    const change = { currentPassword: "correct horse", newPassword: "battery staple" };
    const changed = await as.user(user).put("/api/user/password", change);
    expect(changed.body).toMatchObject({ tokensRevoked: 0 });
    expect(await worksFor(access)).toBe(false);
    expectRefused(await open.refresh(refresh), 400, "invalid_grant");
  });

  test("and a moderator's role gives them no powers", async () => {
    const moderator = await make.user({ role: "moderator" });
    const { access } = await open.connect(moderator, { scope: "user_read project_read project_write" });
    expect((await as.bearer(access).get("/api/moderation/projects")).status).toBe(403);
  });
});

test("getOAuthMetadata describes the endpoints, from this site's own URL", async () => {
  const { body, headers } = await as.anyone.get("/.well-known/oauth-authorization-server");
  expect(body).toMatchObject({
    issuer: siteUrl,
    token_endpoint: `${siteUrl}/oauth/token`,
    code_challenge_methods_supported: ["S256"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    authorization_response_iss_parameter_supported: true,
  });
  expect(body.scopes_supported).toContain("version_create");
  for (const scope of ["user_write_email", "staff", "pat_create"]) expect(body.scopes_supported).not.toContain(scope);
  expect(headers.get("access-control-allow-origin")).toBe("*");
});

test("createOAuthToken and revokeOAuthToken are limited per address", async () => {
  const strict = await testApp({ settings: { MODSHELF_RATE_LIMITS: "on" } });
  // Nothing is refilled while the requests are sent.
  strict.clock.freeze();
  const { id } = await makeApplication(strict, await strict.make.user());
  const client = new OAuthClient(strict, { id, secret: undefined });
  const replies = [];
  for (let at = 0; at < 62; at++) replies.push(await (at % 2 ? client.revoke("x") : client.refresh("x")));
  expectRefused(replies.at(-1)!, 429, "temporarily_unavailable");
  await strict.stop();
});
