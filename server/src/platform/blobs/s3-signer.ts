// URLs of objects (path style) and their signatures (AWS Signature Version 4). Only this file holds the secret; no object
// that could be logged contains it.
import { createHmac, hash } from "node:crypto";
import type { Clock } from "#lib/clock.js";

export interface S3Location {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export interface S3Signer {
  /** Without a key, the bucket itself is meant. Names of headers are in lower case. */
  sign(
    method: string,
    key: string | undefined,
    query: Record<string, string>,
    headers: Record<string, string>,
  ): { path: string; headers: Record<string, string> };
  /** A GET URL that anyone who knows it may use until it expires. */
  signUrl(key: string, query: Record<string, string>, expiresSeconds: number): string;
}

const algorithm = "AWS4-HMAC-SHA256";
/** Proxies may change or drop these. */
const unsigned: ReadonlySet<string> = new Set(["content-length", "content-type", "range"]);
/** Keys of these characters are the same in a URL. */
const plainKey = /^[a-z0-9/]*$/;

export function createS3Signer(location: S3Location, clock: Clock): S3Signer {
  const { accessKeyId, secretAccessKey, region } = location;
  const endpoint = new URL(location.endpoint);
  const bucketPath = `${endpoint.pathname.replace(/\/+$/, "")}/${encode(location.bucket)}`;
  let keyOfTheDay: { day: string; key: Buffer } | undefined;
  let current = { second: -1, time: "", scope: "" };

  const toPath = (key: string | undefined): string =>
    bucketPath + (key === undefined ? "" : `/${plainKey.test(key) ? key : key.split("/").map(encode).join("/")}`);

  function signatureOf(time: string, scope: string, request: readonly string[]): string {
    const day = time.slice(0, 8);
    if (keyOfTheDay?.day !== day) {
      const key = [day, region, "s3", "aws4_request"].reduce(
        (secret: string | Buffer, text) => hmac(secret, text),
        `AWS4${secretAccessKey}`,
      );
      keyOfTheDay = { day, key: key as Buffer };
    }
    const digest = hash("sha256", request.join("\n"), "hex");
    return hmac(keyOfTheDay.key, [algorithm, time, scope, digest].join("\n")).toString("hex");
  }

  function now(): { time: string; scope: string } {
    const second = Math.floor(clock.now() / 1000);
    if (current.second === second) return current;
    const time = new Date(second * 1000).toISOString().replace(/[:-]|\.\d{3}/g, "");
    current = { second, time, scope: `${time.slice(0, 8)}/${region}/s3/aws4_request` };
    return current;
  }

  return {
    sign(method, key, query, given) {
      const { time, scope } = now();
      const headers: Record<string, string> = { ...given, host: endpoint.host, "x-amz-date": time };
      const signed = Object.keys(headers)
        .filter((name) => !unsigned.has(name))
        .sort();
      const [path, search] = [toPath(key), toSearch(query)];
      const lines = signed.map((name) => `${name}:${headers[name]!.trim().replace(/ {2,}/g, " ")}`);
      const names = signed.join(";");
      const content = headers["x-amz-content-sha256"]!;
      const signature = signatureOf(time, scope, [method, path, search, ...lines, "", names, content]);
      headers.authorization = `${algorithm} Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
      return { path: search === "" ? path : `${path}?${search}`, headers };
    },
    signUrl(key, query, expiresSeconds) {
      const { time, scope } = now();
      const path = toPath(key);
      const search = toSearch({
        ...query,
        "X-Amz-Algorithm": algorithm,
        "X-Amz-Credential": `${accessKeyId}/${scope}`,
        "X-Amz-Date": time,
        "X-Amz-Expires": String(expiresSeconds),
        "X-Amz-SignedHeaders": "host",
      });
      const request = ["GET", path, search, `host:${endpoint.host}`, "", "host", "UNSIGNED-PAYLOAD"];
      return `${endpoint.origin}${path}?${search}&X-Amz-Signature=${signatureOf(time, scope, request)}`;
    },
  };
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** In the order of their names, as the signature needs them. */
const toSearch = (query: Record<string, string>): string =>
  Object.entries(query)
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map((pair) => pair.join("="))
    .join("&");

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
