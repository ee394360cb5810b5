// `shelf version`: lists and shows versions of a project, withdraws and edits them.
import type { ProjectVersionData } from "modshelf-client";
import { usageFailure } from "#shelf/arguments.js";
import { type Answer, type Context, defineCommand } from "#shelf/command.js";
import { exitCodes, Failure } from "#shelf/failures.js";
import { toSize } from "#shelf/figures.js";
import { readInput, readText, toChannel, toDependency } from "#shelf/publishing/texts.js";
import { toTable } from "#shelf/terminal.js";

const usage = "list PROJECT | show PROJECT VERSION | yank PROJECT VERSION | edit PROJECT VERSION";
const versionOptions = {
  reason: { type: "string", value: "TEXT", help: "yank: why, for users of the version." },
  replacement: { type: "string", value: "V", help: "yank: the version to use instead." },
  undo: { type: "boolean", help: "yank: offer the version again." },
  title: { type: "string", value: "TEXT", help: "edit: the title." },
  channel: { type: "string", value: "C", help: "edit: release, beta, alpha or dev." },
  changelog: { type: "string", value: "FILE", help: "edit: the changes, in Markdown; - reads the standard input." },
  "game-version": {
    type: "string",
    short: "v",
    multiple: true,
    value: "V",
    help: "edit: a game version; may be repeated.",
  },
  loader: { type: "string", short: "l", multiple: true, value: "L", help: "edit: a loader; may be repeated." },
  dependency: { type: "string", multiple: true, value: "D", help: "edit: PROJECT[@VERSION][:TYPE]; may be repeated." },
  featured: { type: "boolean", help: "edit: recommend the version." },
  "not-featured": { type: "boolean", help: "edit: no longer recommend the version." },
  yes: { type: "boolean", short: "y", help: "yank: do not ask." },
} as const;
type VersionContext = Context<typeof versionOptions>;

export const version = defineCommand({
  name: "version",
  usage,
  summary: "List, show, withdraw (yank) or edit versions of a project.",
  details: ["A withdrawn version can still be downloaded by its number, but is no longer offered as an update."],
  options: versionOptions,
  words: [2, 3],
  async run(context) {
    const { registry, signal } = context;
    const [what, project, number] = context.words as [string, string, string?];
    if (what === "list" && number === undefined) return list(context, project);
    if (number !== undefined && what === "show") return show(await registry.versions.get(project, number, { signal }));
    if (number !== undefined && what === "yank") return yank(context, project, number);
    if (number !== undefined && what === "edit") return edit(context, project, number);
    throw usageFailure({ name: "version", usage }, "This is not a use of the command.");
  },
});

async function list({ registry, signal }: VersionContext, project: string): Promise<Answer> {
  const data = await registry.versions.list(project, { signal });
  const rows = data.map((one) => [
    ...[one.versionNumber, one.releaseChannel, one.datePublished.slice(0, 10), one.gameVersions.slice(0, 4).join(", ")],
    ...[one.loaders.join(", "), one.yanked ? "withdrawn" : ""],
  ]);
  return { data, lines: rows.length > 0 ? toTable(rows) : ["There are no versions."] };
}

function show(data: ProjectVersionData): Answer {
  const rows = [
    ...[
      ["version", `${data.versionNumber} (${data.releaseChannel})`],
      ["title", data.title],
      ["id", data.id],
    ],
    ...[
      ["published", data.datePublished],
      ["loaders", data.loaders.join(", ")],
      ["game", data.gameVersions.join(", ")],
    ],
    ...(data.yanked ? [["withdrawn", data.yankReason ?? "yes"]] : []),
    ...data.files.map(({ name, size, sha512_hash }) => ["file", `${name}  ${toSize(size)}  sha512 ${sha512_hash}`]),
  ];
  return { data, lines: [...toTable(rows), ...(data.changelog ? ["", data.changelog] : [])] };
}

async function yank(context: VersionContext, project: string, number: string): Promise<Answer> {
  const { registry, options, signal, terminal } = context;
  if (options.undo) {
    await registry.versions.unyank(project, number, { signal });
    return { data: { project, version: number, yanked: false }, lines: [`${number} is offered again.`] };
  }
  if (!options.yes && !(await terminal.confirm(`Withdraw version ${number} of ${project}?`, signal)))
    return { data: { outcome: "declined" }, lines: ["Nothing was changed."], exitCode: exitCodes.failure };
  const { reason, replacement } = options;
  const body = { ...(reason && { reason }), ...(replacement && { replacement }) };
  await registry.versions.yank(project, number, body, { signal });
  return { data: { project, version: number, yanked: true }, lines: [`${number} is withdrawn. Undo with --undo.`] };
}

const maxChangelogBytes = 1 << 18;

async function edit(context: VersionContext, project: string, number: string): Promise<Answer> {
  const { registry, options, signal, input } = context;
  const { changelog, title, loader } = options;
  const channel = toChannel(options.channel);
  const games = options["game-version"];
  const dependencies = [];
  for (const named of options.dependency.map(toDependency)) {
    const versionId = named.version ? (await registry.versions.get(named.project, named.version, { signal })).id : null;
    dependencies.push({ projectId: named.project, versionId, dependencyType: named.type });
  }
  const text =
    changelog === "-"
      ? await readInput(input, maxChangelogBytes, signal)
      : changelog && (await readText(changelog, maxChangelogBytes));
  const body = {
    ...(title !== undefined && { title }),
    ...(channel && { releaseChannel: channel }),
    ...(text !== undefined && { changelog: text }),
    ...(games.length > 0 && { gameVersions: games }),
    ...(loader.length > 0 && { loaders: loader }),
    ...(dependencies.length > 0 && { dependencies }),
    ...((options.featured || options["not-featured"]) && { featured: options.featured }),
  };
  if (Object.keys(body).length === 0)
    throw new Failure("Nothing is to be changed.", {
      advice: "See the options with: shelf help version",
      code: "usage",
    });
  const data = await registry.versions.update(project, number, body, { signal });
  return { data, lines: [`Saved ${data.versionNumber}.`] };
}
