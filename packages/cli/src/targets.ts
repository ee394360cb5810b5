// What the user names: a project with or without a version, a game version, loaders, a channel.
import { type Client, NotFoundError, type ProjectVersionData, type QueryOf } from "modshelf-client";
import type { Options } from "./command.js";
import { Failure } from "./failures.js";

export interface Target {
  project: string;
  version?: string;
}

/** "better-grass@1.4.0" names a version; where it is resolved, "better-grass@>=1.2 <2" a range. */
export function readTarget(text: string): Target {
  const [project = "", version, ...more] = text.split("@");
  if (project === "" || version === "" || more.length > 0)
    throw new Failure(`"${text}" does not name a project.`, {
      advice: "Write the name in the project's address, with or without a version: better-grass@1.4.0",
      code: "usage",
    });
  return { project, ...(version && { version }) };
}

/** The same letters in all commands. */
export const setupOptions = {
  "game-version": { type: "string", short: "v", value: "VERSION", help: "Only for this game version." },
  loader: { type: "string", short: "l", value: "LOADER", help: "Only for this loader." },
} as const satisfies Options;

export const channels = ["release", "beta", "alpha", "dev"] as const;
export type Channel = NonNullable<QueryOf<"getLatestVersion">["releaseChannel"]>;

export const channelOption = {
  channel: {
    type: "string",
    value: "CHANNEL",
    help: "release, beta, alpha or dev. Each includes the more stable ones; beta-only does not.",
  },
} as const satisfies Options;

export function readChannel(text: string | undefined): Channel | undefined {
  if (text === undefined) return undefined;
  const all = channels.flatMap((name): Channel[] => [name, `${name}-only`]);
  const found = all.find((name) => name === text);
  if (found) return found;
  throw new Failure(`There is no channel "${text}".`, { advice: `Use one of: ${all.join(", ")}`, code: "usage" });
}

interface Setup {
  gameVersion: string | undefined;
  loader: string | undefined;
  channel?: Channel | undefined;
}

/** The version that is named, or else the newest one that fits; without a channel a release is preferred. */
export async function findVersion(
  registry: Client,
  { project, version }: Target,
  { gameVersion, loader, channel }: Setup,
  signal: AbortSignal,
): Promise<ProjectVersionData> {
  if (version !== undefined) return registry.versions.get(project, version, { signal });
  const setup = { ...(gameVersion && { gameVersion }), ...(loader && { loader }) };
  const findLatest = (releaseChannel: Channel) =>
    registry.versions.latest(project, { ...setup, releaseChannel, signal });
  if (channel) return findLatest(channel);
  try {
    return await findLatest("release");
  } catch (error) {
    if (!(error instanceof NotFoundError) || error.code === "projectNotFound") throw error;
    return findLatest("dev");
  }
}
