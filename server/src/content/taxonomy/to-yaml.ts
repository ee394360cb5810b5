// Writes a taxonomy as a taxonomy file.
import { stringify } from "yaml";
import type { TaxonomyDocument } from "./document.js";

export const toYaml = (document: TaxonomyDocument): string => stringify(document, { lineWidth: 120 });
