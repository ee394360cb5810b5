// `shelf verify` and `shelf identify`: compares files with the registry and the lock file, and tells what files are.
import { stat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import type { ProjectVersionData } from "modshelf-client";
import { type Answer, type Context, defineCommand } from "#shelf/command.js";
import { exitCodes, Failure } from "#shelf/failures.js";
import { countOf } from "#shelf/figures.js";
import { hashFile } from "#shelf/folder/files.js";
import { folderOption, readFolder, withFolder } from "#shelf/folder/open-folder.js";
import { findSlugs, usable } from "#shelf/folder/survey.js";
import { type Verified, verifyPack } from "#shelf/packs/look-at-instance.js";
import { inParallel } from "#shelf/parallel.js";
import { green, red, toTable, yellow } from "#shelf/terminal.js";

const states: Record<Verified["state"], string> = {
  ok: green("ok"),
  changed: red("changed"),
  unknown: yellow("unknown"),
  yanked: yellow("withdrawn"),
  missing: red("missing"),
};

export const verify = defineCommand({
  name: "verify",
  usage: "[DIR | FILE...]",
  summary: "Compare files with the registry and with shelf.lock. The exit code is 2 if one differs.",
  details: ["A file is ok, changed, unknown, withdrawn by its author, or missing."],
  options: { dir: folderOption },
  words: [0, 1000],
  async run(context) {
    const { words } = context;
    const first = readFolder(context);
    const isFolder = words.length < 2 && (await stat(first)).isDirectory();
    if (!isFolder && new Set(words.map((path) => dirname(resolve(path)))).size > 1)
      throw new Failure("The files are in different folders.", {
        advice: "Verify one folder at a time.",
        code: "usage",
      });
    return withFolder(context, isFolder ? first : dirname(resolve(first)), { isChange: false }, async (folder) => {
      if (isFolder && folder.lock?.pack) return toAnswer(verifyPack(folder, folder.lock.pack), folder.lock.pack.name);
      const { files, lock, registry } = folder;
      const named = new Set(words.map((path) => basename(path)));
      if (!isFolder) for (const path of words) await stat(path);
      const looked = files.filter(({ name }) => isFolder || named.has(name));
      const versions = await registry.files.identify(
        looked.map(({ sha512 }) => sha512),
        { signal: context.signal },
      );
      const rows = usable(() =>
        looked.map(({ name, plainName, sha512 }): Verified => {
          const entry = lock?.projects.find(({ file }) => file === plainName);
          const version = versions[sha512];
          const row = { file: name, version: version?.versionNumber ?? entry?.number ?? null, why: null };
          if (entry && entry.sha512 !== sha512)
            return { ...row, state: "changed", why: `shelf.lock names version ${entry.number}` };
          if (!version && !entry) return { ...row, state: "unknown" };
          return version?.yanked ? { ...row, state: "yanked", why: version.yankReason } : { ...row, state: "ok" };
        }),
      );
      const isThere = (entry: { file: string; sha512: string }) =>
        files.some(({ plainName, sha512 }) => plainName === entry.file || sha512 === entry.sha512);
      const passedOver = isFolder ? [] : [...named].filter((name) => !looked.some((file) => file.name === name));
      const missing = isFolder ? (lock?.projects ?? []).filter((entry) => !isThere(entry)) : [];
      return toAnswer([
        ...rows,
        ...passedOver.map(
          (file): Verified => ({ file, state: "unknown", version: null, why: "it is a link, a folder or hidden" }),
        ),
        ...missing.map(({ file, number }): Verified => ({ file, state: "missing", version: number, why: null })),
      ]);
    });
  },
});

/** Packs have thousands of files, of which only the wrong ones are worth a line. */
function toAnswer(verified: readonly Verified[], pack?: string): Answer {
  const wrong = verified.filter(({ state }) => state !== "ok");
  const right = verified.length - wrong.length;
  const lines = (pack === undefined ? verified : wrong).map(({ file, state, version, why }) => [
    ...[states[state], file, version ?? "", why ?? ""],
  ]);
  return {
    data: verified,
    lines: [...toTable(lines), ...(pack === undefined ? [] : [`${countOf(right, "file")} of ${pack}: ${states.ok}`])],
    exitCode: wrong.length === 0 ? exitCodes.ok : exitCodes.differences,
  };
}

export const identify = defineCommand({
  name: "identify",
  usage: "FILE...",
  summary: "Tell which project and version files belong to. The exit code is 4 if one is unknown.",
  options: { dir: folderOption },
  words: [1, 1000],
  async run({ words, registry, signal }: Context<Record<never, never>>) {
    const hashes = await inParallel(words, 8, async (path) => (await hashFile(path)).sha512);
    const versions = await registry.files.identify(hashes, { signal });
    const ids = usable(() => Object.values(versions).map(({ projectId }: ProjectVersionData) => projectId));
    const slugOf = await findSlugs({ registry, lock: undefined }, ids, signal);
    const rows = usable(() =>
      words.map((file, at) => {
        const version = versions[hashes[at]!];
        return {
          ...{ file, sha512: hashes[at]!, project: version ? slugOf(version.projectId) : null },
          ...{ version: version?.versionNumber ?? null, yanked: version?.yanked ?? null },
        };
      }),
    );
    return {
      data: rows,
      lines: toTable(
        rows.map(({ file, project, version, yanked }) => [
          file,
          project ?? states.unknown,
          version ?? "",
          yanked ? states.yanked : "",
        ]),
      ),
      exitCode: rows.every(({ project }) => project !== null) ? exitCodes.ok : exitCodes.notFound,
    };
  },
});
