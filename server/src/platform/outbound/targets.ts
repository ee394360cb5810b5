// Which URLs users may make this server call, as far as their text shows. The addresses of a name are checked with
// every request (client.ts).

import { isIP } from "node:net";
import { type Said, say } from "#words/said.js";
import { isPublicAddress } from "./addresses.js";

export interface TargetRules {
  /** For tests and closed networks: private addresses, any port, and http. */
  allowPrivate: boolean;
}

/** Names that are valid only on this machine or in its network. */
const localNames = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa|onion)$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the parser drops them silently, so that two programs may read two different URLs
const neverInUrls = /[\s\\\x00-\x20\x7f]/;

/** Throws TargetRefused with a sentence about the problem. */
export function parseTarget(text: string, { allowPrivate }: TargetRules): URL {
  const url = neverInUrls.test(text) ? undefined : (URL.parse(text) ?? undefined);
  const schemes = allowPrivate ? /^https?:\/\//i : /^https:\/\//i;
  if (!url || !schemes.test(text))
    throw new TargetRefused(allowPrivate ? say.problems.httpAddress : say.problems.httpsAddress);
  if (url.username !== "" || url.password !== "") throw new TargetRefused(say.problems.noCredentials);
  if (url.hash !== "" || text.includes("#")) throw new TargetRefused(say.problems.noFragment);
  if (allowPrivate) return url;
  if (!isUsualPort(url.port)) throw new TargetRefused(say.problems.usualPort);
  const host = hostOf(url);
  const isLocal = isIP(host) ? !isPublicAddress(host) : !host.includes(".") || localNames.test(host);
  if (isLocal) throw new TargetRefused(say.problems.publicAddress);
  return url;
}

export class TargetRefused extends Error {
  readonly said: Said;

  constructor(said: Said) {
    super(String(said));
    this.said = said;
  }
}

/** Ports below 1024 belong to mail servers, remote shells and similar services. Empty means the default port. */
const isUsualPort = (port: string): boolean => port === "" || port === "443" || Number(port) >= 1024;

/** Without brackets and the final dot. The URL parser has already normalized IPv4 addresses. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "").replace(/(?<!\.)\.+$/, "");
