// `shelf export`: a list of projects, or the files of a folder, as a pack for launchers or as one archive.
import { basename, resolve } from "node:path";
import { type Client, type ExportRequest, ValidationError } from "modshelf-client";
import { saveExport } from "modshelf-client/node";
import { defineCommand } from "#shelf/command.js";
import { exitCodes, Failure } from "#shelf/failures.js";
import { toSize } from "#shelf/figures.js";
import { find } from "#shelf/folder/files.js";
import { folderOption, folderSetupOptions, readSetup, toQuery, withFolder } from "#shelf/folder/open-folder.js";
import { guessSetup, installedHashes, survey } from "#shelf/folder/survey.js";
import { readChannel, readTarget } from "#shelf/targets.js";

const extensions = { mrpack: "mrpack", packwiz: "zip", zip: "zip" } as const;
type Format = keyof typeof extensions;

export const exportCommand = defineCommand({
  name: "export",
  usage: "[PROJECT[@VERSION]...] [-d DIR] [--format FORMAT] [-o FILE]",
  summary: "Write a pack of the files of a folder, or of projects with everything that they need.",
  details: [
    "Without a project, exactly the files of the folder are exported. Files that the registry does not know are left out, which the exit code 2 tells.",
    "A pack is small: it names the files, and a launcher downloads them. zip contains the files themselves.",
  ],
  options: {
    dir: folderOption,
    ...folderSetupOptions,
    format: { type: "string", value: "FORMAT", help: "mrpack (the default), packwiz or zip." },
    name: { type: "string", value: "NAME", help: "The name of the pack. Default: that of the folder." },
    "loader-version": { type: "string", value: "VERSION", help: "The version of the loader itself, for a pack." },
    output: { type: "string", short: "o", value: "FILE", help: "The file. Default: NAME.mrpack or NAME.zip." },
  },
  words: [0, 100],
  async run(context) {
    const { options, words, signal } = context;
    const format = readFormat(options.format);
    const name = options.name ?? basename(resolve(words.length > 0 ? "." : (options.dir ?? ".")));
    const path = options.output ?? `${toFileName(name)}.${extensions[format]}`;
    if (find(path))
      throw new Failure(`${path} exists already.`, {
        advice: "Choose another file with --output, or delete it.",
        exitCode: exitCodes.conflict,
        code: "fileExists",
      });
    const form = { format, name, ...(options["loader-version"] && { loaderVersion: options["loader-version"] }) };
    const save = async (registry: Client, demands: Omit<ExportRequest, "format">, left: readonly string[]) => {
      const size = await saveExport(registry, { ...demands, ...form }, path, { signal }).catch(explain);
      return {
        data: { path, format, size, leftOut: left },
        lines: [
          ...left.map((file) => `! ${file} is left out: the registry has no version with this file`),
          `+ ${path}  ${toSize(size)}`,
        ],
        exitCode: left.length > 0 ? exitCodes.differences : exitCodes.ok,
      };
    };
    const folder = options.dir ?? ".";
    if (words.length > 0) {
      const { "game-version": gameVersion, loader } = options;
      const setup = toQuery({ gameVersion, loader, channel: readChannel(options.channel) });
      return save(context.registry, { projects: words.map(readTarget), ...setup }, []);
    }
    return withFolder(context, folder, { isChange: false }, async (opened) => {
      const known = await survey(opened, signal);
      const names = new Set(known.filter(({ isPrimary }) => isPrimary).map(({ name }) => name));
      const left = opened.files.map(({ name }) => name).filter((file) => !names.has(file));
      if (names.size === 0)
        throw new Failure("The registry knows no file of this folder.", {
          exitCode: exitCodes.notFound,
          code: "nothingToExport",
        });
      const guessed = guessSetup(known);
      const setup = readSetup(opened, options);
      const wanted = {
        ...setup,
        gameVersion: setup.gameVersion ?? guessed.gameVersion,
        loader: setup.loader ?? guessed.loader,
      };
      return save(opened.registry, { installed: installedHashes(known), ...toQuery(wanted) }, left);
    });
  },
});

function readFormat(text = "mrpack"): Format {
  if (Object.hasOwn(extensions, text)) return text as Format;
  throw new Failure(`There is no format "${text}".`, {
    advice: `Use one of: ${Object.keys(extensions).join(", ")}`,
    code: "usage",
  });
}

/** The registry names the fields of its API, which are options here. */
function explain(error: unknown): never {
  const issues = (error instanceof ValidationError ? error.issues : []) as { path?: string; message?: string }[];
  const issue = issues.find((one) => one?.path === "loaderVersion");
  if (!issue) throw error;
  throw new Failure(`The version of the loader ${issue.message}.`, {
    advice: "Name the version of the loader with: --loader-version",
    code: "usage",
  });
}

/** A name of a pack may contain anything. */
const toFileName = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/[^\w.-]+/g, "-")
    .replace(/^[-.]+|-+$/g, "") || "pack";
