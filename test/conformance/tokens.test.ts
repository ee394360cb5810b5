// Personal access tokens: the rows of section 4, their fields' notes, and every rule that later sections repeat.
import { describe, expect } from "vitest";
import type { TestUser } from "#test/callers/actors.js";
import { conforms } from "./conforms.js";
import { apiScopes, restrictedScopes } from "./shape-check.js";
import { conformanceWorld, good } from "./world.js";

const { as, make, clock } = await conformanceWorld();
const input = { name: "ci", dateExpires: "2099-01-31", authScopes: ["user_read"] };
const create = (user: TestUser, change: object = {}) => as.user(user).post("/api/pat", { ...input, ...change });
const list = async (user: TestUser) => good(await as.user(user).get("/api/pat"));

describe("managing tokens", () => {
  conforms(
    {
      "4.pat.session": "session authentication required; not usable with a PAT",
      "5.patBySession": "PAT creation, update, deletion and listing require a session; they cannot be done with a PAT.",
      "7.patByPat": "PAT management cannot be done with a PAT",
    },
    async () => {
      const user = await make.user();
      const { id, token } = good(await create(user, { authScopes: apiScopes }));
      const before = await list(user);
      for (const [method, path] of [
        ["GET", "/api/pat"],
        ["POST", "/api/pat"],
        ["PATCH", `/api/pat/${id}`],
        ["DELETE", `/api/pat/${id}`],
      ] as const) {
        const options = method === "GET" ? {} : { json: { ...input, name: "changed" } };
        expect(await as.bearer(token).call(method, path, options)).toFail(403, "sessionNeeded");
        expect(await as.anyone.call(method, path, options)).toFail(401, "signInNeeded");
        // A token is not a session, in whichever header it is sent.
        const asCookie = as.anyone.with({ cookie: `auth-token=${token}` });
        expect(await asCookie.call(method, path, options)).toFail(403, "sessionNeeded");
      }
      expect(ignoringUse(await list(user))).toEqual(ignoringUse(before));
    },
  );

  conforms(
    {
      "4.pat.list": "GET | /api/pat | none | array of PAT (without token)",
      "4.pat.create": "POST | /api/pat | JSON body",
      "4.pat.create.response": "PAT including token, returned once",
      "2.PAT.token.note": "present ONLY in the response to creation; never returned again",
      "5.tokenOnce": "A PAT token value is returned only in the creation response, and looks like <ACCESS_TOKEN>.",
    },
    async () => {
      const user = await make.user();
      const created = await create(user);
      const { token, ...rest } = good(created);
      expect(token).toMatch(/^\w{20,}$/);
      const listed = await as.user(user).get("/api/pat");
      expect(listed.body).toEqual([rest]);
      const updated = await as.user(user).patch(`/api/pat/${rest.id}`, input);
      expect(updated.body).toEqual(rest);
      const deleted = await as.user(user).delete(`/api/pat/${rest.id}`);
      for (const { text } of [listed, updated, deleted]) expect(text).not.toContain(token);
    },
  );

  conforms(
    { "4.pat.update": "PATCH | /api/pat/{patId} | same body as create | updated PAT without token" },
    async () => {
      const user = await make.user();
      const { token, ...created } = good(await create(user));
      const change = { name: "renamed", dateExpires: "2098-06-30", authScopes: ["version_create", "project_read"] };
      const updated = good(await as.user(user).patch(`/api/pat/${created.id}`, change));
      expect(updated).toEqual({
        ...created,
        name: "renamed",
        dateExpires: "2098-06-30T00:00:00.000Z",
        scopes: expect.arrayContaining(change.authScopes),
      });
      expect(updated.scopes).toHaveLength(2);
      expect(await list(user)).toEqual([updated]);
      expect(await as.bearer(token).get("/api/auth/me")).toFail(403, "scopeMissing");
    },
  );

  conforms(
    { "4.pat.delete": "DELETE | /api/pat/{patId} | none | JSON with success (boolean) and message (string)" },
    async () => {
      const user = await make.user();
      const { id, token } = good(await create(user));
      expect(good(await as.user(user).delete(`/api/pat/${id}`))).toEqual({
        success: true,
        message: expect.any(String),
      });
      expect(await list(user)).toEqual([]);
      expect(await as.bearer(token).get("/api/auth/me")).toFail(401);
    },
  );
});

describe("the parts of a token", () => {
  conforms(
    {
      "4.pat.create.name": "name (string, 1 to 64 chars)",
      "2.PAT.name.note": "1 to 64 characters",
      "7.name": "name must be 1 to 64 characters",
      "8.patName": "PAT name | 1 to 64 characters",
    },
    async () => {
      const user = await make.user();
      for (const name of ["x", "n".repeat(64), "ü".repeat(64), "🎲".repeat(64)])
        expect(good(await create(user, { name })).name).toBe(name);
      const { id } = good(await create(user));
      for (const name of ["", "n".repeat(65), "🎲".repeat(65), 7, null, undefined, ["ci"]])
        expect(await create(user, { name })).toFail(400);
      expect(await as.user(user).patch(`/api/pat/${id}`, { ...input, name: "n".repeat(65) })).toFail(400);
    },
  );

  conforms(
    {
      "4.pat.create.dateExpires": "dateExpires (string, ISO 8601 date, must be in the future)",
      "7.expiry": "dateExpires must be in the future",
    },
    async () => {
      const user = await make.user();
      expect(good(await create(user, { dateExpires: "2098-12-31" })).dateExpires).toBe("2098-12-31T00:00:00.000Z");
      const soon = new Date(clock.now() + 60_000).toISOString();
      const { id, dateExpires } = good(await create(user, { dateExpires: soon }));
      expect(dateExpires).toBe(soon);
      const past = ["2001-01-01", "1970-01-01T00:00:00Z", new Date(clock.now() - 1000).toISOString()];
      for (const bad of [...past, "tomorrow", "2099-02-30", "", 4_102_444_800_000, null, undefined])
        expect(await create(user, { dateExpires: bad })).toFail(400);
      for (const bad of past)
        expect(await as.user(user).patch(`/api/pat/${id}`, { ...input, dateExpires: bad })).toFail(400);
    },
  );

  conforms(
    {
      "4.pat.create.authScopes": "authScopes (API_SCOPE[])",
      "2.PAT.scopes.note": "granted scopes (see the scope list in section 5)",
      "2.PAT.userId.note": "owner",
    },
    async () => {
      const user = await make.user();
      const { scopes, userId } = good(await create(user, { authScopes: ["version_create", "user_read"] }));
      expect(new Set(scopes)).toEqual(new Set(["version_create", "user_read"]));
      expect(userId).toBe(user.id);
      for (const authScopes of [["root"], ["USER_READ"], "user_read", [null], undefined, null])
        expect(await create(user, { authScopes })).toFail(400);
    },
  );

  conforms(
    {
      "5.scopes":
        "Scopes assignable to a PAT (API_SCOPE): user_read, user_read_email, user_write, user_write_email, project_create, project_read, project_write, project_delete, version_create, version_read, version_write, version_delete, organization_create, organization_read, organization_write, organization_delete, collection_create, collection_read, collection_write, collection_delete, notification_read, notification_write, notification_delete, report_create, report_read, report_write, report_delete, thread_read, thread_write.",
    },
    async () => {
      expect(apiScopes).toHaveLength(29);
      const user = await make.user();
      for (const scope of apiScopes) expect(good(await create(user, { authScopes: [scope] })).scopes).toEqual([scope]);
      const { scopes } = good(await create(user, { authScopes: apiScopes }));
      expect([...scopes].sort()).toEqual([...apiScopes].sort());
      const known = good(await as.anyone.get("/api/tags/api-scopes"));
      expect([...known].sort()).toEqual([...apiScopes, ...restrictedScopes].sort());
    },
  );

  conforms(
    {
      "5.restricted":
        "Restricted scopes, which cannot be assigned to a PAT and exist only for browser sessions: pat_create, pat_read, pat_write, pat_delete, user_session_read, user_session_delete, user_auth_write, user_delete, analytics_read.",
      "7.restricted": "restricted scopes cannot be assigned to a PAT",
    },
    async () => {
      expect(restrictedScopes).toHaveLength(9);
      const user = await make.user();
      const { token: _, ...created } = good(await create(user));
      for (const scope of restrictedScopes) {
        expect(await create(user, { authScopes: ["user_read", scope] })).toFail(400, "restrictedScopes");
        const widened = await as.user(user).patch(`/api/pat/${created.id}`, { ...input, authScopes: [scope] });
        expect(widened).toFail(400, "restrictedScopes");
      }
      expect(await list(user)).toEqual([created]);
      // A session may do this, but a token with all scopes may not.
      const token = await as.token(user, { scopes: apiScopes as never });
      expect(await as.user(user).get("/api/auth/sessions")).toSucceed();
      expect(await token.get("/api/auth/sessions")).toFail(403, "sessionNeeded");
    },
  );
});

describe("a token in use", () => {
  conforms(
    {
      "3.pat": "A PAT has no state field; it becomes unusable at dateExpires.",
      "5.expiryAndScopes":
        "A PAT has an expiry date (must be in the future at creation) and a set of scopes limiting its actions.",
    },
    async () => {
      const user = await make.user();
      const dateExpires = new Date(clock.now() + 3_600_000).toISOString();
      const { token, ...created } = good(await create(user, { dateExpires }));
      expect(Object.keys(created).filter((key) => /stat(?:e|us)/i.test(key))).toEqual([]);
      expect(await as.bearer(token).get("/api/auth/me")).toSucceed();
      expect(await as.bearer(token).patch("/api/user", { bio: "by token" })).toFail(403, "scopeMissing");
      clock.advance(3_600_000);
      expect(await as.bearer(token).get("/api/auth/me")).toFail(401, "tokenExpired");
      expect(await as.bearer(token).get("/api/projects/random")).toFail(401, "tokenExpired");
    },
  );

  conforms({ "2.PAT.dateLastUsed.note": "null before first use" }, async () => {
    const user = await make.user();
    const { token } = good(await create(user));
    expect((await list(user))[0].dateLastUsed).toBeNull();
    await as.bearer(token).get("/api/auth/me");
    expect(Date.parse((await list(user))[0].dateLastUsed)).toBeGreaterThan(clock.now() - 60_000);
  });

  conforms(
    {
      "5.header": "A personal access token is sent in the Authorization header.",
      "5.header.forms": "Both the bare token value and the form Bearer <ACCESS_TOKEN> appear in use.",
    },
    async () => {
      const user = await make.user();
      const { token } = good(await create(user));
      for (const authorization of [token, `Bearer ${token}`, `bearer ${token}`])
        expect(good(await as.anyone.get("/api/auth/me", { headers: { authorization } })).id).toBe(user.id);
      for (const authorization of [`${token}x`, `Token ${token}`, "Bearer", token.slice(0, -1)])
        expect(await as.anyone.get("/api/auth/me", { headers: { authorization } })).toFail(401, "credentialInvalid");
    },
  );
});

const ignoringUse = (tokens: object[]): object[] => tokens.map((token) => ({ ...token, dateLastUsed: null }));
