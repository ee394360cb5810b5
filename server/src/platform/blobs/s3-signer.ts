// URLs of objects (path style) and their signatures. Only this file holds the secret; no object that could be logged
// contains it.
import { AwsV4Signer } from "aws4fetch";
import type { Clock } from "#lib/clock.js";

export interface S3Location {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export interface S3Signer {
  /** Without a key, the bucket itself is meant. */
  sign(
    method: string,
    key: string | undefined,
    query: Record<string, string>,
    headers: Record<string, string>,
  ): Promise<{ url: URL; headers: Record<string, string> }>;
  /** A GET URL that anyone who knows it may use until it expires. */
  signUrl(key: string, query: Record<string, string>, expiresSeconds: number): Promise<string>;
}

export function createS3Signer(location: S3Location, clock: Clock): S3Signer {
  const { accessKeyId, secretAccessKey, region } = location;
  const keyOfTheDay = new Map<string, ArrayBuffer>();
  const bucketUrl = `${location.endpoint.replace(/\/+$/, "")}/${encode(location.bucket)}`;

  function toUrl(key: string | undefined, query: Record<string, string>): string {
    const path = key === undefined ? "" : `/${key.split("/").map(encode).join("/")}`;
    const search = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(value)}`);
    return bucketUrl + path + (search.length > 0 ? `?${search.join("&")}` : "");
  }

  const toSigner = (method: string, url: string, headers: Record<string, string>, signQuery: boolean) =>
    new AwsV4Signer({
      method,
      url,
      headers,
      signQuery,
      accessKeyId,
      secretAccessKey,
      region,
      service: "s3",
      cache: keyOfTheDay,
      datetime: new Date(clock.now()).toISOString().replace(/[:-]|\.\d{3}/g, ""),
    });

  return {
    async sign(method, key, query, headers) {
      const url = toUrl(key, query);
      const signed = await toSigner(method, url, headers, false).sign();
      return { url: new URL(url), headers: Object.fromEntries(signed.headers) };
    },
    async signUrl(key, query, expiresSeconds) {
      const url = toUrl(key, { ...query, "X-Amz-Expires": String(expiresSeconds) });
      const signed = await toSigner("GET", url, {}, true).sign();
      // A space is signed as %20; not every server decodes a plus sign as a space.
      return signed.url.href.replaceAll("+", "%20");
    },
  };
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
