import { describe, expect, test } from "vitest";
import { testApp } from "#test/server/harness.js";
import { cookie, readCookie } from "./cookies.js";

const { as, make, clock } = await testApp();
const day = 24 * 60 * 60 * 1000;
const cleared = "auth-token=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax";

describe("the session cookie", () => {
  test("is HttpOnly, SameSite=Lax and host-only; with https also Secure, with HSTS", async () => {
    const url = "https://mods.example";
    const secure = await testApp({ settings: { MODSHELF_URL: url } });
    const password = "correct horse battery";
    for (const [site, origin, flags] of [
      [{ as, make }, "http://modshelf.test", "HttpOnly; SameSite=Lax"],
      [secure, url, "HttpOnly; SameSite=Lax; Secure"],
    ] as const) {
      const user = await site.make.user({ password });
      const signedIn = await site.as.anyone.post(
        "/api/auth/signin/credential",
        { email: user.email, password },
        { headers: { origin } },
      );
      expect(signedIn).toSucceed();
      const [set, ...more] = signedIn.headers.getSetCookie();
      expect(more).toEqual([]);
      expect(set?.replace(/mss_\w+/, "TOKEN")).toBe(`auth-token=TOKEN; Path=/; Max-Age=7776000; ${flags}`);
      const hsts = signedIn.headers.get("strict-transport-security");
      expect(hsts).toBe(origin === url ? "max-age=31536000" : null);
    }
    await secure.stop();
  });

  test("that is expired, unknown, forged or empty makes the caller anonymous and is cleared", async () => {
    const user = await make.user();
    const changed = `${user.sessionToken.slice(0, -1)}${user.sessionToken.endsWith("a") ? "b" : "a"}`;
    for (const value of [changed, "nonsense", "", `"${changed}"`, "x".repeat(4000), "%00"]) {
      const reply = await as.anyone.get("/api/tags/loaders", { headers: { cookie: `auth-token=${value}` } });
      expect(reply).toSucceed();
      expect(reply.headers.getSetCookie()).toEqual([cleared]);
    }
    const mine = as.user(user);
    expect((await mine.get("/api/auth/me")).headers.getSetCookie()).toEqual([]);
    clock.advance(31 * day);
    const late = await mine.get("/api/auth/me");
    expect(late).toFail(401, "signInNeeded");
    expect(late.headers.getSetCookie()).toEqual([cleared]);
  });

  test("may contain an access token, which counts like an Authorization header for any Origin", async () => {
    const user = await make.user();
    const { id, value } = await make.token(user, { scopes: ["user_read", "user_write"] });
    const script = (token: string, more: Record<string, string> = {}) =>
      as.anyone.with({ cookie: `auth-token=${token}`, origin: "https://other-registry.example", ...more });
    const me = await script(value).get("/api/auth/me");
    expect([me.body.id, me.headers.getSetCookie()]).toEqual([user.id, []]);
    expect(await script(value).patch("/api/user", { bio: "By a script" })).toSucceed();
    // Its scopes apply, and it is not a session.
    expect(await script(value).post("/api/project", {})).toFail(403, "scopeMissing");
    expect(await script(value).get("/api/pat")).toFail(403, "sessionNeeded");
    // An invalid one is refused everywhere; if both are present, the header decides.
    const changed = `${value.slice(0, -1)}${value.endsWith("a") ? "b" : "a"}`;
    for (const bad of [changed, "msp_", "msp_nonsense"])
      expect(await script(bad).get("/api/tags/loaders")).toFail(401, "credentialInvalid");
    expect(await script(value, { authorization: "Bearer nonsense" }).get("/api/auth/me")).toFail(401);
    expect(await script(user.sessionToken).patch("/api/user", { bio: "No" })).toFail(403, "originRefused");
    expect(await as.user(user).delete(`/api/pat/${id}`)).toSucceed();
    expect(await script(value).get("/api/auth/me")).toFail(401, "credentialInvalid");
  });

  test("replaces an expired one at sign-in: the answer contains only the new cookie", async () => {
    const password = "correct horse battery";
    const user = await make.user({ password });
    const stale = as.user({ ...user, sessionToken: "mss_stale" });
    const reply = await stale.post("/api/auth/signin/credential", { email: user.email, password });
    expect(reply).toSucceed();
    const [set, ...more] = reply.headers.getSetCookie();
    expect(more).toEqual([]);
    const value = readCookie(set?.split(";")[0], "auth-token");
    expect(await as.user({ ...user, sessionToken: value! }).get("/api/auth/me")).toSucceed();
  });

  test("counts once: the first of several, with anything around it", async () => {
    const [user, other] = [await make.user(), await make.user()];
    const who = async (header: string) =>
      (await as.anyone.get("/api/auth/me", { headers: { cookie: header } })).body.userName;
    expect(await who(`a=b; auth-token=${user.sessionToken}; c=d`)).toBe(user.userName);
    expect(await who(`auth-token=${user.sessionToken}; auth-token=${other.sessionToken}`)).toBe(user.userName);
    expect(await who(`auth-token="${user.sessionToken}"`)).toBe(user.userName);
    expect(await who(`xauth-token=${other.sessionToken};auth-token=${user.sessionToken}`)).toBe(user.userName);
    expect(await who(`AUTH-TOKEN=${user.sessionToken}`)).toBeUndefined();
    expect(await who(`auth-token=nonsense; auth-token=${user.sessionToken}`)).toBeUndefined();
  });

  test("is ignored beside an Authorization header: an invalid header is refused also for public reads", async () => {
    const user = await make.user();
    for (const authorization of [
      "nonsense",
      "Bearer ",
      "Bearer x",
      "Basic !!!",
      "Basic eDp5",
      `Bearer ${user.sessionToken}`,
    ])
      for (const path of ["/api/auth/me", "/api/tags/loaders", `/api/user/${user.userName}`]) {
        const reply = await as.user(user).get(path, { headers: { authorization } });
        expect(reply).toFail(401, "credentialInvalid");
        expect(reply.headers.getSetCookie()).toEqual([]);
      }
  });
});

describe("reading cookies", () => {
  test.each([
    [undefined, undefined],
    ["", undefined],
    ["a", undefined],
    ["=x", undefined],
    ["a=1", "1"],
    ["b=2; a=1", "1"],
    ["b=a=3;a=1", "1"],
    ["a=", ""],
    ["a=x=y", "x=y"],
    [" a = 1 ", "1"],
    ["a=1;a=2", "1"],
    ["ba=2", undefined],
    [";;;a=1", "1"],
  ])("from %j finds %j", (header, value) => {
    expect(readCookie(header, "a")).toBe(value);
  });

  test("writes a path if one is given", () => {
    expect(cookie("a", "b", { maxAgeSeconds: 5, secure: true, path: "/x" })).toBe(
      "a=b; Path=/x; Max-Age=5; HttpOnly; SameSite=Lax; Secure",
    );
  });
});
