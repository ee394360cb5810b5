// The licenses that manifests name in different ways.
import { expect, test } from "vitest";
import { parseTaxonomy } from "#content/taxonomy/document.js";
import { compileTaxonomy, readDefaultTaxonomyText } from "#content/taxonomy/taxonomy.js";
import { findNamedLicense } from "./named-license.js";

const parsed = parseTaxonomy(readDefaultTaxonomyText(), "test.yaml");
if (!parsed.ok) throw new Error(parsed.report);
const taxonomy = compileTaxonomy(parsed.document);

test.each([
  ["MIT", "MIT"],
  ["mit", "MIT"],
  ["The MIT License", "MIT"],
  ["Apache 2.0", "Apache-2.0"],
  ["Apache License 2.0", "Apache-2.0"],
  ["GPL-3.0", "GPL-3.0-only"],
  ["GPLv3", "GPL-3.0-only"],
  ["GNU LGPLv3", "LGPL-3.0-only"],
  ["LGPL 3", "LGPL-3.0-only"],
  ["GPL-3.0-or-later", "GPL-3.0-or-later"],
  ["LGPL-2.1", "LGPL-2.1-only"],
  ["CC0", "CC0-1.0"],
  ["CC BY-NC-SA 4.0", "CC-BY-NC-SA-4.0"],
  ["all rights reserved", "all-rights-reserved"],
  ["All-Rights-Reserved", "all-rights-reserved"],
  ["ARR", "all-rights-reserved"],
  ["Ask Ada", ""],
  ["License", ""],
  ["-", ""],
  ["", ""],
  [null, ""],
])("%j means %j", (text, expected) => {
  expect(findNamedLicense(taxonomy, text)).toBe(expected);
});
