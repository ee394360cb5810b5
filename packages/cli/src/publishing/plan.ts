// What would be published: options win over shelf.json, which wins over what the registry read in the file's manifest.
import type { BodyOf, Client, Project, UploadedFileFacts } from "modshelf-client";
import { Failure } from "#shelf/failures.js";
import { shortHash, toSize } from "#shelf/figures.js";
import { toTable } from "#shelf/terminal.js";
import type { ProjectFile } from "./project-file.js";
import type { PreparedFile } from "./send.js";
import { type Channel, channelOf, toChannel, toDependency } from "./texts.js";

/** The values that the user gave in options. */
export interface Wishes {
  version: string | undefined;
  title: string | undefined;
  channel: string | undefined;
  gameVersions: readonly string[];
  loaders: readonly string[];
  dependencies: readonly string[];
  featured: boolean;
  changelog: string | undefined;
  /** The tag that the build runs for. */
  tag: string | undefined;
}

type Body = BodyOf<"createVersion">;
type Dependencies = NonNullable<Body["dependencies"]>;

export interface Plan {
  versionNumber: string;
  channel: Channel;
  gameVersions: readonly string[];
  loaders: readonly string[];
  dependencies: Dependencies;
  /** For people: with names in place of ids. */
  dependencyNames: readonly string[];
  body: Body;
  warnings: readonly string[];
}

const first = <T>(...lists: (readonly T[] | undefined)[]): readonly T[] | undefined =>
  lists.find((list) => list?.length);

const missing = (what: string, option: string): Failure =>
  new Failure(`The manifest of the file names no ${what}, and neither do you.`, {
    advice: `Add ${option}, or an entry in shelf.json.`,
    code: "missing",
  });

/** The number that the user chose, which is known before the file is sent. */
export const findNumber = (wishes: Wishes, settings: ProjectFile): string | undefined =>
  wishes.version ?? settings.version;

export async function makePlan(
  registry: Client,
  project: Project | undefined,
  wishes: Wishes,
  settings: ProjectFile,
  facts: UploadedFileFacts,
  signal: AbortSignal,
): Promise<Plan> {
  const fromTag = wishes.tag?.replace(/^v(?=\d)/, "");
  const versionNumber = findNumber(wishes, settings) ?? facts.version ?? fromTag;
  if (!versionNumber) throw missing("version", "--version 1.2.0");
  const gameVersions = first(wishes.gameVersions, settings.gameVersions, facts.gameVersions);
  if (!gameVersions) throw missing("game versions", "--game-version");
  const named = first(wishes.loaders, settings.loaders);
  await checkNames(registry, gameVersions, named ?? [], signal);
  const wanted = first(wishes.dependencies) ?? settings.dependencies;
  const { dependencies, names, unknown } = wanted
    ? await toDependencies(registry, wanted, signal)
    : await guessDependencies(registry, facts, project, signal);
  const channel = toChannel(wishes.channel ?? settings.channel) ?? channelOf(versionNumber);
  const warnings = [
    ...(fromTag !== undefined && /^\d/.test(fromTag) && fromTag !== versionNumber
      ? [`The tag ${wishes.tag} and the version ${versionNumber} differ.`]
      : []),
    ...(unknown.length > 0 ? [`The registry has no project for these dependencies: ${unknown.join(", ")}.`] : []),
  ];
  return {
    ...{ versionNumber, channel, gameVersions, dependencies, dependencyNames: names, warnings },
    loaders: named ?? facts.loaders,
    body: {
      versionNumber,
      releaseChannel: channel,
      gameVersions: [...gameVersions],
      // The registry takes those of the manifest that the project's type can have.
      ...(named && { loaders: [...named] }),
      dependencies,
      featured: wishes.featured || settings.featured === true,
      ...(wishes.title !== undefined && { title: wishes.title }),
      ...(wishes.changelog !== undefined && { changelog: wishes.changelog }),
    },
  };
}

/** The registry refuses unknown names too, but only when it publishes. */
async function checkNames(
  registry: Client,
  gameVersions: readonly string[],
  loaders: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const check = (what: string, given: readonly string[], known: readonly string[]) => {
    const unknown = given.filter((one) => !known.includes(one));
    if (unknown.length > 0)
      throw new Failure(`The registry does not know the ${what} ${unknown.slice(0, 10).join(", ")}.`, {
        advice: `It knows ${known.slice(0, 10).join(", ")}${known.length > 10 ? " and others" : ""}.`,
        code: "unknownName",
      });
  };
  check(
    "game version",
    gameVersions,
    (await registry.tags.gameVersions({ signal })).map(({ value }) => value),
  );
  if (loaders.length > 0)
    check(
      "loader",
      loaders,
      (await registry.tags.loaders({ signal })).map(({ name }) => name),
    );
}

interface Found {
  dependencies: Dependencies;
  names: string[];
  unknown: string[];
}

async function toDependencies(registry: Client, wanted: readonly string[], signal: AbortSignal): Promise<Found> {
  const dependencies: Dependencies = [];
  for (const { project, version, type } of wanted.map(toDependency)) {
    const versionId = version === undefined ? null : (await registry.versions.get(project, version, { signal })).id;
    dependencies.push({ projectId: project, versionId, dependencyType: type });
  }
  return { dependencies, names: [...wanted], unknown: [] };
}

/** Manifests name mods by ids, which are usually the slugs of their projects. */
async function guessDependencies(
  registry: Client,
  facts: UploadedFileFacts,
  project: Project | undefined,
  signal: AbortSignal,
): Promise<Found> {
  const all = facts.dependencies
    .map(({ id, required }) => ({ slug: id.toLowerCase(), type: required ? "required" : "optional" }) as const)
    .filter(({ slug }) => /^[\w.+-]{1,64}$/.test(slug) && slug !== project?.slug);
  const known = new Set(
    (
      await registry.projects.many(
        all.map(({ slug }) => slug),
        { signal },
      )
    ).map(({ slug }) => slug),
  );
  const found = all.filter(({ slug }) => known.has(slug));
  return {
    dependencies: found.map(({ slug, type }) => ({ projectId: slug, versionId: null, dependencyType: type })),
    names: found.map(({ slug, type }) => `${slug}:${type}`),
    unknown: all.filter(({ slug, type }) => !known.has(slug) && type === "required").map(({ slug }) => slug),
  };
}

/** What will happen, for people. */
export function showPlan(plan: Plan, host: string, project: string, files: readonly PreparedFile[]): string[] {
  const { gameVersions, loaders, dependencyNames } = plan;
  const game =
    gameVersions.length > 4
      ? `${gameVersions.at(-1)}–${gameVersions[0]} (${gameVersions.length})`
      : gameVersions.join(", ");
  return toTable([
    [" host", host],
    [" project", project],
    [" version", `${plan.versionNumber} (${plan.channel})`],
    [" loaders", loaders.join(", ") || "none"],
    [" game", game],
    ...(dependencyNames.length > 0 ? [[" needs", dependencyNames.join(", ")]] : []),
    ...files.map(({ blob, size, sha512 }, n) => [
      n === 0 ? " file" : " also",
      `${blob.name}  ${toSize(size)}  sha512 ${shortHash(sha512)}`,
    ]),
  ]).map(oneLine);
}

/** A value of a manifest must not look like a line of its own. */
export const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, " ");
