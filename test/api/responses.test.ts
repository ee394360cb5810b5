// Law: every answer matches its contract. Tested with endpoints that give wrong answers.
import Type, { type TSchema } from "typebox";
import { describe, expect, test } from "vitest";
import { createApp } from "#app.js";
import { open } from "#platform/http/access.js";
import { type EndpointSpec, endpoint, type Route } from "#platform/http/endpoint.js";
import { createLog } from "#platform/http/log-lines.js";
import { testApp } from "#test/server/harness.js";

const secret = "canary-4711";

const made = (path: string, answer: TSchema, value: unknown, more: Partial<EndpointSpec> = {}): Route => ({
  endpoint: endpoint({
    id: `made${path.slice(1)}`,
    method: "GET",
    path,
    access: open,
    rate: "read",
    tag: "Made",
    summary: "Made for a test",
    answer,
    ...more,
  }),
  handle: async () => value,
});

const Person = Type.Object({ name: Type.String(), age: Type.Optional(Type.Integer()) });

/** The possible faults of an answer; every value contains the canary. */
const misfits: [string, TSchema, unknown][] = [
  ["missing", Person, { other: secret }],
  ["wrongtype", Person, { name: { first: secret } }],
  ["textfornumber", Person, { name: secret, age: "5" }],
  ["null", Person, null],
  ["nothing", Person, undefined],
  ["list", Person, [{ name: secret }]],
  ["inlist", Type.Array(Person), [{ name: "a" }, { name: 5, note: secret }]],
  [
    "literal",
    Type.Object({ success: Type.Literal(true), message: Type.String() }),
    { success: false, message: secret },
  ],
  ["word", Type.Object({ role: Type.Enum(["user", "admin"]) }), { role: secret }],
  ["long", Type.Object({ code: Type.String({ maxLength: 3 }) }), { code: secret }],
];

const lines: string[] = [];
const log = createLog("error", { write: (line) => void lines.push(line) });

const { as, resources } = await testApp({
  log,
  routes: [
    ...misfits.map(([name, schema, value]) => made(`/${name}`, schema, value)),
    ...misfits.map(([name, schema, value]) => made(`/${name}`, schema, value, { id: `post${name}`, method: "POST" })),
    made("/extra", Person, { name: "Ada", password: secret, age: 36 }),
    made("/extralist", Type.Array(Person), [{ name: "Ada", password: secret }]),
    made("/extraunion", Type.Union([Person, Type.Null()]), { name: "Ada", password: secret }),
    made("/extradeep", Type.Object({ person: Person }), { person: { name: "Ada", password: secret } }),
    { ...made("/throws", Person, undefined), handle: () => Promise.reject(new Error(`${secret} at db/row 5`)) },
    { ...made("/throwstext", Person, undefined), handle: () => Promise.reject(secret) },
    {
      ...made("/throwsstatement", Person, undefined),
      handle: (_call, { db }) =>
        db
          .updateTable("users")
          .set({ password_hash: secret })
          .where("id", "=", "nobody")
          .returning("id")
          .executeTakeFirstOrThrow(),
    },
    { ...made("/throwsnothing", Person, undefined), handle: () => Promise.reject(undefined) },
  ],
});

describe("an answer that does not match its contract", () => {
  test.each(misfits)("is never sent: %s", async (name) => {
    for (const method of ["GET", "POST"]) {
      lines.length = 0;
      const reply = await as.anyone.call(method, `/${name}`);
      expect(reply).toFail(500, "internal");
      expect(Object.keys(reply.body).sort()).toEqual(["code", "message", "requestId", "success"]);
      expect(reply.text + JSON.stringify([...reply.headers])).not.toContain(secret);
      // The operator learns which endpoint it was, with the request id that the caller got, but not the content.
      expect(lines.join()).toContain(reply.body.requestId);
      expect(lines.join()).toMatch(new RegExp(`(?:made|post)${name}`));
      expect(lines.join()).not.toContain(secret);
    }
  });

  test("is not stored for an Idempotency-Key", async () => {
    const user = await as.anyone.call("POST", "/missing", { headers: { "idempotency-key": "a" } });
    expect(user).toFail(500, "internal");
    expect(await resources.db.selectFrom("idempotency_keys").selectAll().execute()).toEqual([]);
  });
});

describe("fields that are not in the contract", () => {
  test.each([
    ["/extra", { name: "Ada", age: 36 }],
    ["/extralist", [{ name: "Ada" }]],
    ["/extraunion", { name: "Ada" }],
    ["/extradeep", { person: { name: "Ada" } }],
  ])("are dropped from %s", async (path, expected) => {
    const reply = await as.anyone.get(path);
    expect(reply).toSucceed();
    expect(reply.body).toEqual(expected);
    expect(reply.text).not.toContain(secret);
  });
});

describe("a handler that throws an unexpected error", () => {
  test.each(["/throws", "/throwstext", "/throwsnothing"])("%s sends the caller only the request id", async (path) => {
    const reply = await as.anyone.get(path);
    expect(reply).toFail(500, "internal");
    expect(reply.text).not.toContain(secret);
    expect(reply.body.requestId).toBe(reply.headers.get("x-request-id"));
    expect(reply.headers.get("cache-control")).toBe("no-store");
  });
});

test("the log of a failed statement contains its place but not its values", async () => {
  lines.length = 0;
  expect(await as.anyone.get("/throwsstatement")).toFail(500, "internal");
  expect(lines.join()).toContain("executeTakeFirstOrThrow");
  expect(lines.join()).not.toContain(secret);
});

describe("an endpoint without an access rule", () => {
  test.each([undefined, {}, { kind: "" }])("prevents the start (access: %j)", async (access) => {
    const broken = made("/x", Person, {}, { access: access as unknown as EndpointSpec["access"] });
    const start = async () => (await createApp(resources, [broken])).http.ready();
    await expect(start()).rejects.toThrow("madex");
  });

  test("with a rule of an unknown kind prevents the start too", async () => {
    const broken = made("/x", Person, {}, { access: { kind: "everybody" } as unknown as EndpointSpec["access"] });
    const start = async () => (await createApp(resources, [broken])).http.ready();
    await expect(start()).rejects.toThrow("madex");
  });
});
