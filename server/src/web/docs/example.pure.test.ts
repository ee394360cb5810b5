// The examples of the reference must mean the same to a shell.
import { execFileSync } from "node:child_process";
import Type from "typebox";
import { describe, expect, test } from "vitest";
import { needs, open, sessionOnly } from "#platform/http/access.js";
import type { EndpointSpec } from "#platform/http/endpoint.js";
import { toOpenApi } from "#platform/http/openapi.js";
import { FormList } from "#platform/http/schemas.js";
import { toCurl, toExample } from "./example.js";

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
const curl = (spec: Partial<EndpointSpec>): string => {
  const document = toOpenApi([{ ...base, ...spec }], { version: "1", url: "https://mods.example" });
  const [path] = Object.keys(document.paths);
  return toCurl(toExample(document, path!, (spec.method ?? base.method).toLowerCase()));
};

/** The arguments that a shell makes of the command. */
const wordsOf = (command: string): string[] =>
  execFileSync("sh", ["-c", command.replace(/^curl/, "printf '%s\\0'")], { encoding: "utf8" })
    .split("\0")
    .slice(0, -1);

describe("a curl example", () => {
  test("is only the command and the URL for a public read", () => {
    expect(curl({})).toBe("curl https://mods.example/api/made");
  });

  test("has all path parameters, and the query parameters that are required or have an example", () => {
    const params = Type.Object({ ref: Type.String({ examples: ["a b/c"] }) });
    const query = Type.Object({
      ids: Type.String({ examples: ["one,two"] }),
      page: Type.Optional(Type.Integer()),
    });
    const command = curl({ path: "/api/made/:ref", params, query });
    expect(wordsOf(command)).toEqual(["https://mods.example/api/made/a%20b%2Fc?ids=one,two"]);
  });

  test("quotes quotation marks, dollar signs and backslashes in its body", () => {
    const note = `it's "$HOME" \\ \`id\` !`;
    const body = Type.Object({ note: Type.String({ examples: [note] }) });
    const command = curl({ method: "POST", body });
    const words = wordsOf(command);
    expect(JSON.parse(words.at(-1)!)).toEqual({ note });
    expect(words).toEqual([
      "https://mods.example/api/made",
      "-H",
      "Content-Type: application/json",
      "-d",
      JSON.stringify({ note }),
    ]);
  });

  test("names the method if it is not curl's default", () => {
    expect(curl({ method: "DELETE" })).toMatch(/^curl -X DELETE /);
    expect(curl({ method: "POST" })).toMatch(/^curl -X POST /);
  });

  test("carries the credential that the route requires", () => {
    expect(curl({ access: needs("user_read") })).toContain('-H "Authorization: Bearer $MODSHELF_TOKEN"');
    expect(curl({ access: sessionOnly("pat_read") })).toContain("-b cookies.txt");
    expect(curl({ method: "POST", setsCookie: true })).toContain("-c cookies.txt");
  });

  test("saves a file under the name that the answer gives, if it gives one", () => {
    expect(curl({ answer: { raw: "image/webp", description: "A picture" } })).toMatch(/-O$/);
    expect(curl({ answer: { raw: "application/zip", description: "A file", isFile: true } })).toMatch(/-OJ$/);
  });

  test("sends files and texts as parts of a form, and a list as one part for each entry", () => {
    const body = Type.Object({
      name: Type.String({ examples: ["it's"] }),
      loaders: FormList(Type.String(), { description: "Loaders", examples: [["quilt", "fabric"]] }),
      note: Type.Optional(Type.String()),
    });
    const files = { icon: { maxBytes: () => 1, description: "PNG", example: "icon.png" } };
    const words = wordsOf(curl({ method: "POST", body, files }));
    expect(words.slice(1)).toEqual(
      ["name=it's", "loaders=quilt", "loaders=fabric", "icon=@icon.png"].flatMap((part) => ["-F", part]),
    );
  });
});
