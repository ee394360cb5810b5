// Texts that a user hands over: files and the standard input, which may be endless, and the small languages of options.
import { open, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { Failure } from "#shelf/failures.js";
import { channels } from "#shelf/targets.js";

export type Channel = (typeof channels)[number];
export const isChannel = (value: unknown): value is Channel => channels.includes(value as Channel);

export function toChannel(text: string | undefined): Channel | undefined {
  if (text === undefined || isChannel(text)) return text;
  throw new Failure(`"${text}" is not a channel.`, {
    advice: "Channels are release, beta, alpha and dev.",
    code: "usage",
  });
}

/** "2.0.0-beta.1" contains its channel. */
export function channelOf(version: string): Channel {
  if (/alpha|(?:^|[-.])a\d/i.test(version)) return "alpha";
  if (/beta|rc|pre|(?:^|[-.])b\d/i.test(version)) return "beta";
  return /dev|snapshot|nightly/i.test(version) ? "dev" : "release";
}

export const dependencyTypes = ["required", "optional", "incompatible", "embedded"] as const;

export interface NamedDependency {
  project: string;
  version: string | undefined;
  type: (typeof dependencyTypes)[number];
}

/** PROJECT[@VERSION][:TYPE] */
export function toDependency(text: string): NamedDependency {
  const [, project = "", version, word = "required"] = /^([^@:]+)(?:@([^@:]+))?(?::([a-z]+))?$/.exec(text) ?? [];
  const type = dependencyTypes.find((known) => known === word);
  if (project !== "" && type) return { project, version, type };
  throw new Failure(`"${text}" is not a dependency.`, {
    advice: `Write PROJECT, PROJECT@VERSION or PROJECT:TYPE; types are ${dependencyTypes.join(", ")}.`,
    code: "usage",
  });
}

export async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (/^(?:ENOENT|ENOTDIR)$/.test((error as { code?: string }).code ?? "")) return false;
    throw error;
  }
}

const tooLong = (name: string, most: number): Failure =>
  new Failure(`${name} is longer than ${most} bytes.`, { advice: "Use a shorter text.", code: "tooLong" });

/** Decodes strictly: a file of another kind must not become a text of question marks. */
function decode(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Failure(`${name} is not a text in UTF-8.`, { advice: "Use another file.", code: "badFile" });
  }
}

export async function readText(path: string, most: number): Promise<string> {
  const handle = await open(path, "r");
  try {
    const bytes = new Uint8Array(most + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length);
      if (bytesRead === 0) return decode(path, bytes.subarray(0, length));
      length += bytesRead;
      if (length > most) throw tooLong(path, most);
    }
  } finally {
    await handle.close();
  }
}

export async function readInput(input: Readable, most: number, signal: AbortSignal): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  const stop = () => input.destroy(signal.reason as Error);
  signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const piece of input) {
      const bytes = Buffer.from(piece as Buffer | string);
      length += bytes.length;
      if (length > most) throw tooLong("The standard input", most);
      pieces.push(bytes);
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
  return decode("The standard input", Buffer.concat(pieces));
}
