// `shelf info`: the facts of a project and of one of its versions, with files, hashes and dependencies.
import { defineCommand } from "#shelf/command.js";
import { toCount, toSize } from "#shelf/figures.js";
import { channelOption, findVersion, readChannel, readTarget, setupOptions } from "#shelf/targets.js";
import { bold, toTable, yellow } from "#shelf/terminal.js";

export const info = defineCommand({
  name: "info",
  usage: "PROJECT[@VERSION] [-v GAMEVERSION] [-l LOADER]",
  summary: "Show a project and a version: facts, files, hashes and dependencies.",
  details: ["Without a version, the newest one that fits is shown."],
  options: { ...setupOptions, ...channelOption },
  words: [1, 1],
  async run({ words: [text], options, registry, host, signal }) {
    const target = readTarget(text!);
    const project = await registry.projects.get(target.project, { signal });
    const setup = {
      ...{ gameVersion: options["game-version"], loader: options.loader, channel: readChannel(options.channel) },
    };
    const version = await findVersion(registry, target, setup, signal);
    const needed = await registry.projects.many(new Set(version.dependencies.map(({ projectId }) => projectId)), {
      signal,
    });
    const slugs = new Map(needed.map(({ id, slug }) => [id, slug]));
    const dependencies = version.dependencies.map(({ projectId, versionId, dependencyType }) => ({
      ...{ project: slugs.get(projectId) ?? null, projectId, versionId, type: dependencyType },
    }));
    const facts: [string, string][] = [
      ["Page", `${host}/project/${project.slug}`],
      ["License", project.licenseName || project.licenseId],
      ["Source", project.projectSourceUrl ?? ""],
      ["Downloads", toCount(project.downloads)],
      ["Version", `${version.versionNumber} (${version.releaseChannel}, ${version.datePublished.slice(0, 10)})`],
      ["Game", version.gameVersions.join(", ")],
      ["Loaders", version.loaders.join(", ")],
    ];
    const lines = [
      `${bold(project.name)} · ${project.summary}`,
      ...(version.yanked
        ? [yellow(`This version was withdrawn${version.yankReason ? `: ${version.yankReason}` : "."}`)]
        : []),
      "",
      ...toTable(facts.filter(([, value]) => value !== "").map(([name, value]) => [`  ${name}`, value])),
      "",
      bold("Files"),
      ...version.files.flatMap(({ name, size, sha512_hash }) => [
        `  ${name}  ${toSize(size)}`,
        `    sha512 ${sha512_hash}`,
      ]),
      ...(dependencies.length > 0 ? ["", bold("Dependencies")] : []),
      ...toTable(dependencies.map(({ project: slug, projectId, type }) => [`  ${slug ?? projectId}`, type])),
    ];
    return { data: { project, version, dependencies }, lines };
  },
});
