// `npm run docs`: writes the types of packages/client.
import { writeFileSync } from "node:fs";
import { test } from "vitest";
import { toOpenApi } from "#platform/http/openapi.js";
import { exampleUrl } from "#platform/http/openapi-examples.js";
import { clientTypesFile, renderClientTypes } from "./client-types.js";
import { endpointsById } from "./recorder.js";

test("writes the types of the client", () => {
  const document = toOpenApi([...endpointsById.values()], { version: "0", url: exampleUrl, examples: {} });
  writeFileSync(clientTypesFile, renderClientTypes(document));
});
