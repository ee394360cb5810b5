// Which addresses somebody may have this server call, as far as their text tells. What a name leads to is looked at with
// every call (client.ts).

import { isIP } from "node:net";
import { type Said, say } from "#words/said.js";
import { isPublicAddress } from "./addresses.js";

export interface TargetRules {
  /** For tests and closed networks: private addresses, any port, and http. */
  allowPrivate: boolean;
}

/** Names that mean something on this machine or in its network only. */
const localNames = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa|onion)$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the parser drops them in silence, so that two readers of the text may see two addresses
const neverInUrls = /[\s\\\x00-\x20\x7f]/;

/** Throws a sentence (TargetRefused) about what is wrong with it. */
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

/** Below 1024 are mail servers, remote shells and other things that are not receivers. Empty: the scheme's own. */
const isUsualPort = (port: string): boolean => port === "" || port === "443" || Number(port) >= 1024;

/** Without brackets and the dot that ends a full name. Odd spellings of IPv4 are plain ones by now. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "").replace(/(?<!\.)\.+$/, "");
