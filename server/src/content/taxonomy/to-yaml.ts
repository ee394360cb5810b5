// A taxonomy as the file that it could come from.
import { stringify } from "yaml";
import type { TaxonomyDocument } from "./document.js";

export const toYaml = (document: TaxonomyDocument): string => stringify(document, { lineWidth: 120 });
