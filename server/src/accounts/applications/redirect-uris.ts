// Where an application gets its answers: the redirect URIs that can be registered, and the comparison with the one in a
// request. A mistake here would send a user's code to a stranger, so URIs are compared as text and never repaired.
import { type Said, say } from "#words/said.js";

export const maxRedirectUris = 10;
const longestUri = 255;

/** Printable ASCII without spaces, quotes and backslashes, which browsers and servers read differently. */
const plain = /^[\x21\x23-\x26\x28-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+$/;
/** Other characters, such as a semicolon, would end the directive of the policy that names the host. */
const plainHost = /^[a-z0-9.-]+$|^\[[0-9a-f:.]+\]$/;
/** A domain of the developer in reverse, as RFC 8252 asks for: other schemes may belong to another program. */
const privateScheme = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/;
const loopback = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?=[:/?])/;
const loopbackPort = /^(http:\/\/(?:127\.0\.0\.1|\[::1\])):[0-9]{1,5}(?=[/?])/;
/** The parameters that this site adds. */
const ownParameters = ["code", "state", "iss", "error", "error_description", "error_uri"];

/** The reason why the URI cannot be registered. */
export function findUriProblem(uri: string): Said | undefined {
  if (uri.length > longestUri) return say.problems.tooManyCharacters(longestUri);
  const url = plain.test(uri) ? URL.parse(uri) : null;
  if (!url) return say.problems.redirectUri;
  if (uri.includes("#")) return say.problems.noFragment;
  if (url.username !== "" || url.password !== "") return say.problems.noCredentials;
  const isAllowed =
    (url.protocol === "https:" && plainHost.test(url.hostname)) ||
    loopback.test(uri) ||
    privateScheme.test(url.protocol);
  if (!isAllowed || url.hostname.endsWith(".")) return say.problems.redirectUri;
  // Upper case, dot segments and default ports: the browser would go elsewhere than the text says.
  if (url.href !== uri) return say.problems.writtenAs(url.href);
  if (ownParameters.some((name) => url.searchParams.has(name))) return say.problems.ownParameters;
  return undefined;
}

/** The same text; on loopback addresses with any port, because programs there use a free one (RFC 8252, section 7.3). */
export function isRegistered(registered: readonly string[], uri: string): boolean {
  if (registered.includes(uri)) return true;
  const anyPort = withoutPort(uri);
  return loopback.test(uri) && URL.canParse(uri) && registered.some((one) => withoutPort(one) === anyPort);
}

const withoutPort = (uri: string): string => uri.replace(loopbackPort, "$1");

/** Parameters without a value are left out. */
export function withParameters(uri: string, parameters: Record<string, string | undefined>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `${uri}${uri.includes("?") ? "&" : "?"}${new URLSearchParams(given)}`;
}

/** The destination as a source of a Content-Security-Policy, which cannot name hosts of IPv6. */
export function policySource(uri: string): string {
  const { protocol, origin, hostname } = new URL(uri);
  return origin === "null" || hostname.startsWith("[") ? protocol : origin;
}
