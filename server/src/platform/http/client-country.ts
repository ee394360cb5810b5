// The country of a request, as a trusted proxy reports it. Headers from other senders are ignored: anyone can send one.
import { isTrusted, type TrustedProxies } from "#lib/client-address.js";

/** Country databases use these codes for unknown. */
const unknown: ReadonlySet<string> = new Set(["XX", "ZZ"]);

/** Two capital letters, or an empty string. */
export function clientCountry(peer: string, header: string | string[] | undefined, trusted: TrustedProxies): string {
  // If the header is sent twice, one of the values is not from the proxy.
  if (typeof header !== "string" || !/^[A-Za-z]{2}$/.test(header)) return "";
  const country = header.toUpperCase();
  return unknown.has(country) || !isTrusted(peer, trusted) ? "" : country;
}
