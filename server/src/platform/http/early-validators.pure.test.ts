import Type from "typebox";
import { expect, test } from "vitest";
import { open } from "./access.js";
import { compileEarly } from "./early-validators.js";
import type { EndpointSpec } from "./endpoint.js";
import { isCompiled, type Use } from "./validation.js";

const made = (): EndpointSpec => ({
  id: "made",
  method: "POST",
  path: "/api/made/:a",
  access: open,
  rate: "write",
  tag: "Made",
  summary: "Made",
  params: Type.Object({ a: Type.String() }),
  query: Type.Object({ b: Type.String() }),
  body: Type.Object({ c: Type.String() }),
  files: { file: { maxBytes: () => 1, description: "Bytes" } },
  answer: Type.Object({ d: Type.String() }),
});

const compiledOf = ({ params, query, body, answer }: EndpointSpec): string[] =>
  Object.entries({ params, query, body, answer }).flatMap(([name, schema]) =>
    (["text", "refusedText", "body", "refusedBody", "answer"] satisfies Use[])
      .filter((use) => isCompiled(use, schema as never))
      .map((use) => `${name} ${use}`),
  );

test("all validators that requests can need are compiled in advance, also those of refusals", async () => {
  const endpoint = made();
  expect(compiledOf(endpoint)).toEqual([]);
  await compileEarly([endpoint]).finished;
  expect(compiledOf(endpoint)).toEqual([
    ...["params text", "params refusedText", "query text", "query refusedText"],
    ...["body text", "body refusedText", "body body", "body refusedBody", "answer answer"],
  ]);
});

test("a server that stops ends the compilation", async () => {
  const endpoint = made();
  const early = compileEarly([endpoint]);
  early.stop();
  await early.finished;
  expect(compiledOf(endpoint)).toEqual([]);
});
