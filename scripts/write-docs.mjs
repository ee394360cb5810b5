// Runs with the pinned runtime after the build: see docs.mjs.
import { readFileSync, writeFileSync } from "node:fs";
import { renderConfigDocs } from "../dist/server/src/config/config.js";
import { parseTaxonomy } from "../dist/server/src/content/taxonomy/document.js";

const at = (path) => new URL(`../${path}`, import.meta.url);
const taxonomy = "server/src/content/taxonomy/default";

writeFileSync(at("docs/configuration.md"), renderConfigDocs());
const parsed = parseTaxonomy(readFileSync(at(`${taxonomy}.yaml`), "utf8"), "default.yaml");
if (!parsed.ok) throw new Error(parsed.report);
writeFileSync(at(`${taxonomy}.json`), `${JSON.stringify(parsed.document, null, 1)}\n`);
