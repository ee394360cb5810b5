// Personal access tokens as described in interface §4 and §5; each rule is quoted where it is tested.
import { describe, expect, test } from "vitest";
import { assignableScopes, restrictedScopes } from "#lib/scopes.js";
import { write } from "#platform/changes/write.js";
import type { TestUser } from "#test/callers/actors.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { insertToken } from "./write.js";

const { as, make, clock, resources } = await testApp();
const input = { name: "ci", dateExpires: "2099-01-31", authScopes: ["user_read"] };
const create = (user: TestUser, change: object = {}) => as.user(user).post("/api/pat", { ...input, ...change });

describe("createToken", () => {
  test("answers the PAT including token, once; listTokens never shows it", async () => {
    const user = await make.user();
    const created = await create(user);
    expect(created).toSucceed();
    expect(created.body).toEqual({
      id: expect.stringMatching(/^[0-9A-Za-z]{8}$/),
      name: "ci",
      userId: user.id,
      scopes: ["user_read"],
      dateCreated: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      dateExpires: "2099-01-31T00:00:00.000Z",
      dateLastUsed: null,
      projectId: null,
      token: expect.stringMatching(/^msp_[0-9A-Za-z]{49}$/),
    });
    const { token, ...rest } = created.body;
    const listed = await as.user(user).get("/api/pat");
    expect(listed.body).toEqual([rest]);
    expect(listed.text).not.toContain(token);
  });

  test("stores only a hash: the value is in no table", async () => {
    const { token } = (await create(await make.user())).body;
    const rows = await resources.db.selectFrom("tokens").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    const audits = await resources.db.selectFrom("audit_log").selectAll().execute();
    expect(JSON.stringify(audits)).not.toContain(token);
  });

  test('"name (string, 1 to 64 chars)"', async () => {
    const user = await make.user();
    for (const name of ["x", " ", "a\tb", "a\u0007b", "a\r\nb", "\u202e", "n".repeat(64), "🎲".repeat(64)]) {
      const created = await create(user, { name });
      expect(created).toSucceed();
      expect(created.body.name).toBe(name);
    }
    for (const name of ["", "n".repeat(65), "🎲".repeat(65), 7, null, undefined, ["a"]])
      expect(await create(user, { name })).toFail(400, "invalidRequest");
  });

  test('"dateExpires … must be in the future": a date means midnight UTC, a timestamp itself', async () => {
    const user = await make.user();
    expect((await create(user, { dateExpires: "2098-12-31T22:15:00+01:00" })).body.dateExpires).toBe(
      "2098-12-31T21:15:00.000Z",
    );
    for (const [dateExpires, time] of [
      ["2099-01-31T12:00:00", "2099-01-31T12:00:00.000Z"],
      ["2099-01-31T12:00:00+0530", "2099-01-31T06:30:00.000Z"],
      ["20990131", "2099-01-31T00:00:00.000Z"],
      ["20990131T120000Z", "2099-01-31T12:00:00.000Z"],
      ["2099-01-31t12:00:00,5z", "2099-01-31T12:00:00.500Z"],
      ["2099-W05-6", "2099-01-31T00:00:00.000Z"],
    ])
      expect((await create(user, { dateExpires })).body.dateExpires, dateExpires).toBe(time);
    const today = new Date(clock.now()).toISOString().slice(0, 10);
    for (const dateExpires of ["2020-01-01", today, new Date(clock.now() - 1).toISOString()])
      expect(await create(user, { dateExpires })).toFail(400, "expiryInPast");
    for (const dateExpires of [
      "2099-02-30",
      "2099-13-01",
      "tomorrow",
      "",
      "31.01.2099",
      "2099-01-31T25:00:00Z",
      "+275760-09-13",
      "9999-12-31T24:00:00Z",
      4102444800000,
      null,
      undefined,
    ])
      expect(await create(user, { dateExpires })).toFail(400, "invalidRequest");
  });

  test("every assignable scope can be given, and comes back once, in the order of the list", async () => {
    const user = await make.user();
    const all = await create(user, { authScopes: [...assignableScopes].reverse().concat("user_read") });
    expect(all.body.scopes).toEqual(assignableScopes);
    expect((await create(user, { authScopes: [] })).body.scopes).toEqual([]);
  });

  test("restricted and unknown scopes are refused by name", async () => {
    const user = await make.user();
    for (const scope of restrictedScopes) {
      const refused = await create(user, { authScopes: ["user_read", scope] });
      expect(refused).toFail(400, "restrictedScopes");
      expect(refused.body.message).toContain(scope);
    }
    const unknown = await create(user, { authScopes: ["root", "__proto__", "USER_READ"] });
    expect(unknown).toFail(400, "unknownScopes");
    expect(unknown.body.message).toContain("root, __proto__, USER_READ");
    for (const authScopes of ["user_read", null, undefined, [1], { 0: "user_read" }, Array(101).fill("user_read")])
      expect(await create(user, { authScopes })).toFail(400, "invalidRequest");
    expect((await as.user(user).get("/api/pat")).body).toEqual([]);
  });

  test("cannot be done with a PAT, nor without a session", async () => {
    const user = await make.user();
    const actor = await as.token(user, { scopes: assignableScopes });
    for (const [method, path] of [
      ["GET", "/api/pat"],
      ["POST", "/api/pat"],
      ["PATCH", "/api/pat/x"],
      ["DELETE", "/api/pat/x"],
    ] as const) {
      expect(await actor.call(method, path, method === "GET" ? {} : { json: input })).toFail(403, "sessionNeeded");
      expect(await as.anyone.call(method, path)).toFail(401, "signInNeeded");
    }
  });
});

describe("the number of tokens", () => {
  test("is limited to 50 for each user, even in parallel; deleting one makes room", async () => {
    const user = await make.user();
    const made = await Promise.all(Array.from({ length: 54 }, (_, at) => create(user, { name: `ci ${at}` })));
    expect(made.filter(({ status }) => status === 200)).toHaveLength(50);
    const [refused] = made.filter(({ status }) => status !== 200);
    expect(refused).toFail(409, "tooManyTokens");
    expect(refused!.body.message).toContain("Delete one");
    expect(await create(await make.user())).toSucceed();
    const { id } = made.find(({ status }) => status === 200)!.body;
    expect(await as.user(user).delete(`/api/pat/${id}`)).toSucceed();
    expect(await create(user)).toSucceed();
    expect(await create(user)).toFail(409, "tooManyTokens");
  });

  test("does not count expired tokens, which are replaced, or those of trusted publishers", async () => {
    const user = await make.user();
    const old = await make.token(user, { scopes: [], dateExpires: clock.now() - 1 });
    const kept = await make.token(user, { scopes: [], dateExpires: clock.now() - 1 });
    for (let at = 0; at < 48; at++) await make.token(user, { scopes: [] });
    await resources.db.updateTable("tokens").set({ date_expires: 1 }).where("id", "=", old.id).execute();
    expect(await create(user)).toSucceed();
    const ids = (await as.user(user).get("/api/pat")).body.map((token: { id: string }) => token.id);
    expect(ids).toHaveLength(50);
    expect(ids).toContain(kept.id);
    expect(ids).not.toContain(old.id);
    expect(await create(user)).toSucceed();
    expect(await create(user)).toFail(409, "tooManyTokens");
    // Builds get their tokens this way, which does not count them.
    await write(resources, {}, (tx) =>
      insertToken(tx, user.id, { name: "build", scopes: ["version_create"], dateExpires: clock.now() + 60_000 }),
    );
  });
});

describe("updateToken", () => {
  test("answers the updated PAT without token; the value keeps working", async () => {
    const user = await make.user();
    const { token, ...created } = (await create(user)).body;
    const updated = await as
      .user(user)
      .patch(`/api/pat/${created.id}`, { name: "release", dateExpires: "2098-01-01", authScopes: ["user_write"] });
    expect(updated.body).toEqual({
      ...created,
      name: "release",
      dateExpires: "2098-01-01T00:00:00.000Z",
      scopes: ["user_write"],
    });
    expect(await as.bearer(token).get("/api/auth/me")).toFail(403, "scopeMissing");
    expect(await as.bearer(token).patch("/api/user", { bio: "by token" })).toSucceed();
  });

  test("an absent field stays", async () => {
    const user = await make.user();
    const { token: _, ...created } = (await create(user)).body;
    expect((await as.user(user).patch(`/api/pat/${created.id}`, { name: "renamed" })).body).toEqual({
      ...created,
      name: "renamed",
    });
    expect((await as.user(user).patch(`/api/pat/${created.id}`, {})).body).toEqual({ ...created, name: "renamed" });
  });

  test("another's token is absent: same answer as for an id that never was", async () => {
    const { body: foreign } = await create(await make.user());
    const stranger = as.user(await make.user());
    for (const id of [foreign.id, "AAAAAAAA", "x".repeat(64)]) {
      expect(await stranger.patch(`/api/pat/${id}`, input)).toFail(404, "tokenNotFound");
      expect(await stranger.delete(`/api/pat/${id}`)).toFail(404, "tokenNotFound");
    }
    expect(await as.bearer(foreign.token).get("/api/auth/me")).toSucceed();
  });

  test("refuses the same input as createToken, and changes nothing", async () => {
    const user = await make.user();
    const { token: _, ...created } = (await create(user)).body;
    for (const bad of [
      { name: "" },
      { dateExpires: "2020-01-01" },
      { authScopes: ["pat_read"] },
      { name: "ok", authScopes: ["nope"] },
    ])
      expect(await as.user(user).patch(`/api/pat/${created.id}`, bad)).toFail(400);
    expect((await as.user(user).get("/api/pat")).body).toEqual([created]);
  });
});

describe("deleteToken", () => {
  test("answers success and message, and the token stops working immediately", async () => {
    const user = await make.user();
    const { id, token } = (await create(user)).body;
    const deleted = await as.user(user).delete(`/api/pat/${id}`);
    expect(deleted.body).toEqual({ success: true, message: expect.any(String) });
    expect(await as.bearer(token).get("/api/tags/loaders")).toFail(401, "credentialInvalid");
    expect(await as.user(user).delete(`/api/pat/${id}`)).toFail(404, "tokenNotFound");
  });
});

describe("a token in use", () => {
  test("works bare, as Bearer in any case, and as the password of Basic", async () => {
    const user = await make.user();
    const { value } = await make.token(user, { scopes: ["user_read"] });
    const basic = Buffer.from(`anything:${value}`).toString("base64");
    for (const authorization of [
      value,
      `Bearer ${value}`,
      `bearer ${value}`,
      `BEARER  ${value}`,
      `Basic ${basic}`,
      `basic ${basic}`,
    ]) {
      const me = await as.anyone.get("/api/auth/me", { headers: { authorization } });
      expect(me.body?.id, authorization).toBe(user.id);
    }
    for (const authorization of [
      "",
      "Bearer",
      `Bearer ${value}x`,
      `Token ${value}`,
      `Basic ${value}`,
      "Basic",
      `Bearer ${value.toLowerCase()}`,
    ])
      expect(await as.anyone.get("/api/tags/loaders", { headers: { authorization } })).toFail(401, "credentialInvalid");
  });

  test("is unusable at dateExpires, to the millisecond, and stays listed", async () => {
    const user = await make.user();
    const dateExpires = clock.now() + 60_000;
    const { value } = await make.token(user, { scopes: ["user_read"], dateExpires });
    expect(await as.bearer(value).get("/api/auth/me")).toSucceed();
    clock.advance(60_000);
    const refused = await as.bearer(value).get("/api/auth/me");
    expect(refused).toFail(401, "tokenExpired");
    expect(refused.body.message).toContain('The token "test" has expired');
    expect((await as.user(user).get("/api/pat")).body).toHaveLength(1);
  });

  test("dateLastUsed is null before the first use, then written at most once a minute", async () => {
    const user = await make.user();
    const { value } = await make.token(user, { scopes: ["user_read"] });
    const lastUsed = async () => (await as.user(user).get("/api/pat")).body[0].dateLastUsed;
    expect(await lastUsed()).toBeNull();
    await as.bearer(value).get("/api/auth/me");
    const first = await lastUsed();
    expect(Date.parse(first)).toBeGreaterThan(clock.now() - 10_000);
    await as.bearer(value).get("/api/auth/me");
    expect(await lastUsed()).toBe(first);
    clock.advance(60_001);
    await as.bearer(value).get("/api/auth/me");
    expect(Date.parse(await lastUsed())).toBeGreaterThan(Date.parse(first));
  });

  test("listTokens comes newest first", async () => {
    const user = await make.user();
    for (const name of ["one", "two", "three"]) {
      await create(user, { name });
      clock.advance(10);
    }
    const names = (await as.user(user).get("/api/pat")).body.map((pat: { name: string }) => pat.name);
    expect(names).toEqual(["three", "two", "one"]);
  });

  test("an Authorization header decides alone: a bad one is refused though the cookie is good", async () => {
    const user = await make.user({ userName: uniqueName() });
    const both = as.user(user).with({ authorization: "Bearer nonsense" });
    expect(await both.get("/api/auth/me")).toFail(401, "credentialInvalid");
    expect((await both.get("/api/auth/me")).headers.get("www-authenticate")).toContain("Bearer");
  });
});
