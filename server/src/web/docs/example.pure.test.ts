// The examples of the reference: a shell must read them as they are meant.
import { execFileSync } from "node:child_process";
import Type from "typebox";
import { describe, expect, test } from "vitest";
import { needs, open, sessionOnly } from "../../http/access.js";
import type { EndpointSpec } from "../../http/endpoint.js";
import { toOpenApi } from "../../http/openapi.js";
import { type ExampleRequest, toCurl, toExamples } from "./example.js";

const base: EndpointSpec = {
  id: "made",
  method: "GET",
  path: "/api/made",
  access: open,
  rate: "read",
  tag: "Made",
  summary: "Made",
  answer: Type.Object({}),
};
const examples = (spec: Partial<EndpointSpec>): ExampleRequest[] => {
  const document = toOpenApi([{ ...base, ...spec }], { version: "1", url: "https://mods.example" });
  const [path] = Object.keys(document.paths);
  return toExamples(document, path!, (spec.method ?? base.method).toLowerCase());
};
const curls = (spec: Partial<EndpointSpec>): string[] => examples(spec).map(toCurl);

/** The words that a shell makes of the command. */
const wordsOf = (command: string): string[] =>
  execFileSync("sh", ["-c", command.replace(/^curl/, "printf '%s\\0'")], { encoding: "utf8" })
    .split("\0")
    .slice(0, -1);

describe("a curl example", () => {
  test("of a public read is one word and the address", () => {
    expect(curls({})).toEqual(["curl https://mods.example/api/made"]);
  });

  test("fills the path and the query, required or with an example", () => {
    const params = Type.Object({ ref: Type.String({ examples: ["a b/c"] }) });
    const query = Type.Object({
      ids: Type.String({ examples: ["one,two"] }),
      page: Type.Optional(Type.Integer()),
    });
    const [command] = curls({ path: "/api/made/:ref", params, query });
    expect(wordsOf(command!)).toEqual(["https://mods.example/api/made/a%20b%2Fc?ids=one,two"]);
  });

  test("survives quotes, dollars and backslashes in its body", () => {
    const note = `it's "$HOME" \\ \`id\` !`;
    const body = Type.Object({ note: Type.String({ examples: [note] }) });
    const [command] = curls({ method: "POST", body });
    const words = wordsOf(command!);
    expect(JSON.parse(words.at(-1)!)).toEqual({ note });
    expect(words).toEqual([
      "https://mods.example/api/made",
      "-H",
      "Content-Type: application/json",
      "-d",
      JSON.stringify({ note }),
    ]);
  });

  test("names the method where curl would take another", () => {
    expect(curls({ method: "DELETE" })[0]).toMatch(/^curl -X DELETE /);
    expect(curls({ method: "POST" })[0]).toMatch(/^curl -X POST /);
  });

  test("carries the credential that the route needs", () => {
    expect(curls({ access: needs("user_read") })[0]).toContain('-H "Authorization: Bearer $MODSHELF_TOKEN"');
    expect(curls({ access: sessionOnly("pat_read") })[0]).toContain("-b cookies.txt");
    expect(curls({ method: "POST", setsCookie: true })[0]).toContain("-c cookies.txt");
  });

  test("saves what is a file, and sends files as parts of a form", () => {
    expect(curls({ answer: { raw: "image/webp", description: "A picture" } })[0]).toMatch(/-O$/);
    const files = { icon: { maxBytes: () => 1, description: "PNG" } };
    const both = curls({ method: "PATCH", body: Type.Object({ name: Type.String() }), files });
    expect(both).toHaveLength(2);
    expect(both[1]).toContain("-F icon=@icon.png");
    expect(curls({ method: "PATCH", files })).toHaveLength(1);
  });
});
