// The OpenAPI document, tested with a few endpoints made for this.
import Type from "typebox";
import { describe, expect, test } from "vitest";
import { needs, open, readable, sessionOnly } from "./access.js";
import { type EndpointSpec, endpoint } from "./endpoint.js";
import { makeOpenApi, type Parameter, toOpenApi } from "./openapi.js";
import { Choice, fileContent, Named, Nullable, Ref, Shown, Switch } from "./schemas.js";

const Thing = Named("Thing", { id: Type.String({ "x-problem": "must be nice" }), size: Nullable(Type.Integer()) });

const base = {
  method: "GET",
  path: "/api/thing/:ref",
  access: open,
  rate: "read",
  tag: "Things",
  summary: "A thing",
  params: Type.Object({ ref: Ref("Id or slug") }),
  answer: Thing,
} as const;

const read = (...endpoints: EndpointSpec[]) => toOpenApi(endpoints, { version: "1.2.3", url: "https://mods.example" });
const operation = (spec: Partial<EndpointSpec>) => {
  const { method = base.method, path = base.path } = spec;
  const { paths } = read({ ...base, id: "getThing", ...spec });
  return paths[path.replace(":ref", "{ref}")]![method.toLowerCase()]!;
};

describe("the OpenAPI document", () => {
  test("is the same when it is made one operation at a time", () => {
    const described = { version: "1.2.3", url: "https://mods.example" };
    const endpoints = [
      { ...base, id: "getThing" },
      { ...base, id: "listThings", path: "/api/things", params: undefined },
      { ...base, id: "editThing", method: "PATCH" },
    ] as EndpointSpec[];
    const work = makeOpenApi(endpoints, described);
    let step = work.next();
    let steps = 0;
    for (; !step.done; step = work.next()) steps++;
    expect(steps).toBe(endpoints.length);
    expect(JSON.stringify(step.value)).toBe(JSON.stringify(toOpenApi(endpoints, described)));
    expect(Object.keys(step.value.paths["/api/thing/{ref}"]!)).toEqual(["get", "patch"]);
  });

  test("names the service and its version", () => {
    const document = read(endpoint({ ...base, id: "getThing" }));
    expect(document).toMatchObject({
      openapi: "3.1.1",
      info: { version: "1.2.3" },
      servers: [{ url: "https://mods.example" }],
      tags: [{ name: "Things" }],
    });
  });

  test("writes path parameters the OpenAPI way, with their description beside the schema", () => {
    expect(operation({}).parameters).toEqual([
      {
        name: "ref",
        in: "path",
        required: true,
        description: "Id or slug",
        schema: { type: "string", minLength: 1, maxLength: 64, examples: ["kX3vQ9aB"] },
      },
    ]);
  });

  test("says which query parameters are optional", () => {
    const query = Type.Object({ ids: Type.String(), limit: Type.Optional(Type.Integer()) });
    const required = operation({ query }).parameters!.map((one) => "name" in one && [one.name, one.required]);
    expect(required).toEqual([
      ["ref", true],
      ["ids", true],
      ["limit", false],
    ]);
  });

  test("turns named shapes into components and refers to them everywhere", () => {
    const answer = Type.Object({ first: Thing, all: Type.Array(Thing), maybe: Nullable(Thing) });
    const document = read({ ...base, id: "getThing", answer });
    const $ref = "#/components/schemas/Thing";
    expect(document.paths["/api/thing/{ref}"]!.get!.responses[200]!.content).toEqual({
      "application/json": {
        schema: {
          type: "object",
          required: ["first", "all", "maybe"],
          properties: {
            first: { $ref },
            all: { type: "array", items: { $ref } },
            maybe: { anyOf: [{ $ref }, { type: "null" }] },
          },
        },
      },
    });
    expect(Object.keys(document.components.schemas)).toEqual(["Error", "Thing"]);
  });

  test("omits internal keywords, but not fields with the same names", () => {
    const answer = Type.Object({ "x-name": Type.String({ "x-problem": "no" }) }, { "x-name": "Odd" });
    const { Odd } = read({ ...base, id: "getThing", answer }).components.schemas;
    expect(Odd).toEqual({ type: "object", required: ["x-name"], properties: { "x-name": { type: "string" } } });
  });

  test("refuses two different shapes under one name", () => {
    const Other = Named("Thing", { weight: Type.Number() });
    const both = () => read({ ...base, id: "a" }, { ...base, id: "b", path: "/api/other", answer: Other });
    expect(both).toThrow("Two shapes are called Thing");
  });

  test("omits internal endpoints with their tags and shapes", () => {
    const document = read({ ...base, id: "getThing", internal: true, tag: "Website" });
    expect(document.paths).toEqual({});
    expect(document.tags).toEqual([]);
    expect(document.components.schemas).not.toHaveProperty("Thing");
  });

  test.each([
    [open, [], "Public"],
    [
      readable("user_read"),
      [{}, { bearer: ["user_read"] }, { basic: ["user_read"] }, { session: [] }],
      "Public; a session, or a token with user_read, may see more",
    ],
    [
      needs("user_read", "user_write"),
      [{ bearer: ["user_read", "user_write"] }, { basic: ["user_read", "user_write"] }, { session: [] }],
      "A session, or a token with user_read and user_write",
    ],
    [sessionOnly("pat_read"), [{ session: [] }], "A browser session; no token can do this"],
  ] as const)("says who may call: %j", (access, security, words) => {
    expect(operation({ access })).toMatchObject({ security, "x-access": words });
  });

  test("names the refusals by status, from the contract and from the route", () => {
    const { responses } = operation({ access: needs("user_write"), errors: ["userNotFound", "expiryInPast"] });
    const codes = Object.fromEntries(Object.entries(responses).map(([status, answer]) => [status, answer["x-codes"]]));
    expect(codes).toEqual({
      200: undefined,
      304: undefined,
      400: ["invalidRequest", "expiryInPast"],
      401: ["credentialInvalid", "tokenExpired", "signInNeeded"],
      403: ["scopeMissing"],
      404: ["userNotFound"],
      429: undefined,
      500: undefined,
      default: undefined,
    });
    expect(responses[404]!.content!["application/json"]!.schema).toEqual({ $ref: "#/components/schemas/Error" });
  });

  test("describes a body with files as a form with binary parts", () => {
    const body = Type.Object({ name: Type.String(), icon: Type.Optional(Type.String({ description: "Or a text" })) });
    const files = {
      icon: { maxBytes: () => 1, description: "PNG", example: "icon.png" },
      more: { maxBytes: () => 1, maxCount: () => 3, description: "Others" },
    };
    expect(operation({ method: "PATCH", body, files }).requestBody).toEqual({
      description: expect.stringContaining("JSON"),
      required: true,
      content: {
        "multipart/form-data": {
          schema: {
            type: "object",
            required: ["name"],
            properties: {
              name: { type: "string" },
              icon: {
                anyOf: [
                  { type: "string", format: "binary" },
                  { type: "string", description: "Or a text" },
                ],
                description: "PNG. Or a text",
                "x-file-name": "icon.png",
              },
              more: { type: "array", items: { type: "string", format: "binary" }, description: "Others" },
            },
          },
        },
      },
    });
  });

  test("documents what clients should send if the server accepts more, and the meaning of each value", () => {
    const query = Type.Object({
      all: Switch("true: all of them"),
      mode: Type.Optional(Shown(Type.String(), Choice({ a: "First", b: "Second" }, { description: "Which one" }))),
    });
    const [, all, mode] = operation({ query }).parameters as Parameter[];
    expect(all).toMatchObject({ description: "true: all of them", schema: { type: "boolean", default: false } });
    expect(mode).toMatchObject({
      description: "Which one",
      schema: { type: "string", enum: ["a", "b"], "x-enum-descriptions": ["First", "Second"] },
    });
  });

  test("gives the type of answers that are not JSON, and says when one sets the cookie", () => {
    const picture = operation({ answer: { raw: "image/webp", description: "The picture" } }).responses;
    const schema = { type: "string", format: "binary" };
    expect(picture[200]).toEqual({ description: "The picture", content: { "image/webp": { schema } } });
    expect(picture).not.toHaveProperty("304");
    expect(operation({ method: "POST", setsCookie: true }).responses[200]!.headers).toHaveProperty("Set-Cookie");
  });

  test("documents range requests for files", () => {
    const { parameters, responses } = operation({ answer: fileContent });
    const names = parameters!.map((one) => ("$ref" in one ? one.$ref.split("/").at(-1) : one.name));
    expect(names).toEqual(["ref", "Range", "IfRange", "IfNoneMatch"]);
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(["200", "206", "304", "416"]));
    expect(Object.keys(responses[206]!.headers!)).toEqual(expect.arrayContaining(["Content-Range", "ETag"]));
    expect(Object.keys(responses[200]!.content!)).toEqual([fileContent.raw, ...fileContent.types]);
    expect(Object.keys(responses[200]!.headers!)).toContain("Content-Disposition");
  });

  test("shows the answer of a real server if one is known", () => {
    const examples = { getThing: { body: { id: "kX3vQ9aB", size: null } } };
    const { paths } = toOpenApi([{ ...base, id: "getThing" }], { version: "1", url: "https://mods.example", examples });
    expect(paths["/api/thing/{ref}"]!.get!.responses[200]!.content!["application/json"]!.example).toEqual(
      examples.getThing.body,
    );
  });

  test("documents the quota", () => {
    expect(operation({ rate: "mail" })["x-rate-class"]).toEqual({ name: "mail", quota: 5, windowSeconds: 3600 });
  });

  test("offers Idempotency-Key only on POST", () => {
    const key = { $ref: "#/components/parameters/IdempotencyKey" };
    expect(operation({ method: "POST" }).parameters).toContainEqual(key);
    expect(operation({ method: "PATCH" }).parameters).not.toContainEqual(key);
  });
});
