// The version of this program.
import { readFileSync } from "node:fs";
import { packageFile } from "./own-files.js";

export const { version } = JSON.parse(readFileSync(packageFile, "utf8")) as { version: string };
