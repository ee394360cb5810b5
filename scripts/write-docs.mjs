// Runs with the pinned runtime after the build: see docs.mjs.
import { writeFileSync } from "node:fs";
import { renderConfigDocs } from "../dist/server/src/config/config.js";

writeFileSync(new URL("../docs/configuration.md", import.meta.url), renderConfigDocs());
