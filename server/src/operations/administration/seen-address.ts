// The address that a request seems to have come to, to hold against the one in the settings. Only shown, never believed.
import type { IncomingHttpHeaders } from "node:http";

const forwarding = ["x-forwarded-proto", "x-forwarded-host", "x-forwarded-for", "forwarded", "host"] as const;

export interface SeenAddress {
  /** "https://mods.example.org" */
  origin: string;
  /** The unchanged headers, so that operators can see what their proxy sends. */
  headers: readonly { name: string; value: string }[];
}

const firstOf = (value: string | string[] | undefined): string => [value ?? ""].flat().join(",").split(",")[0]!.trim();

/** Undefined if the request names no host. */
export function findSeenAddress(headers: IncomingHttpHeaders, isEncrypted: boolean): SeenAddress | undefined {
  const host = firstOf(headers["x-forwarded-host"]) || firstOf(headers.host);
  const scheme = firstOf(headers["x-forwarded-proto"]) || (isEncrypted ? "https" : "http");
  const url = /^https?$/i.test(scheme) && host !== "" ? URL.parse(`${scheme}://${host}`) : null;
  if (!url) return undefined;
  return {
    origin: url.origin,
    headers: forwarding.flatMap((name) => {
      const value = [headers[name] ?? []].flat().join(", ").slice(0, 200);
      return value === "" ? [] : { name, value };
    }),
  };
}
