// `shelf search`: finds projects.
import { defineCommand } from "#shelf/command.js";
import { exitCodes, Failure } from "#shelf/failures.js";
import { toCount } from "#shelf/figures.js";
import { channelOption, readChannel, setupOptions } from "#shelf/targets.js";
import { bold, dim, shorten, toTable } from "#shelf/terminal.js";

export const search = defineCommand({
  name: "search",
  usage: "TEXT [-v GAMEVERSION] [-l LOADER] [--type TYPE] [--limit N]",
  summary: "Find projects.",
  options: {
    ...setupOptions,
    ...channelOption,
    type: { type: "string", value: "TYPE", help: "Only projects of this type, such as mod." },
    "not-category": { type: "string", multiple: true, value: "NAME", help: "Leave out projects of this category." },
    limit: { type: "string", value: "N", help: "The most results, up to 100. Default: 20." },
  },
  words: [1, 20],
  async run({ words, options, registry, terminal, signal }) {
    const limit = Number(options.limit ?? 20);
    if (!Number.isInteger(limit) || limit < 1 || limit > 100)
      throw new Failure(`"${options.limit}" is not a number from 1 to 100.`, {
        advice: "Use --limit 50.",
        code: "usage",
      });
    const { "game-version": gameVersion, loader, type } = options;
    const channel = readChannel(options.channel);
    const { hits, estimatedTotalHits: total } = await registry.projects.searchPage({
      ...{ q: words.join(" "), limit, c: options["not-category"].map((name) => `!${name}`), signal },
      ...(gameVersion && { v: gameVersion }),
      ...(loader && { l: loader }),
      ...(type && { type }),
      ...(channel && { ch: channel }),
    });
    if (hits.length === 0)
      return { data: { total, hits }, lines: ["Nothing was found."], exitCode: exitCodes.notFound };
    const rows = hits.map(({ slug, downloads, gameVersions: [newest = ""], summary }) => [
      ...[bold(slug), `${toCount(downloads)} downloads`, newest, dim(summary)],
    ]);
    const lines = toTable(rows).map((line) => shorten(line, terminal.columns));
    const more = total > hits.length ? ["", `${toCount(hits.length)} of ${toCount(total)} projects.`] : [];
    return { data: { total, hits }, lines: [...lines, ...more] };
  },
});
