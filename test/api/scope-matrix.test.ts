// Law: every endpoint admits exactly the callers of its access rule. Built from the list of endpoints: a new one is
// covered as soon as it is mounted.
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCode } from "#accounts/users/codes.js";
import { setSuspension } from "#accounts/users/write.js";
import { routes } from "#app.js";
import { assignableScopes, type Scope } from "#lib/scopes.js";
import { newSecretToken } from "#lib/secret-token.js";
import { write } from "#platform/changes/write.js";
import type { Access } from "#platform/http/access.js";
import type { EndpointSpec } from "#platform/http/endpoint.js";
import { isOfFace } from "#platform/http/modrinth-fields.js";
import type { Actor, Reply, TestUser } from "#test/callers/actors.js";
import { siteUrl, testApp } from "#test/server/harness.js";
import { sampleForEngine, sampleOf } from "#test/setup/long.js";
import { makeOrg, makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { fitting, type Hints } from "./fitting-values.js";

const app = await testApp();
const { as, make, resources, clock } = app;

const endpoints = routes.map(({ endpoint }) => endpoint);
const withScopes = (...kinds: string[]) =>
  endpoints.flatMap((endpoint) =>
    "scopes" in endpoint.access && kinds.includes(endpoint.access.kind)
      ? [{ ...endpoint, scopes: endpoint.access.scopes }]
      : [],
  );
const needing = withScopes("needs", "needsOneOf");
const readable = withScopes("readable");
const forSessions = endpoints.filter(({ access }) => access.kind === "session");
const guarded = [...needing, ...forSessions];
const unsafe = endpoints.filter(({ method, crossOrigin }) => method !== "GET" && !crossOrigin);

/** The owner of everything in these tests, including a private project. */
const user = await make.user();
const project = await makeProject(app, user, { visibility: "private" });
const version = await makeVersion(app, user, project.id);
const org = await makeOrg(app, user);
const collected = { name: "Collected", visibility: "private", projects: [project.id] };
const { collectionId } = (await as.user(user).post("/api/collections", collected)).body;

/** Names of existing objects, by the noun of the path and the name of the parameter. */
function hintsFor({ path }: EndpointSpec): Hints {
  const noun = /^\/(?:api\/|v2\/|cdn\/data\/)?(\w+?)s?(?:[-/]|$)/.exec(path.replace("/badge/", "/project/"))?.[1];
  const [ref, id] = {
    project: [project.slug, project.id],
    organization: [org.slug, org.id],
    collection: [collectionId, collectionId],
  }[noun ?? ""] ?? [user.userName, noun === "version" ? version.id : user.id];
  return {
    ref: [ref!],
    id: [id!],
    ids: [path.startsWith("/v2/") ? JSON.stringify([id]) : id!],
    teamId: [project.teamId],
    version: [version.id],
    versionId: [version.id],
    fileName: [`file-${version.versionNumber}.jar`],
    hash: [version.sha512],
    hashes: [version.sha512],
    file: ["default.png"],
    url: [`${siteUrl}/project/${project.slug}`],
    project: [project.slug],
    path: [`maven/modshelf/${project.slug}/maven-metadata.xml`],
  };
}

async function call(actor: Actor, endpoint: EndpointSpec, method: string = endpoint.method): Promise<Reply> {
  const hints = hintsFor(endpoint);
  const values = (schema: EndpointSpec["query"]) => (schema ? fitting(schema, undefined, hints) : {});
  const params = values(endpoint.params) as Record<string, string>;
  const named = endpoint.path.replace(/\*$/, ":path");
  const path = named.replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? "sample"));
  const query = new URLSearchParams(values(endpoint.query) as Record<string, string>);
  return actor.call(method, query.size > 0 ? `${path}?${query}` : path, {
    ...(endpoint.body && { json: values(endpoint.body) }),
  });
}

const without = (...scopes: Scope[]): Scope[] => assignableScopes.filter((scope) => !scopes.includes(scope));

/** Refused because of the caller, rather than because of the request. */
const isShutOut = ({ status, body }: Reply): boolean =>
  status === 401 || ["scopeMissing", "sessionNeeded", "originRefused"].includes(body?.code);

/** Forms have different tokens on every page. */
const shown = ({ status, body, text }: Reply) => ({
  status,
  body: body ? { ...body, requestId: undefined } : text.replace(/(?<=name="form-token" value=")[^"]*/g, ""),
});

/** Every change is visible in one of these tables; downloads are counted in the background and left out. */
async function stateOfEverything() {
  const { db } = resources;
  const all = async (table: string): Promise<object[]> =>
    (await sql<object>`select * from ${sql.table(table)} order by id`.execute(db)).rows;
  const uncounted = async (table: string) => (await all(table)).map((row) => ({ ...row, downloads: 0 }));
  return {
    lastAudit: (await db.selectFrom("audit_log").select("id").orderBy("id", "desc").executeTakeFirst())?.id ?? 0,
    users: await all("users"),
    sessions: await db.selectFrom("sessions").select("id").orderBy("id").execute(),
    tokens: await db.selectFrom("tokens").select(["id", "name", "scopes"]).orderBy("id").execute(),
    flows: await db.selectFrom("oauth_flows").select("state_digest").orderBy("state_digest").execute(),
    organizations: await all("organizations"),
    collections: await all("collections"),
    notifications: await all("notifications"),
    members: await all("team_members"),
    projects: await uncounted("projects"),
    versions: await uncounted("versions"),
  };
}

let tokensMade = 0;

function makeToken(scopes: readonly Scope[]): Promise<Actor> {
  tokensMade++;
  return as.token(user, { scopes: [...scopes] });
}

/** Checks that the surrounding tests change nothing. Checking after each of them would take ten times as long. */
function expectNothingChanged(): void {
  let before: Awaited<ReturnType<typeof stateOfEverything>>;
  let madeBefore: number;
  beforeAll(async () => {
    before = await stateOfEverything();
    madeBefore = tokensMade;
  });
  afterAll(async () => {
    const { tokens, lastAudit, ...after } = await stateOfEverything();
    const { tokens: known, lastAudit: lastBefore, ...rest } = before;
    expect(after).toEqual(rest);
    // `arrayContaining` compares each of the thousands with each.
    const knownIds = new Set(known.map(({ id }) => id));
    expect(tokens.filter(({ id }) => knownIds.has(id))).toEqual(known);
    // Creating a token adds a row and an audit entry.
    const made = tokensMade - madeBefore;
    expect([tokens.length - known.length, lastAudit - lastBefore]).toEqual([made, made]);
  });
}

describe("a token that lacks only a needed scope is refused and told which", () => {
  expectNothingChanged();
  test.each(sampleForEngine(needing))("$id", async (endpoint) => {
    const isEither = endpoint.access.kind === "needsOneOf";
    for (const missing of isEither ? [endpoint.scopes] : endpoint.scopes.map((scope) => [scope])) {
      const reply = await call(await makeToken(without(...missing)), endpoint);
      expect(reply).toFail(403, "scopeMissing");
      for (const scope of missing) expect(reply.body.message).toContain(scope);
    }
  });
});

describe("a token without the scopes of a public read sees what an anonymous caller sees", () => {
  test.each(sampleForEngine(readable))("$id", async (endpoint) => {
    const other = await call(await as.token(user, { scopes: without(...endpoint.scopes) }), endpoint);
    expect(shown(other)).toEqual(shown(await call(as.anyone, endpoint)));
  });
});

test("private objects are visible to their owner: the test above compares more than refusals", async () => {
  const endpoint = readable.find(({ id }) => id === "getProject")!;
  const own = await call(await as.token(user, { scopes: assignableScopes }), endpoint);
  expect(own.status).toBe(200);
  expect((await call(as.anyone, endpoint)).status).toBe(404);
});

describe("no token can call endpoints that need a session, regardless of its scopes", () => {
  expectNothingChanged();
  test.each(sampleForEngine(forSessions))("$id", async (endpoint) => {
    expect(await call(await makeToken(assignableScopes), endpoint)).toFail(403, "sessionNeeded");
  });
});

/** A form comes back as a page with the text that was typed. */
function expectSignInNeeded(reply: Reply, { givesBack, id }: EndpointSpec): void {
  if (givesBack) expect(reply.status, id).toBe(401);
  else expect(reply, id).toFail(401, "signInNeeded");
}

describe("anonymous callers are refused if a user is needed, and told how to sign in", () => {
  expectNothingChanged();
  test.each(sampleForEngine(guarded))("$id", async (endpoint) => {
    const reply = await call(as.anyone, endpoint);
    expectSignInNeeded(reply, endpoint);
    if (!endpoint.givesBack) expect(reply.headers.get("www-authenticate")).toMatch(/^Bearer /);
    const expired = await call(as.anyone.with({ cookie: `auth-token=${unknownToken("mss_")}` }), endpoint);
    expectSignInNeeded(expired, endpoint);
    expect(expired.headers.get("set-cookie")).toContain("Max-Age=0");
    if (endpoint.method === "GET") expect((await call(as.anyone, endpoint, "HEAD")).status).toBe(401);
  });
});

const unknownToken = (prefix: "msp_" | "mss_" | "msc_"): string => newSecretToken(prefix, resources.random);
const tokenOf = (owner: TestUser, scopes: readonly Scope[] = assignableScopes) => make.token(owner, { scopes });

/** Each kind of invalid credential, created before the tests that try it everywhere. */
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

describe("an invalid Authorization header is refused everywhere, even with a valid cookie", () => {
  // Every kind is tried with a fourth of the endpoints, so that every endpoint meets two or three kinds.
  const asked = endpoints.filter(({ ownAuthorization }) => !ownAuthorization);
  test.each([...Object.keys(bad).entries()])("(%i) %s", async (turn, kind) => {
    const authorization = await bad[kind]!();
    const before = await stateOfEverything();
    const caller = as.user(user).with({ authorization });
    for (const endpoint of sampleOf(asked, { step: 4, turn })) {
      const reply = await call(caller, endpoint);
      // Programs for Modrinth send it if they have no token: they are guests, and the cookie does not count.
      if (kind === "an empty header" && isOfFace(endpoint.path)) {
        const guest = await call(as.anyone, endpoint);
        expect([reply.status, reply.body?.code], endpoint.id).toEqual([guest.status, guest.body?.code]);
        continue;
      }
      // The holder of an expired token may learn its name, to know which one to renew.
      expect(reply, endpoint.id).toFail(401, kind === "an expired token" ? "tokenExpired" : "credentialInvalid");
      expect(reply.headers.get("www-authenticate"), endpoint.id).toMatch(/^Bearer /);
    }
    expect(await stateOfEverything()).toEqual(before);
  });
});

test("the session of a suspended user gives no access", async () => {
  const suspended = await make.user();
  await write(resources, {}, (tx) => setSuspension(tx, suspended.id, "test"));
  for (const endpoint of guarded) expectSignInNeeded(await call(as.user(suspended), endpoint), endpoint);
});

describe("endpoints for staff", () => {
  const forStaff = endpoints.flatMap((endpoint) => {
    const { role, hidden = false } = endpoint.access as Access;
    return role ? [{ ...endpoint, role, hidden }] : [];
  });
  const forAdmins = forStaff.filter(({ role }) => role === "admin");
  const refusals = ["moderatorOnly", "adminOnly", "confirmationNeeded", "sessionNeeded", "signInNeeded"];
  let [moderator, admin, dormant] = [user, user, user];

  beforeAll(async () => {
    moderator = await make.user({ role: "moderator" });
    admin = await make.user({ role: "admin" });
    dormant = await make.user({ role: "admin" });
    const sessions = resources.db.updateTable("sessions").set({ date_powers_end: 1 });
    await sessions.where("user_id", "=", dormant.id).execute();
  });

  function expectRefusal(reply: Reply, { role, hidden }: (typeof forStaff)[number]): void {
    if (hidden) expect(reply).toFail(404, "notFound");
    else expect(reply).toFail(403, `${role}Only`);
  }

  describe("refuse ordinary users; pages and their forms do not even exist for them", () => {
    expectNothingChanged();
    test.each(forStaff)("$id", async (endpoint) => expectRefusal(await call(as.user(user), endpoint), endpoint));
  });

  describe("refuse moderators where an administrator is needed", () => {
    test.each(forAdmins)("$id", async (endpoint) => expectRefusal(await call(as.user(moderator), endpoint), endpoint));
  });

  describe("ask staff to confirm their identity while their powers are not in force", () => {
    test.each(forStaff)("$id", async (endpoint) => {
      const reply = await call(as.user(dormant), endpoint);
      if (endpoint.givesBack)
        expect([reply.status, reply.text]).toEqual([403, expect.stringContaining("Confirm your identity")]);
      else expect(reply).toFail(403, "confirmationNeeded");
    });
  });

  describe("let staff in", () => {
    test.each(forStaff.filter(({ method }) => method === "GET"))("$id", async (endpoint) => {
      const reply = await call(as.user(endpoint.role === "admin" ? admin : moderator), endpoint);
      expect(refusals).not.toContain(reply.body?.code);
      if (!endpoint.params && !endpoint.query) expect(reply.status).toBeLessThan(400);
    });
  });
});

/** Requests that a page of another site can make a browser send. */
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

describe("a page of another site cannot act with a visitor's cookie", () => {
  expectNothingChanged();
  // Each endpoint is tried with three of the nine, with three content types.
  test.each(sampleForEngine(unsafe))("$id", async (endpoint) => {
    const met = sampleOf([...Object.entries(foreign).entries()], { step: 3, turn: unsafe.indexOf(endpoint) });
    for (const [at, [kind, headers]] of met) {
      const { origin, ...rest } = headers;
      const cookie = `auth-token=${user.sessionToken}`;
      const visitor = as.anyone.with({
        cookie,
        ...rest,
        ...(origin && { origin }),
        "content-type": types[Math.floor(at / 3)]!,
      });
      expect(await call(visitor, endpoint), kind).toFail(403, "originRefused");
    }
  });
});

describe("a page of another site reads public content, and nothing else", () => {
  test.each(sampleForEngine(endpoints))("$id", async (endpoint) => {
    const isPublic =
      endpoint.crossOrigin || (endpoint.method === "GET" && ["open", "readable"].includes(endpoint.access.kind));
    const reply = await call(as.anyone.with({ origin: "https://evil.example" }), endpoint);
    expect(reply.headers.get("access-control-allow-origin")).toBe(isPublic ? "*" : null);
    expect(reply.headers.get("access-control-allow-credentials")).toBeNull();
    const preflight = await call(as.anyone.with({ origin: "https://evil.example" }), endpoint, "OPTIONS");
    expect(preflight.headers.get("access-control-allow-credentials")).toBeNull();
  });
});

// These come last, because each creates an account, and the tests before count all of them repeatedly.
describe("a token with exactly the scopes of an endpoint is admitted", () => {
  test.each(sampleForEngine([...needing, ...readable]))("$id", async (endpoint) => {
    const owner = await make.user();
    const reply = await call(await as.token(owner, { scopes: endpoint.scopes }), endpoint);
    expect(isShutOut(reply), reply.text).toBe(false);
  });
});

describe("a session is admitted", () => {
  test.each(sampleForEngine([...guarded, ...readable]))("$id", async (endpoint) => {
    const owner = await make.user();
    const reply = await call(as.user(owner), endpoint);
    expect(isShutOut(reply), reply.text).toBe(false);
  });
});
