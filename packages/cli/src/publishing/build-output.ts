// Looks at the folder of a project's source code: which file does its build make, and what is the project called?
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fits } from "./find-files.js";
import { isFile, readText } from "./texts.js";

const places = ["build/libs", "target", "dist", "build/distributions", "build"];
const endings = /\.(?:jar|zip|mrpack)$/;
/** Files that builds make beside the one for players. */
const beside = /-(sources|javadoc|dev|slim|plain|all|shadow|tests)\.jar$/;

/** The patterns for the newest file that players could install; undefined if nothing was built. */
export async function findPatterns(folder: string): Promise<string[] | undefined> {
  for (const place of places) {
    const names = await readdir(join(folder, place)).catch(() => [] as string[]);
    const made: { name: string; time: number }[] = [];
    for (const name of names.filter((one) => endings.test(one) && !beside.test(one)))
      made.push({ name, time: (await stat(join(folder, place, name))).mtimeMs });
    const newest = made.sort((a, b) => b.time - a.time)[0];
    if (!newest) continue;
    const pattern = toPattern(newest.name);
    const words = new Set(names.filter((name) => fits(name, pattern)).flatMap((name) => beside.exec(name)?.[1] ?? []));
    return [`${place}/${pattern}`, ...[...words].sort().map((word) => `!${place}/*-${word}.jar`)];
  }
  return undefined;
}

/** "lamps-quilt-1.2.0.jar" becomes "lamps-quilt-*.jar". */
export function toPattern(name: string): string {
  const dot = name.lastIndexOf(".");
  const at = name.slice(0, dot).search(/[-_]v?\d/);
  return at < 1 ? name : `${name.slice(0, at + 1)}*${name.slice(dot)}`;
}

const maxBytes = 1 << 18;
const readIfThere = async (path: string): Promise<string> => ((await isFile(path)) ? readText(path, maxBytes) : "");

/** The name that the build files give, in the form of a slug. */
export async function findProjectName(folder: string, pattern: string | undefined): Promise<string | undefined> {
  const properties = new Map(
    (await readIfThere(join(folder, "gradle.properties"))).split("\n").flatMap((line) => {
      const [name = "", value] = line.split("=", 2).map((part) => part.trim());
      return value ? [[name, value] as const] : [];
    }),
  );
  const settings =
    (await readIfThere(join(folder, "settings.gradle"))) + (await readIfThere(join(folder, "settings.gradle.kts")));
  const ofFile = pattern
    ?.split("/")
    .at(-1)
    ?.replace(/[-_]?\*?\.\w+$/, "");
  const names = [
    ...["mod_id", "modid", "modId", "archives_base_name", "archivesBaseName"].map((name) => properties.get(name)),
    /rootProject\.name\s*=\s*["']([^"'\n]+)["']/.exec(settings)?.[1],
    ofFile,
  ];
  return names
    .map((name) =>
      (name ?? "")
        .toLowerCase()
        .replace(/[^a-z0-9_]+/g, "-")
        .replace(/^-|-$/g, ""),
    )
    .find((name) => /^[a-z0-9]/.test(name));
}
