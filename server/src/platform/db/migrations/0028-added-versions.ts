// The change log says whether the versions that it names are new, so that the search need not read any others.
import { flag } from "./column-parts.js";

export const addedVersions = (): string[] => [`ALTER TABLE changes ADD COLUMN ${flag("added")} DEFAULT 0`];
