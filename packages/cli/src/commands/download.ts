// `shelf download`: puts the file of a version into a folder, verified, with what it needs if the user wants that.
import type { Client, VersionFile } from "modshelf-client";
import { saveFile } from "modshelf-client/node";
import { type Context, defineCommand } from "#shelf/command.js";
import { exitCodes, Failure } from "#shelf/failures.js";
import { toSize } from "#shelf/figures.js";
import { atOnce, inParallel } from "#shelf/parallel.js";
import { Progress } from "#shelf/progress.js";
import { channelOption, findVersion, readChannel, readTarget, setupOptions } from "#shelf/targets.js";

const options = {
  ...setupOptions,
  ...channelOption,
  output: { type: "string", short: "o", value: "DIR", help: "The folder. Default: the current one." },
  "with-deps": { type: "boolean", help: "Also download everything that it needs." },
} as const;

interface Chosen {
  project: string;
  version: string;
  file: VersionFile;
}

export const download = defineCommand({
  name: "download",
  usage: "PROJECT[@VERSION] [-o DIR] [-v GAMEVERSION] [-l LOADER] [--with-deps]",
  summary: "Download a version into a folder, and verify it.",
  details: [
    "A file appears under its name only when it is complete and its hash is right. Another file is never overwritten.",
    "To keep a folder up to date, use shelf install and shelf update.",
  ],
  options,
  words: [1, 1],
  async run(context) {
    const { registry, signal, terminal } = context;
    const chosen = context.options["with-deps"] ? await plan(context) : [await choose(context)];
    const folder = context.options.output ?? ".";
    const progress = new Progress(
      terminal,
      chosen.map(({ file }) => file.size),
    );
    const files = await inParallel(chosen, atOnce, async ({ project, version, file }) => {
      const { path, isUnchanged } = await saveFile(registry, file, folder, { onProgress: progress.follow(), signal });
      progress.count();
      return { project, version, path, size: file.size, sha512: file.sha512_hash, isUnchanged };
    });
    return {
      data: { files },
      lines: files.map(({ path, size, isUnchanged }) => `${isUnchanged ? "=" : "+"} ${path}  ${toSize(size)}`),
    };
  },
});

type DownloadContext = Context<typeof options>;

async function choose({ words: [text], options, registry, signal }: DownloadContext): Promise<Chosen> {
  const target = readTarget(text!);
  const setup = {
    ...{ gameVersion: options["game-version"], loader: options.loader, channel: readChannel(options.channel) },
  };
  const version = await findVersion(registry, target, setup, signal);
  return { project: target.project, version: version.versionNumber, file: version.primaryFile };
}

async function plan({ words: [text], options, registry, signal }: DownloadContext): Promise<Chosen[]> {
  const { project, version } = readTarget(text!);
  const { "game-version": gameVersion, loader } = options;
  const releaseChannel = readChannel(options.channel);
  const demand: Parameters<Client["resolve"]>[0] = {
    projects: [{ project, ...(version && { version }) }],
    ...(gameVersion && { gameVersion }),
    ...(loader && { loader }),
    ...(releaseChannel && { releaseChannel }),
  };
  const { resolved, files, clash } = await registry.resolve(demand, { signal });
  if (!resolved)
    throw new Failure(
      ["There is no set of files that fits.", ...(clash?.reasons ?? []).map(({ message }) => message)].join(" "),
      {
        ...{ advice: "Choose another version, game version or loader.", exitCode: exitCodes.conflict, code: "clash" },
      },
    );
  return files.map(({ project: { slug }, version: { versionNumber }, file }) => ({
    ...{ project: slug, version: versionNumber, file },
  }));
}
