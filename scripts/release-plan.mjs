// The texts of a release, before anything is written: one version in every manifest, and the top section of the changelog
// under that version.
import { createHash } from "node:crypto";
import { Failure } from "./process.mjs";

/** The three packages: the server and those in packages/. */
export const packageFolders = [".", "packages/client", "packages/cli"];
const manifestOf = (folder) => (folder === "." ? "package.json" : `${folder}/package.json`);
/** Files that tell users which version to run, as "modshelf-cli@1.2.3" and "modshelf@v1.2.3". */
const namingFiles = ["action.yml", "docs/publishing-from-ci.md"];
export const releaseFiles = [...packageFolders.map(manifestOf), "package-lock.json", ...namingFiles, "CHANGELOG.md"];

const versionForm = /^\d+\.\d+\.\d+(?:-[0-9a-z]+(?:[.-][0-9a-z]+)*)?$/;
const topSection = /^## (.*)\n([\s\S]*?)(?=^## |$(?![\s\S]))/m;

/**
 * @param {(path: string) => string} read the file in the repository
 * @returns the new texts of `releaseFiles`, and the notes of the release
 */
export function planRelease(read, version, date) {
  if (!versionForm.test(version)) throw new Failure(`"${version}" is not a version such as 1.2.3 or 1.2.3-beta.1.`);
  const { version: before } = JSON.parse(read("package.json"));
  const texts = new Map();
  for (const path of packageFolders.map(manifestOf)) {
    const manifest = JSON.parse(read(path));
    texts.set(path, toText({ ...manifest, version }));
  }
  const lock = JSON.parse(read("package-lock.json"));
  lock.version = version;
  for (const folder of packageFolders) lock.packages[folder === "." ? "" : folder].version = version;
  texts.set("package-lock.json", toText(lock));
  for (const path of namingFiles)
    texts.set(path, read(path).replaceAll(`@${before}`, `@${version}`).replaceAll(`@v${before}`, `@v${version}`));
  const changelog = read("CHANGELOG.md");
  const [, title = "", notes = ""] = topSection.exec(changelog) ?? [];
  // A workflow makes the files again from the commit of the release, where nothing is left to change.
  const isNamed = before === version && title.startsWith(`${version} (`);
  if ((title !== "Unreleased" && !isNamed) || notes.trim() === "")
    throw new Failure('The changelog must begin with a section "Unreleased" that says what has changed.');
  texts.set("CHANGELOG.md", changelog.replace("## Unreleased\n", `## ${version} (${date})\n`));
  return { texts, notes: `${notes.trim()}\n` };
}

const toText = (value) => `${JSON.stringify(value, undefined, 2)}\n`;

/** Lines as "sha256sum --check" reads them. */
export const toChecksums = (files) =>
  [...files].map(([name, contents]) => `${createHash("sha256").update(contents).digest("hex")}  ${name}\n`).join("");

/** npm names this repository's packages after their folders, and the server is private only in the repository. */
export function nameComponents(text) {
  const materials = JSON.parse(text);
  const own = materials.metadata.component;
  for (const one of [own, ...materials.components]) one.name = one["bom-ref"].replace(/(?!^)@.*$/, "");
  own.properties = [];
  return toText(materials);
}
