// Law: every endpoint lets in exactly those whom its access rule names. Made from the list of endpoints: a new one is
// covered as soon as it is mounted.
import { beforeAll, describe, expect, test } from "vitest";
import { routes } from "../../server/src/app.js";
import { write } from "../../server/src/changes/write.js";
import type { EndpointSpec } from "../../server/src/http/endpoint.js";
import { assignableScopes, type Scope } from "../../server/src/lib/scopes.js";
import { newSecretToken } from "../../server/src/lib/secret-token.js";
import { createCode } from "../../server/src/users/codes.js";
import { setSuspension } from "../../server/src/users/write.js";
import type { Actor, Reply, TestUser } from "../actors.js";
import { siteUrl, testApp } from "../harness.js";
import { fitting } from "./fitting-values.js";

const { as, make, resources, clock } = await testApp();

const endpoints = routes.map(({ endpoint }) => endpoint);
const needing = endpoints.flatMap((endpoint) =>
  endpoint.access.kind === "needs" ? [{ ...endpoint, scopes: endpoint.access.scopes }] : [],
);
const needingOne = endpoints.flatMap((endpoint) =>
  endpoint.access.kind === "needsOneOf" ? [{ ...endpoint, scopes: endpoint.access.scopes }] : [],
);
const readable = endpoints.flatMap((endpoint) =>
  endpoint.access.kind === "readable" ? [{ ...endpoint, scopes: endpoint.access.scopes }] : [],
);
const forSessions = endpoints.filter(({ access }) => access.kind === "session");
const guarded = [...needing, ...needingOne, ...forSessions];
const unsafe = endpoints.filter(({ method, crossOrigin }) => method !== "GET" && !crossOrigin);

/** A request that the endpoint can make something of: its parameters name things of this user. */
async function call(
  actor: Actor,
  endpoint: EndpointSpec,
  user: TestUser,
  method: string = endpoint.method,
): Promise<Reply> {
  const known: Record<string, string> = { ref: user.userName, id: user.id, file: "default.png" };
  const params = fitting(endpoint.params ?? {}) as Record<string, string>;
  const path = endpoint.path.replace(/:(\w+)/g, (_, name) =>
    encodeURIComponent(known[name] ?? params[name] ?? "sample"),
  );
  const query = new URLSearchParams(endpoint.query && (fitting(endpoint.query) as Record<string, string>));
  return actor.call(method, query.size > 0 ? `${path}?${query}` : path, {
    ...(endpoint.body && { json: fitting(endpoint.body) }),
  });
}

const without = (...scopes: Scope[]): Scope[] => assignableScopes.filter((scope) => !scopes.includes(scope));

/** Refused for what the caller is, rather than for what he asks. */
const isShutOut = ({ status, body }: Reply): boolean =>
  status === 401 || ["scopeMissing", "sessionNeeded", "originRefused"].includes(body?.code);

const shown = ({ status, body, text }: Reply) => ({ status, body: body ? { ...body, requestId: undefined } : text });

/** Whatever is changed leaves a mark in one of these. */
async function stateOfEverything(): Promise<unknown> {
  const { db } = resources;
  const last = (table: "changes" | "audit_log", column: "seq" | "id") =>
    db
      .selectFrom(table)
      .select((select) => select.fn.max(column as never).as("last"))
      .executeTakeFirst();
  return {
    changes: await last("changes", "seq"),
    audits: await last("audit_log", "id"),
    users: await db.selectFrom("users").selectAll().orderBy("id").execute(),
    sessions: await db.selectFrom("sessions").select("id").orderBy("id").execute(),
    tokens: await db.selectFrom("tokens").select(["id", "name", "scopes"]).orderBy("id").execute(),
    flows: await db.selectFrom("oauth_flows").select("state_digest").execute(),
  };
}

let user: TestUser;
beforeAll(async () => {
  user = await make.user();
});

describe("a token with exactly the scopes of an endpoint gets in", () => {
  test.each([...needing, ...readable])("$id", async (endpoint) => {
    const owner = await make.user();
    const reply = await call(await as.token(owner, { scopes: endpoint.scopes }), endpoint, owner);
    expect(isShutOut(reply), reply.text).toBe(false);
  });
});

describe("a session gets in", () => {
  test.each([...guarded, ...readable])("$id", async (endpoint) => {
    const owner = await make.user();
    const reply = await call(as.user(owner), endpoint, owner);
    expect(isShutOut(reply), reply.text).toBe(false);
  });
});

describe("a token with every scope but one of those needed is refused and told which", () => {
  test.each(needing)("$id", async (endpoint) => {
    for (const missing of endpoint.scopes) {
      const token = await as.token(user, { scopes: without(missing) });
      const before = await stateOfEverything();
      const reply = await call(token, endpoint, user);
      expect(reply).toFail(403, "scopeMissing");
      expect(reply.body.message).toContain(missing);
      expect(await stateOfEverything()).toEqual(before);
    }
  });
});

describe("where one of several scopes will do, each does, and without any of them a token is refused and told", () => {
  test.each(needingOne)("$id", async (endpoint) => {
    for (const scope of endpoint.scopes) {
      const owner = await make.user();
      const reply = await call(await as.token(owner, { scopes: [scope] }), endpoint, owner);
      expect(isShutOut(reply), reply.text).toBe(false);
    }
    const token = await as.token(user, { scopes: without(...endpoint.scopes) });
    const before = await stateOfEverything();
    const reply = await call(token, endpoint, user);
    expect(reply).toFail(403, "scopeMissing");
    expect(reply.body.message).toContain(endpoint.scopes.join(" or "));
    expect(await stateOfEverything()).toEqual(before);
  });
});

describe("a token without the scopes of a public read sees what anybody sees", () => {
  test.each(readable)("$id", async (endpoint) => {
    const other = await call(await as.token(user, { scopes: without(...endpoint.scopes) }), endpoint, user);
    expect(shown(other)).toEqual(shown(await call(as.anyone, endpoint, user)));
  });
});

describe("no token, whatever its scopes, does what needs a session", () => {
  test.each(forSessions)("$id", async (endpoint) => {
    const token = await as.token(user, { scopes: assignableScopes });
    const before = await stateOfEverything();
    expect(await call(token, endpoint, user)).toFail(403, "sessionNeeded");
    expect(await stateOfEverything()).toEqual(before);
  });
});

describe("nobody gets in where somebody is needed, and is told how to", () => {
  test.each(guarded)("$id", async (endpoint) => {
    const before = await stateOfEverything();
    const reply = await call(as.anyone, endpoint, user);
    expect(reply).toFail(401, "signInNeeded");
    expect(reply.headers.get("www-authenticate")).toMatch(/^Bearer /);
    const expired = await call(as.anyone.with({ cookie: `auth-token=${unknownToken("mss_")}` }), endpoint, user);
    expect(expired).toFail(401, "signInNeeded");
    expect(expired.headers.get("set-cookie")).toContain("Max-Age=0");
    if (endpoint.method === "GET") expect((await call(as.anyone, endpoint, user, "HEAD")).status).toBe(401);
    expect(await stateOfEverything()).toEqual(before);
  });
});

const unknownToken = (prefix: "msp_" | "mss_" | "msc_"): string => newSecretToken(prefix, resources.random);
const tokenOf = (owner: TestUser, scopes: readonly Scope[] = assignableScopes) => make.token(owner, { scopes });

/** Each kind of credential that must not work, made before the tests that try it everywhere. */
const bad: Record<string, () => Promise<string>> = {
  garbage: async () => "garbage",
  "an empty header": async () => "",
  "a scheme without a token": async () => "Bearer",
  "a foreign scheme": async () => "Digest username=x",
  "a token that was never made": async () => `Bearer ${unknownToken("msp_")}`,
  "a token with a wrong checksum": async () => `Bearer ${(await tokenOf(user)).value.slice(0, -1)}_`,
  "an expired token": async () =>
    (await make.token(user, { scopes: assignableScopes, dateExpires: clock.now() - 1 })).value,
  "a deleted token": async () => {
    const { id, value } = await tokenOf(user);
    await resources.db.deleteFrom("tokens").where("id", "=", id).execute();
    return `Basic ${Buffer.from(`name:${value}`).toString("base64")}`;
  },
  "the token of a suspended user": async () => {
    const suspended = await make.user();
    const { value } = await tokenOf(suspended);
    await write(resources, {}, (tx) => setSuspension(tx, suspended.id, "test"));
    return `bearer ${value}`;
  },
  "the token of a deleted user": async () => {
    const gone = await make.user();
    const { value } = await tokenOf(gone);
    await resources.db.deleteFrom("users").where("id", "=", gone.id).execute();
    return `Bearer ${value}`;
  },
  "a session's token": async () => `Bearer ${user.sessionToken}`,
  "a one-time code": async () => `Bearer ${await write(resources, {}, (tx) => createCode(tx, "setup", null))}`,
};

describe("an Authorization header that is not good is refused everywhere, and the cookie does not help", () => {
  test.each(Object.keys(bad))("%s", async (kind) => {
    const authorization = await bad[kind]!();
    const before = await stateOfEverything();
    const caller = as.user(user).with({ authorization });
    for (const endpoint of endpoints.filter(({ ownAuthorization }) => !ownAuthorization)) {
      const reply = await call(caller, endpoint, user);
      expect(reply, endpoint.id).toFail(401, "credentialInvalid");
      expect(reply.headers.get("www-authenticate"), endpoint.id).toMatch(/^Bearer /);
    }
    expect(await stateOfEverything()).toEqual(before);
  });
});

test("the session of a suspended user opens nothing", async () => {
  const suspended = await make.user();
  await write(resources, {}, (tx) => setSuspension(tx, suspended.id, "test"));
  for (const endpoint of guarded)
    expect(await call(as.user(suspended), endpoint, suspended), endpoint.id).toFail(401, "signInNeeded");
});

/** What a page elsewhere can make a browser send. */
const foreign: Record<string, Record<string, string>> = {
  "another site": { origin: "https://evil.example" },
  "an opaque origin": { origin: "null" },
  "a sub-domain": { origin: siteUrl.replace("//", "//sub.") },
  "a name that begins like ours": { origin: `${siteUrl}.evil.example` },
  "a name that ends like ours": { origin: siteUrl.replace("//", "//evil") },
  "another scheme": { origin: siteUrl.replace("http:", "https:") },
  "another port": { origin: `${siteUrl}:8080` },
  "no origin, but cross-site": { origin: "", "sec-fetch-site": "cross-site" },
  "no origin, but same-site": { origin: "", "sec-fetch-site": "same-site" },
};
const types = ["application/json", "text/plain", "application/x-www-form-urlencoded"];

describe("a page elsewhere cannot act with a visitor's cookie", () => {
  test.each(unsafe)("$id", async (endpoint) => {
    const before = await stateOfEverything();
    for (const [at, [kind, headers]] of Object.entries(foreign).entries()) {
      const { origin, ...rest } = headers;
      const cookie = `auth-token=${user.sessionToken}`;
      const visitor = as.anyone.with({ cookie, ...rest, ...(origin && { origin }), "content-type": types[at % 3]! });
      expect(await call(visitor, endpoint, user), kind).toFail(403, "originRefused");
    }
    expect(await stateOfEverything()).toEqual(before);
  });
});

describe("a page elsewhere reads what is public, and nothing else", () => {
  test.each(endpoints)("$id", async (endpoint) => {
    const isPublic =
      endpoint.crossOrigin || (endpoint.method === "GET" && ["open", "readable"].includes(endpoint.access.kind));
    const reply = await call(as.anyone.with({ origin: "https://evil.example" }), endpoint, user);
    expect(reply.headers.get("access-control-allow-origin")).toBe(isPublic ? "*" : null);
    expect(reply.headers.get("access-control-allow-credentials")).toBeNull();
    const preflight = await call(as.anyone.with({ origin: "https://evil.example" }), endpoint, user, "OPTIONS");
    expect(preflight.headers.get("access-control-allow-credentials")).toBeNull();
  });
});
