// Parsers for places that hold data: folders, files, the database, the file store, the mail server.
import { accessSync, constants, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { baseUrl, isHost } from "./addresses.js";
import { InvalidSetting, invalidSetting } from "./setting.js";

/** `isDurable` is false only in tests, which do not wait for the disk. */
export type DatabaseLocation =
  | { engine: "sqlite"; path: string; isDurable?: boolean }
  | { engine: "postgres"; url: string };

export type StorageLocation =
  | { kind: "disk"; path: string }
  | { kind: "s3"; bucket: string; prefix: string; endpoint: string; region: string };

type Kind = "file" | "folder" | "other" | "nothing" | "unreachable";

function kindOf(path: string): Kind {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) return ["folder", "nothing"].includes(kindOf(dirname(path))) ? "nothing" : "unreachable";
    return stat.isFile() ? "file" : stat.isDirectory() ? "folder" : "other";
  } catch {
    // All causes (a file in place of a folder, no permission, a name too long) need the same action from the operator.
    return "unreachable";
  }
}

export const absolutePath = (text: string, cwd: string) => resolve(cwd, text);

/** A folder that exists or can be created later. */
export function folder(text: string, cwd: string): string {
  const path = resolve(cwd, text);
  const kind = kindOf(path);
  if (kind === "unreachable")
    throw new InvalidSetting("names a path that cannot be reached; check the folders above it");
  if (kind !== "folder" && kind !== "nothing")
    throw new InvalidSetting("must name a folder, but a file of that name is there");
  return path;
}

export function readableFile(text: string, cwd: string): string {
  const path = resolve(cwd, text);
  if (kindOf(path) !== "file") throw new InvalidSetting("must name a file, but there is no file at that path");
  try {
    accessSync(path, constants.R_OK);
  } catch {
    throw new InvalidSetting("names a file that this process may not read; check its permissions");
  }
  return path;
}

/** The path after `scheme:`, with or without the empty host of `scheme:///path`. */
function pathAfter(scheme: string, text: string): string | undefined {
  const path = text.slice(scheme.length).replace(/^\/\/(?=\/)/, "");
  return text.startsWith(scheme) && path !== "" && !path.startsWith("//") ? path : undefined;
}

export function databaseLocation(text: string, cwd: string): DatabaseLocation {
  if (/^postgres(?:ql)?:/.test(text)) return { engine: "postgres", url: postgresUrl(text) };
  const path = pathAfter("sqlite:", text);
  if (path === undefined) throw invalidSetting("sqlite:<path> or postgres://user:password@host/database", text);
  if (path === ":memory:")
    throw new InvalidSetting("must name a file: a database in memory loses everything when the server stops");
  const absolute = resolve(cwd, path);
  const kind = kindOf(absolute);
  if (kind !== "file" && kind !== "nothing")
    throw new InvalidSetting("must name a file after sqlite:, in folders that can be reached");
  return { engine: "sqlite", path: absolute };
}

function postgresUrl(text: string): string {
  const expected = "postgres://user:password@host:port/database";
  const url = serverUrl(text, expected);
  // Sockets: postgres://%2Frun%2Fpostgresql/database, or an empty host with ?host=/run/postgresql.
  const isSocket = /^%2f/i.test(url.hostname) || (url.hostname === "" && url.searchParams.has("host"));
  if (!isSocket && !isHost(url.hostname)) throw invalidSetting(expected, text);
  if (!/^\/[^/]+$/.test(url.pathname))
    throw new InvalidSetting(`must end with the name of the database, as in ${expected}`);
  return text;
}

export function smtpUrl(text: string): string {
  const expected = "smtp://host:port or smtps://host:port, with user:password@ before the host if needed";
  if (!/^smtps?:\/\//.test(text)) throw invalidSetting(expected, text);
  const url = serverUrl(text, expected);
  if (!isHost(url.hostname) || !/^\/?$/.test(url.pathname)) throw invalidSetting(expected, text);
  return text;
}

function serverUrl(text: string, expected: string): URL {
  const url = /\s/.test(text) ? null : URL.parse(text);
  if (!url?.href.includes("://")) {
    throw new InvalidSetting(
      `${invalidSetting(expected, text).message}; write / ? # @ : and % in a password as %2F %3F %23 %40 %3A %25`,
    );
  }
  if (text.includes("#")) throw new InvalidSetting("contains a #; write it as %23");
  for (const part of [url.username, url.password, url.pathname, url.hostname]) {
    if (!isDecodable(part))
      throw new InvalidSetting("contains a % that is not followed by two hexadecimal digits; write it as %25");
  }
  return url;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

export function storageLocation(text: string, cwd: string): StorageLocation {
  if (text.startsWith("s3:")) return s3Location(text);
  const path = pathAfter("file:", text);
  if (path === undefined) throw invalidSetting("file:<path> or s3://bucket/prefix?endpoint=https://…&region=…", text);
  return { kind: "disk", path: folder(path, cwd) };
}

function s3Location(text: string): StorageLocation {
  const match = /^s3:\/\/([^/?#@]+)(\/[^?#@]*)?(?:\?([^#]*))?$/.exec(text);
  if (!match) throw invalidSetting("s3://bucket/prefix?endpoint=https://…&region=…, without keys in it", text);
  const [, bucket = "", path = "", query] = match;
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw new InvalidSetting("names a bucket that cannot exist: 3 to 63 lower-case letters, digits, dots and hyphens");
  }
  const prefix = path.replace(/^\/+|\/+$/g, "");
  if (
    prefix.length > 512 ||
    (prefix && !prefix.split("/").every((part) => /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(part)))
  ) {
    throw new InvalidSetting(
      "has a prefix with characters other than letters, digits, dots, _ and - between single slashes",
    );
  }
  const options = new URLSearchParams(query);
  if ([...options.keys()].some((key) => key !== "endpoint" && key !== "region")) {
    throw new InvalidSetting(
      "has an unknown option; only endpoint and region are known, and keys have their own settings",
    );
  }
  const region = options.get("region") || "us-east-1";
  if (!/^[A-Za-z0-9-]{1,64}$/.test(region))
    throw new InvalidSetting("has a region that is not made of letters, digits and hyphens");
  return { kind: "s3", bucket, prefix, endpoint: s3Endpoint(options.get("endpoint"), region), region };
}

function s3Endpoint(endpoint: string | null, region: string): string {
  if (!endpoint) return `https://s3.${region}.amazonaws.com`;
  try {
    return baseUrl(endpoint);
  } catch (error) {
    if (error instanceof InvalidSetting) throw new InvalidSetting(`has an endpoint that ${error.message}`);
    throw error;
  }
}
