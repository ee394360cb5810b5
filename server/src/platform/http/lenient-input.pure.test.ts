// Null for absent fields, and lists that tolerate invalid entries.
import Type, { type TSchema } from "typebox";
import { describe, expect, test } from "vitest";
import { routes } from "#app.js";
import { settleInput } from "./lenient-input.js";
import { Nullable } from "./schemas.js";
import { parse } from "./validation.js";

const Body = Type.Object({
  needed: Type.String(),
  text: Type.Optional(Type.String()),
  word: Type.Optional(Type.Enum(["a", "b"], { default: "a" })),
  union: Type.Optional(Type.Union([Type.String(), Type.Array(Type.Unknown())])),
  cleared: Type.Optional(Nullable(Type.String())),
  anything: Type.Optional(Type.Unknown()),
  inner: Type.Optional(Type.Object({ depth: Type.Optional(Type.Integer()) })),
  list: Type.Optional(Type.Array(Type.Object({ note: Type.Optional(Type.String()) }))),
  hashes: Type.Optional(Type.Array(Type.String(), { "x-lenient": true })),
});

const read = (given: object) => parse("body", Body, { needed: "x", ...given }, "body");

describe("null", () => {
  test("is the same as omitting an optional field, and applies its default", () => {
    expect(read({ text: null, word: null, union: null, inner: null, list: null, hashes: null })).toEqual({
      needed: "x",
      word: "a",
    });
  });

  test("is handled inside objects and lists too", () => {
    expect(read({ word: "b", inner: { depth: null }, list: [{ note: null }, { note: "y" }] })).toEqual({
      ...{ needed: "x", word: "b", inner: {}, list: [{}, { note: "y" }] },
    });
  });

  test("is kept if the schema allows it", () => {
    expect(read({ cleared: null, anything: null })).toMatchObject({ cleared: null, anything: null });
  });

  test("is refused for a required field, and inside a list", () => {
    expect(() => read({ needed: null })).toThrow();
    expect(() => read({ list: [null] })).toThrow();
  });
});

test("an invalid entry of a lenient list becomes an empty text; other types are refused", () => {
  expect(read({ hashes: [1, "ab", null, {}, ["cd"]] })).toMatchObject({ hashes: ["", "ab", "", "", ""] });
  expect(() => read({ hashes: "ab" })).toThrow();
  expect(() => read({ hashes: { length: 1 } })).toThrow();
});

test("every optional field of every JSON body either allows null or drops it", () => {
  const bodies = routes.flatMap(({ endpoint }) => (endpoint.body ? [[endpoint.id, endpoint.body] as const] : []));
  for (const [id, body] of bodies) {
    const optional = Object.keys(body.properties).filter((name) => !body.required?.includes(name));
    for (const name of optional) {
      const value: Record<string, unknown> = { [name]: null };
      settleInput(body, value);
      const alone = Type.Object({ [name]: Type.Optional(body.properties[name] as TSchema) });
      expect(() => parse("body", alone, value, "body"), `${id}.${name}`).not.toThrow();
    }
  }
});
