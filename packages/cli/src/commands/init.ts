// `shelf init`: writes shelf.json, so that `shelf publish` needs no options.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defineCommand } from "#shelf/command.js";
import { exitCodes, Failure } from "#shelf/failures.js";
import { findPatterns, findProjectName } from "#shelf/publishing/build-output.js";
import { fileName, type ProjectFile } from "#shelf/publishing/project-file.js";
import { toChannel } from "#shelf/publishing/texts.js";

export const init = defineCommand({
  name: "init",
  usage: "[--project P] [--file PATTERN] [-d DIR]",
  summary: "Write shelf.json, which says what shelf publish publishes.",
  details: [
    "It looks at the output of the last build, such as build/libs, and at gradle.properties and settings.gradle.",
    "Entries: host, project, files, version, channel, changelog, gameVersions, loaders, dependencies, featured.",
  ],
  options: {
    project: { type: "string", value: "P", help: "Id or slug of the project." },
    file: { type: "string", multiple: true, value: "PATTERN", help: "A file to publish; * stands for any characters." },
    channel: { type: "string", value: "C", help: "The channel of all versions. Default: what each number suggests." },
    dir: { type: "string", short: "d", value: "DIR", help: "The folder of the source code. Default: the current one." },
    force: { type: "boolean", help: "Replace a shelf.json that is there." },
  },
  words: [0, 0],
  async run({ options, namedHost, accounts, terminal, signal }) {
    const folder = options.dir ?? ".";
    const files = options.file.length > 0 ? options.file : await findPatterns(folder);
    if (!files)
      throw new Failure("There is no output of a build here.", {
        advice: 'Build first, or name the file: shelf init --file "build/libs/lamps-*.jar"',
        code: "noFile",
      });
    const guess = options.project ?? (await findProjectName(folder, files[0]));
    const project =
      options.project === undefined && terminal.isInteractive
        ? (await terminal.ask(`Project${guess ? ` [${guess}]` : ""}: `, signal)).trim() || guess
        : guess;
    if (!project) throw new Failure("The name of the project is unknown.", { advice: "Add --project.", code: "usage" });
    const host = namedHost ?? (await accounts.read()).host;
    const channel = toChannel(options.channel);
    const settings: ProjectFile = { ...(host && { host }), project, files, ...(channel && { channel }) };
    const path = join(folder, fileName);
    await writeFile(path, `${JSON.stringify(settings, null, 2)}\n`, { flag: options.force ? "w" : "wx" }).catch(
      (error) => {
        if ((error as { code?: string }).code !== "EEXIST") throw error;
        throw new Failure(`${path} exists already.`, {
          advice: "Edit it, or replace it with --force.",
          exitCode: exitCodes.conflict,
          code: "fileExists",
        });
      },
    );
    return {
      data: { path, ...settings },
      lines: [
        `Wrote ${path}:`,
        ...JSON.stringify(settings, null, 2).split("\n"),
        "",
        "Try it with: shelf publish --dry-run",
      ],
    };
  },
});
