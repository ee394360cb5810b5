import { describe, expect, test } from "vitest";
import type { Actor } from "#test/callers/actors.js";
import { FrameControl, frameRoutes } from "#test/server/frame-routes.js";
import { siteUrl, testApp } from "#test/server/harness.js";

const trusted = "https://panel.example";
const { as, make, resources } = await testApp({
  routes: frameRoutes(new FrameControl()),
  settings: { MODSHELF_CORS_ORIGINS: trusted },
});

const foreign = "https://evil.example";
const lookAlikes = [
  foreign,
  "null",
  "",
  `${siteUrl}.evil.example`,
  siteUrl.replace("http:", "https:"),
  `${siteUrl}:8080`,
  `${siteUrl}/`,
  siteUrl.replace("modshelf", "sub.modshelf"),
  siteUrl.replace("//", "//evil-"),
  siteUrl.toUpperCase(),
  `${siteUrl}, ${siteUrl}`,
  `${trusted}.evil.example`,
  "https://panel.example:444",
];

describe("pages of other sites", () => {
  const allowed = ({ headers }: { headers: Headers }) => [
    headers.get("access-control-allow-origin"),
    headers.get("access-control-allow-credentials"),
  ];

  test.each(["/frame/text", "/frame/readable", "/frame/raw", "/frame/throw"])(
    "may read %s without credentials, also its refusals",
    async (path) => {
      for (const origin of [...lookAlikes, siteUrl]) {
        const reply = await as.anyone.get(path, { headers: { origin } });
        expect(allowed(reply)).toEqual(["*", null]);
        const exposed = reply.headers.get("access-control-expose-headers")?.split(", ");
        const wanted = ["Content-Disposition", "ETag", "Retry-After", "RateLimit", "RateLimit-Policy"];
        // Our own pages may read all headers anyway.
        expect(exposed).toEqual(origin === siteUrl ? undefined : expect.arrayContaining(wanted));
      }
      expect(allowed(await as.anyone.get(path))).toEqual(["*", null]);
    },
  );

  test("may make look-ups that are POST only because of their length", async () => {
    const reply = await as.anyone.post("/frame/lookup", {}, { headers: { origin: foreign } });
    expect(reply).toSucceed();
    expect(allowed(reply)).toEqual(["*", null]);
  });

  test.each(["/frame/private", "/frame/session"])("cannot read %s, also if a user is signed in", async (path) => {
    const user = await make.user();
    for (const origin of lookAlikes)
      for (const actor of [as.anyone, as.user(user)])
        expect(allowed(await actor.get(path, { headers: { origin } }))).toEqual([null, null]);
  });

  test("may read answers and refusals for a token, and never with the cookie", async () => {
    const user = await make.user();
    const token = await as.token(user, { scopes: ["user_read"] });
    const calls: [Actor, string, string, number][] = [
      [token, "GET", "/frame/private", 200],
      [token, "POST", "/frame/mixed", 403],
      [token, "GET", "/frame/session", 403],
      [token, "PUT", "/frame/text", 405],
      [token, "GET", "/api/nothing-here", 404],
      [as.anyone.with({ authorization: "Bearer nonsense" }), "GET", "/frame/private", 401],
    ];
    for (const [actor, method, path, status] of calls) {
      const reply = await actor.call(method, path, { headers: { origin: foreign } });
      expect([reply.status, ...allowed(reply)], path).toEqual([status, "*", null]);
    }
    const both = token.with({ cookie: `auth-token=${user.sessionToken}` });
    expect(allowed(await both.get("/frame/private", { headers: { origin: foreign } }))).toEqual(["*", null]);
  });

  test("may use credentials if the operator trusts them", async () => {
    const user = await make.user();
    for (const path of ["/frame/text", "/frame/private"]) {
      const reply = await as.user(user).get(path, { headers: { origin: trusted } });
      expect(reply).toSucceed();
      expect(allowed(reply)).toEqual([trusted, "true"]);
      expect(reply.headers.get("vary")).toContain("Origin");
    }
    expect(await as.user(user).post("/frame/mixed", {}, { headers: { origin: trusted } })).toSucceed();
  });
});

describe("a preflight", () => {
  const preflight = (path: string, origin: string, method: string, headers = "x-launcher,if-none-match") =>
    as.anyone.call("OPTIONS", path, {
      headers: { origin, "access-control-request-method": method, "access-control-request-headers": headers },
    });

  test("allows public reads to every site, with any request header", async () => {
    const reply = await preflight("/frame/text", foreign, "GET");
    expect(reply.status).toBe(204);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, HEAD",
      "access-control-allow-headers": "x-launcher, if-none-match",
      "access-control-max-age": "7200",
      vary: "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
    });
    expect(reply.headers.get("access-control-allow-credentials")).toBeNull();
    expect((await preflight("/frame/lookup", foreign, "POST")).headers.get("access-control-allow-origin")).toBe("*");
  });

  test.each([
    ["/frame/private", "GET"],
    ["/frame/mixed", "POST"],
    ["/frame/text", "DELETE"],
    ["/frame/echo/x", "POST"],
  ])("for %s %s without a token allows only trusted sites", async (path, method) => {
    const refused = await preflight(path, foreign, method);
    expect(refused.status).toBe(204);
    expect([...refused.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    if (method === "DELETE") return;
    const granted = await preflight(path, trusted, method);
    expect(granted.headers.get("access-control-allow-origin")).toBe(trusted);
    expect(granted.headers.get("access-control-allow-credentials")).toBe("true");
    expect(granted.headers.get("access-control-allow-methods")).toContain(method);
  });

  test.each([
    ["/frame/private", "GET"],
    ["/frame/mixed", "POST"],
    ["/frame/echo/x", "POST"],
    ["/frame/upload", "POST"],
  ])("for %s %s with a token allows every site, without the cookie", async (path, method) => {
    const reply = await preflight(path, foreign, method, "Authorization,content-type,x-my-tool");
    expect(reply.headers.get("access-control-allow-origin")).toBe("*");
    expect(reply.headers.get("access-control-allow-credentials")).toBeNull();
    expect(reply.headers.get("access-control-allow-methods")!.split(", ")).toContain(method);
    expect(reply.headers.get("access-control-allow-headers")).toBe("Authorization, content-type, x-my-tool");
  });

  test("allows only methods of the path, and echoes only valid header names", async () => {
    const refused = await preflight("/frame/text", foreign, "DELETE", "authorization");
    expect(refused.headers.get("access-control-allow-origin")).toBeNull();
    const odd = await preflight("/frame/text", foreign, "GET", 'authorization, "x", a b, , é, x-ok');
    expect(odd.headers.get("access-control-allow-headers")).toBe("authorization, x-ok");
    const none = await as.anyone.call("OPTIONS", "/frame/text", {
      headers: { origin: foreign, "access-control-request-method": "GET" },
    });
    expect(none.headers.get("access-control-allow-origin")).toBe("*");
    expect(none.headers.get("access-control-allow-headers")).toBeNull();
  });
});

describe("a request that changes something", () => {
  const attempts: [string, Record<string, string>, boolean][] = [
    ["from our own pages", { origin: siteUrl }, true],
    ["from a trusted origin", { origin: trusted }, true],
    ["from a program", {}, true],
    ["from our own pages, by an old browser", { "sec-fetch-site": "same-origin" }, true],
    ["from our own pages, whatever else it says", { origin: siteUrl, "sec-fetch-site": "cross-site" }, true],
    ["from another site", { "sec-fetch-site": "cross-site" }, false],
    ["from a sibling", { "sec-fetch-site": "same-site" }, false],
    ["from nowhere", { "sec-fetch-site": "none" }, false],
    ["with two minds", { "sec-fetch-site": "same-origin, cross-site" }, false],
    ...lookAlikes.map((origin): [string, Record<string, string>, boolean] => [
      `from ${origin || '""'}`,
      { origin },
      false,
    ]),
  ];
  const bodies = [
    { body: '{"name":"csrf"}', headers: { "content-type": "application/json" } },
    { body: '{"name":"csrf"}', headers: { "content-type": "text/plain" } },
    { body: "name=csrf", headers: { "content-type": "application/x-www-form-urlencoded" } },
  ];

  const act = (actor: Actor, headers: Record<string, string>, body = bodies[0]!) =>
    actor.call("POST", "/frame/act", { ...body, headers: { ...body.headers, ...headers } });
  const countActs = async () => {
    const rows = await resources.db.selectFrom("taxonomies").select("id").where("digest", "=", "csrf").execute();
    return rows.length;
  };

  test.each(attempts)("with the cookie, %s: %o succeeds: %s", async (_where, headers, done) => {
    const user = await make.user();
    const cookie = as.anyone.with({ cookie: `auth-token=${user.sessionToken}` });
    const before = await countActs();
    for (const body of bodies) {
      const reply = await act(cookie, headers, body);
      if (!done) expect(reply).toFail(403, "originRefused");
      else if (body.body.startsWith("{")) expect(reply).toSucceed();
      else expect(reply).toFail(415);
    }
    expect(await countActs()).toBe(before + (done ? 2 : 0));
  });

  test("with a token succeeds from every origin, and without any credential from none", async () => {
    const user = await make.user();
    const token = await as.token(user, { scopes: ["user_write"] });
    for (const [, headers, done] of attempts) {
      expect(await act(token, headers)).toSucceed();
      expect(await act(as.anyone, headers)).toFail(done ? 401 : 403);
    }
  });

  test("with the cookie and a token counts for the token, and fails if the token is invalid", async () => {
    const [user, other] = [await make.user(), await make.user()];
    const token = await as.token(other, { scopes: ["user_write"] });
    const both = token.with({ cookie: `auth-token=${user.sessionToken}`, origin: foreign });
    expect(await act(both, {})).toSucceed();
    const bad = as.user(user).with({ authorization: "Bearer nonsense" });
    expect(await act(bad, {})).toFail(401, "credentialInvalid");
  });

  test("is never a GET: reads change nothing, from any origin", async () => {
    const user = await make.user();
    const before = await countActs();
    const reply = await as.user(user).get("/frame/act", { headers: { origin: foreign } });
    expect(reply).toFail(405);
    expect(await countActs()).toBe(before);
  });
});
