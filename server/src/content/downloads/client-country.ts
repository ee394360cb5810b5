// The country that a request comes from, as a proxy tells it. Only one that is trusted is believed: anybody can send a
// header.
import { isTrusted, type TrustedProxies } from "#lib/client-address.js";

/** What country databases say when they do not know. */
const unknown: ReadonlySet<string> = new Set(["XX", "ZZ"]);

/** Two capital letters, or nothing. */
export function clientCountry(peer: string, header: string | string[] | undefined, trusted: TrustedProxies): string {
  // Said twice, one of the two is somebody else's word.
  if (typeof header !== "string" || !/^[A-Za-z]{2}$/.test(header)) return "";
  const country = header.toUpperCase();
  return unknown.has(country) || !isTrusted(peer, trusted) ? "" : country;
}
