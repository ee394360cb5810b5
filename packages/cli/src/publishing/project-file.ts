// shelf.json: what a build publishes, and where. It lies in the folder of the project's source code, and holds no secret.
import { join } from "node:path";
import { Failure } from "#shelf/failures.js";
import { isChannel, isFile, readText } from "./texts.js";

export const fileName = "shelf.json";

export interface ProjectFile {
  host?: string;
  /** Id or slug of the project. */
  project?: string;
  /** Paths or patterns relative to the folder; the first is the file that players install. */
  files?: string[];
  version?: string;
  channel?: string;
  /** A file with the changes of the version, in Markdown. */
  changelog?: string;
  gameVersions?: string[];
  loaders?: string[];
  /** In the form PROJECT[@VERSION][:TYPE]. */
  dependencies?: string[];
  featured?: boolean;
}

const isText = (value: unknown): boolean => typeof value === "string" && value !== "" && value.length <= 1000;
const isList = (value: unknown): boolean => Array.isArray(value) && value.length <= 500 && value.every(isText);

const forms: { [K in keyof Required<ProjectFile>]: [isRight: (value: unknown) => boolean, form: string] } = {
  host: [isText, "a text such as https://mods.example.org"],
  project: [isText, "a text: the id or slug of the project"],
  files: [isList, 'a list of paths such as "build/libs/lamps-*.jar"'],
  version: [isText, "a text such as 1.2.0"],
  channel: [isChannel, "release, beta, alpha or dev"],
  changelog: [isText, "a text: the path of a file"],
  gameVersions: [isList, "a list of game versions"],
  loaders: [isList, "a list of loaders"],
  dependencies: [isList, "a list of texts such as puzzle-core:required"],
  featured: [(value) => typeof value === "boolean", "true or false"],
};

/** Empty if the folder has none. */
export async function readProjectFile(folder: string): Promise<ProjectFile> {
  const path = join(folder, fileName);
  if (!(await isFile(path))) return {};
  const wrong = (problem: string) =>
    new Failure(`${path} ${problem}`, { advice: "See: shelf help init", code: "badFile" });
  let found: unknown;
  try {
    found = JSON.parse(await readText(path, 1 << 18));
  } catch (error) {
    if (error instanceof SyntaxError) throw wrong(`is not JSON: ${error.message}`);
    throw error;
  }
  if (typeof found !== "object" || found === null || Array.isArray(found)) throw wrong("must hold a JSON object.");
  for (const [name, value] of Object.entries(found)) {
    if (name === "$schema") continue;
    if (!Object.hasOwn(forms, name))
      throw wrong(`has an unknown entry "${name}". Known are ${Object.keys(forms).join(", ")}.`);
    const [isRight, form] = forms[name as keyof ProjectFile];
    if (!isRight(value)) throw wrong(`: "${name}" must be ${form}.`.replace(/^: /, "has a wrong entry: "));
  }
  return found as ProjectFile;
}
