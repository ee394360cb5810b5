// Types for openapi-fetch: node openapi-typescript.mjs <document> <file>. Binary fields become Blob, as the generator's
// documentation recommends.
import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";
import { factory } from "typescript-5";

const [, , document, file] = process.argv;
const blob = factory.createTypeReferenceNode("Blob");

const nodes = await openapiTS(JSON.parse(readFileSync(document, "utf8")), {
  transform: (schema) => (schema.format === "binary" ? blob : undefined),
});
writeFileSync(file, astToString(nodes));
