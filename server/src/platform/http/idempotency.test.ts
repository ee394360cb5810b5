import { createHash } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { fail } from "#platform/errors.js";
import type { Actor, TestUser } from "#test/callers/actors.js";
import { rawRequest } from "#test/callers/raw-http.js";
import { FrameControl, frameRoutes } from "#test/server/frame-routes.js";
import { testApp, uniqueName } from "#test/server/harness.js";

const control = new FrameControl();
const site = await testApp({ routes: frameRoutes(control) });
const { as, make, clock, origin, resources } = site;
const minute = 60_000;
const proxied = await testApp({
  routes: frameRoutes(control),
  settings: { MODSHELF_TRUSTED_PROXIES: "127.0.0.1" },
});

afterEach(() => {
  control.gate = Promise.resolve();
  control.errorAfter = undefined;
});

const act = (actor: Actor, key: string, name: string, path = "/frame/act") =>
  actor.post(path, { name }, { headers: { "idempotency-key": key } });

async function countActs(name: string): Promise<number> {
  const rows = await resources.db.selectFrom("taxonomies").select("id").where("digest", "=", name).execute();
  return rows.length;
}

/** Waits until that many requests wait at the gate. */
const arrivals = (count: number) => expect.poll(() => control.arrived).toBe(count);

/** Holds the next requests in their handlers; call the returned function to let them continue. */
function holdRequests(): (failure?: unknown) => void {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // The test decides whether a caller waits.
  promise.catch(() => undefined);
  control.gate = promise;
  control.arrived = 0;
  return (failure) => (failure ? reject(failure) : resolve());
}

async function setUp(): Promise<{ user: TestUser; actor: Actor; key: string; name: string }> {
  const user = await make.user();
  return { user, actor: as.user(user), key: uniqueName("key"), name: uniqueName("act") };
}

describe("a repeated Idempotency-Key", () => {
  test("gets the first answer again, marked as replayed, and nothing is done twice", async () => {
    const { actor, key, name } = await setUp();
    const first = await act(actor, key, name);
    expect(first).toSucceed();
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    for (let times = 0; times < 3; times++) {
      const again = await act(actor, key, name);
      expect([again.status, again.text]).toEqual([200, first.text]);
      expect(again.headers.get("idempotent-replayed")).toBe("true");
    }
    expect(await countActs(name)).toBe(1);
  });

  test("is valid for one credential only, not for the user's other tokens or other users", async () => {
    const { user, actor, key, name } = await setUp();
    await act(actor, key, name);
    // A token may be bound to one project or lack scopes of the session: it must never read the session's answer.
    const token = await as.token(user, { scopes: ["user_write"] });
    for (const other of [token, as.user(await make.user())])
      expect((await act(other, key, name)).headers.get("idempotent-replayed")).toBeNull();
    expect(await countActs(name)).toBe(3);
    expect((await act(token, key, name)).headers.get("idempotent-replayed")).toBe("true");
  });

  test("belongs to the address of an anonymous caller", async () => {
    const headers = { "idempotency-key": uniqueName("key") };
    const echo = (text: string, from: string) =>
      proxied.as.anyone.post("/frame/echo/x", { text }, { headers: { ...headers, "x-forwarded-for": from } });
    expect((await echo("a", "203.0.113.7")).headers.get("idempotent-replayed")).toBeNull();
    expect((await echo("a", "203.0.113.7")).headers.get("idempotent-replayed")).toBe("true");
    expect(await echo("b", "203.0.113.7")).toFail(422, "idempotencyKeyReused");
    expect((await echo("b", "203.0.113.8")).headers.get("idempotent-replayed")).toBeNull();
  });

  test("is not stored, and without it neither request nor answer can be read", async () => {
    const { actor, key, name } = await setUp();
    expect(await act(actor, key, name)).toSucceed();
    const rows = await resources.db.selectFrom("idempotency_keys").selectAll().execute();
    const digest = createHash("sha256")
      .update(JSON.stringify(["POST", "/frame/act", { name }]))
      .digest();
    const stored = rows.map((row) =>
      Buffer.concat([Buffer.from(row.key), row.request_digest, row.body ?? Buffer.of()]),
    );
    for (const secret of [Buffer.from(key), Buffer.from(name), digest])
      expect(stored.some((bytes) => bytes.includes(secret))).toBe(false);
  });

  test("with another body, address or file is refused", async () => {
    const { actor, key, name } = await setUp();
    expect(await act(actor, key, name)).toSucceed();
    expect(await act(actor, key, `${name}-other`)).toFail(422, "idempotencyKeyReused");
    expect(await act(actor, key, name, "/frame/act?x=1")).toFail(422, "idempotencyKeyReused");
    expect(await actor.post("/frame/secret", undefined, { headers: { "idempotency-key": key } })).toFail(422);

    const keyed = actor.with({ "idempotency-key": uniqueName("key") });
    const upload = (text: string) => keyed.form("POST", "/frame/upload", { picture: new Blob([text]) });
    expect(await upload("one")).toSucceed();
    expect((await upload("one")).headers.get("idempotent-replayed")).toBe("true");
    expect(await upload("two")).toFail(422, "idempotencyKeyReused");
  });

  test("is refused while the first request runs, and answered afterwards", async () => {
    const { actor, key, name } = await setUp();
    const letGo = holdRequests();
    const first = act(actor, key, name);
    await arrivals(1);
    const others = await Promise.all(Array.from({ length: 5 }, () => act(actor, key, name)));
    for (const other of others) expect(other).toFail(409, "idempotencyKeyInUse");
    expect(await act(actor, key, `${name}-other`)).toFail(422, "idempotencyKeyReused");
    letGo();
    expect(await first).toSucceed();
    expect((await act(actor, key, name)).text).toBe((await first).text);
    expect(await countActs(name)).toBe(1);
  });

  test("is executed once for concurrent requests", async () => {
    const { actor, key, name } = await setUp();
    const replies = await Promise.all(Array.from({ length: 20 }, () => act(actor, key, name)));
    expect(await countActs(name)).toBe(1);
    const answers = new Set(replies.filter(({ status }) => status === 200).map(({ text }) => text));
    expect(answers.size).toBe(1);
    for (const reply of replies) if (reply.status !== 200) expect(reply).toFail(409, "idempotencyKeyInUse");
  });

  test("works on the other server too", async () => {
    const { user, actor, key, name } = await setUp();
    const second = await testApp({ sharedWith: site, routes: frameRoutes(control) });
    const first = await act(actor, key, name);
    const again = await act(second.as.user(user), key, name);
    expect([again.text, again.headers.get("idempotent-replayed")]).toEqual([first.text, "true"]);
    await second.stop();
  });

  test("expires after a day", async () => {
    const { actor, key, name } = await setUp();
    await act(actor, key, name);
    clock.advance(23 * 60 * minute);
    expect((await act(actor, key, name)).headers.get("idempotent-replayed")).toBe("true");
    clock.advance(61 * minute);
    expect((await act(actor, key, name)).headers.get("idempotent-replayed")).toBeNull();
    expect(await countActs(name)).toBe(2);
  });
});

describe("a request with an Idempotency-Key", () => {
  test("that is refused frees the key for the corrected one", async () => {
    const { actor, key, name } = await setUp();
    const letGo = holdRequests();
    const refused = act(actor, key, name);
    await arrivals(1);
    letGo(fail.notFound());
    expect(await refused).toFail(404);
    control.gate = Promise.resolve();
    expect(await act(actor, key, `${name}-other`)).toSucceed();
    expect(await actor.post("/frame/act", {}, { headers: { "idempotency-key": uniqueName() } })).toFail(400);
  });

  test("that fails after its change is not executed again", async () => {
    const { actor, key, name } = await setUp();
    control.errorAfter = new Error("after the commit");
    expect(await act(actor, key, name)).toFail(500);
    control.errorAfter = undefined;
    expect(await act(actor, key, name)).toFail(409, "idempotencyKeyInUse");
    clock.advance(2 * minute);
    expect(await act(actor, key, name)).toFail(409, "idempotencyAnswerGone");
    expect(await countActs(name)).toBe(1);
  });

  test("that died before its change frees the key after a minute", async () => {
    const { user, actor, key, name } = await setUp();
    const sessions = resources.db.selectFrom("sessions").select("id").where("user_id", "=", user.id);
    const { id } = await sessions.executeTakeFirstOrThrow();
    // A process that was killed in the handler leaves this behind.
    await resources.db
      .insertInto("idempotency_keys")
      .values({
        actor: `session:${id}`,
        key: createHash("sha256").update(key).digest("base64url"),
        request_digest: Buffer.alloc(32),
        status: null,
        body: null,
        date_created: clock.now(),
        date_expires: clock.now() + 60 * minute,
      })
      .execute();
    expect((await act(actor, key, name)).status).toBe(422);
    clock.advance(minute);
    expect(await act(actor, key, name)).toSucceed();
    expect(await countActs(name)).toBe(1);
  });

  test("that was slower than a retry changes nothing", async () => {
    const { actor, key, name } = await setUp();
    const letGo = holdRequests();
    const slow = act(actor, key, name);
    await arrivals(1);
    clock.advance(minute);
    control.gate = Promise.resolve();
    const second = await act(actor, key, name);
    expect(second).toSucceed();
    letGo();
    expect(await slow).toFail(409, "idempotencyKeyInUse");
    expect(await countActs(name)).toBe(1);
    expect((await act(actor, key, name)).text).toBe(second.text);
  });

  test("for an answer with a secret is executed once, and the secret is not stored", async () => {
    const { actor, key } = await setUp();
    const ask = () => actor.post("/frame/secret", undefined, { headers: { "idempotency-key": key } });
    expect((await ask()).body).toEqual({ secret: "canary-4711" });
    expect(await ask()).toFail(409, "idempotencyAnswerGone");
    const stored = createHash("sha256").update(key).digest("base64url");
    const rows = await resources.db.selectFrom("idempotency_keys").selectAll().where("key", "=", stored).execute();
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ status: 200, body: null });
  });

  test("must have a key of 1 to 255 visible ASCII characters, once", async () => {
    const { user, actor, name } = await setUp();
    for (const key of ["", "a b", "x".repeat(256), "tab\there"])
      expect(await act(actor, key, name)).toFail(400, "idempotencyKeyInvalid");
    const cookie = `cookie: auth-token=${user.sessionToken}`;
    const head = ["POST /frame/secret HTTP/1.1", "host: x", cookie];
    for (const lines of [["idempotency-key: caf\u00e9"], ["idempotency-key: a", "idempotency-key: b"]])
      expect(JSON.parse((await rawRequest(origin, [...head, ...lines])).body).code).toBe("idempotencyKeyInvalid");
    for (const key of ["!", "x".repeat(255), '"quoted"', "a:b/c~"]) expect(await act(actor, key, name)).toSucceed();
  });

  test("that only reads is answered as without the key", async () => {
    const headers = { "idempotency-key": "same" };
    const { actor } = await setUp();
    for (const size of [1, 2])
      expect((await actor.get(`/frame/text?size=${size}`, { headers })).body.text).toHaveLength(size);
  });
});
