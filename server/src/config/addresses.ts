// Parsers for network addresses: where to listen, the public URLs of the service, which proxies and issuers to trust.
import { BlockList, isIP } from "node:net";
import { parseTrustedProxies } from "#lib/client-address.js";
import { say } from "#words/said.js";
import { emailAddress, wholeNumber } from "./parsers.js";
import { type Expected, InvalidSetting, invalidSetting, serviceLinksHint } from "./setting.js";

/** Underscores are not allowed in host names, but container networks use them. */
const hostName =
  /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/i;

export function isHost(text: string): boolean {
  if (isIP(text.replace(/^\[(.*)\]$/, "$1"))) return true;
  // A last label of digits is a mistyped IPv4 address.
  return hostName.test(text) && !/(?:^|\.)\d+$/.test(text);
}

export function listenHost(text: string): string {
  if (text.startsWith("[") || !isHost(text))
    throw invalidSetting("an IP address (IPv6 without brackets) or a host name", text);
  return text;
}

const anyPort = wholeNumber([0, 65_535]);

/** Port 0 means any free port. */
export function listenPort(text: string): number {
  if (text.startsWith("tcp://")) throw new InvalidSetting(serviceLinksHint);
  return anyPort(text);
}

function webUrl(text: string, expected: Expected): URL {
  const url = /^https?:\/\/[^\s\\@?#]+$/i.test(text) ? URL.parse(text) : null;
  if (!url || !isHost(url.hostname)) throw invalidSetting(expected, text);
  return url;
}

/** Scheme, host and port: no path, because the service answers at the root of its host. */
export function origin(text: string): string {
  const expected = "http:// or https:// and a host, without path, query, fragment, username or password";
  const url = webUrl(text, expected);
  if (url.pathname !== "/") throw invalidSetting(expected, text);
  return url.origin;
}

export function corsOrigin(text: string): string {
  if (text === "*")
    throw new InvalidSetting("must list each origin: * would let every website act on behalf of its visitors");
  return origin(text);
}

/** The URL of another service, which may have a path. */
export function baseUrl(text: string): string {
  const url = webUrl(text, (shape) => say.problems.settingAddress(shape));
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

export interface TrustedIssuer {
  /** Which claims its tokens use. */
  kind: "github" | "gitlab";
  /** The exact `iss` of its tokens. */
  url: string;
}

/** Services that attest builds. Plain http proves nothing, so it is allowed only on this machine. */
export function trustedIssuers(text: string): TrustedIssuer[] {
  if (text.toLowerCase() === "none") return [];
  return text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((part) => {
      const expected = "`none`, or a list of github: or gitlab: each followed by an https:// address";
      const [, kind = "", address = ""] = /^(github|gitlab):(.+)$/.exec(part) ?? [];
      const url = address === "" ? "" : baseUrl(address);
      if (url === "" || (url.startsWith("http:") && !isLoopback(hostOf(url)))) throw invalidSetting(expected, part);
      return { kind: kind as TrustedIssuer["kind"], url };
    });
}

/** Pictures of other sites in descriptions: all, none, or those of these hosts, "*." for every host below a name. */
export type RemotePictures = "on" | "off" | readonly string[];

export function remotePictures(text: string): RemotePictures {
  const given = text.toLowerCase();
  if (given === "on" || given === "off") return given;
  return given
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((host) => {
      const [, name = "", port = ""] = /^(?:\*\.)?(\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(host) ?? [];
      if (!isHost(name) || Number(port) > 65_535)
        throw invalidSetting(
          (shape) => say.problems.settingPictureHosts("i.imgur.com, *.githubusercontent.com", shape),
          host,
        );
      return host;
    });
}

/** A host that packs may name for downloads. */
export function packHost(text: string): string {
  const host = text.toLowerCase();
  const [, name = "", port = ""] = /^([^:[\]*]+)(?::(\d{1,5}))?$/.exec(host) ?? [];
  if (!isHost(name) || Number(port) > 65_535)
    throw invalidSetting((shape) => say.problems.settingHosts("cdn.example.org", shape), text);
  return host;
}

/** A way to contact people, as a URI. */
export function contact(text: string): string {
  if (/^https:/i.test(text)) return baseUrl(text);
  const address = text.replace(/^mailto:/i, "");
  if (!/^[^:]+@/.test(address)) throw invalidSetting("a list of email addresses or https:// addresses", text);
  return `mailto:${emailAddress(address)}`;
}

/** Uses the parser of the code that reads the list, so that nothing passes here and fails there. */
export function proxy(text: string): string {
  if (text.endsWith("/0"))
    throw new InvalidSetting("would trust every client; give the address or the network of your proxy");
  try {
    parseTrustedProxies([text]);
    return text;
  } catch {
    throw invalidSetting(
      "a list of IP addresses, ranges such as 10.0.0.0/8, or loopback, linklocal, uniquelocal",
      text,
    );
  }
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

const internal = new BlockList();
for (const [net, bits] of [
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["169.254.0.0", 16],
  ["100.64.0.0", 10],
] as const) {
  internal.addSubnet(net, bits, "ipv4");
}
internal.addSubnet("fc00::", 7, "ipv6");
internal.addSubnet("fe80::", 10, "ipv6");

function isIn(list: BlockList, host: string): boolean {
  const version = isIP(host);
  return version !== 0 && list.check(host, version === 4 ? "ipv4" : "ipv6");
}

export const hostOf = (url: string) => new URL(url).hostname.replace(/^\[(.*)\]$/, "$1");

export const isLoopback = (host: string) => /^(?:.+\.)?localhost$/i.test(host) || isIn(loopback, host);

export const isWildcard = (host: string) => host === "0.0.0.0" || host === "::";

/** Whether traffic to this host crosses networks that the operator does not control. */
export function isPublic(host: string): boolean {
  if (isLoopback(host) || isWildcard(host) || isIn(internal, host)) return false;
  return isIP(host) !== 0 || (host.includes(".") && !/\.(?:local|internal|lan|home|test|home\.arpa)$/i.test(host));
}

/** Where the malware scanner listens. */
export type ScannerPlace = { readonly host: string; readonly port: number } | { readonly path: string };

/** As host:port, or as the absolute path of a Unix socket. */
export function scannerPlace(text: string): ScannerPlace {
  if (/^\/[^\s]{1,100}$/.test(text)) return { path: text };
  const [, host = "", port = ""] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  if (!isHost(host) || (host.includes(":") && !host.startsWith("[")) || Number(port) < 1 || Number(port) > 65_535)
    throw invalidSetting((shape) => say.problems.settingScanner(shape), text);
  return { host: host.replace(/^\[(.*)\]$/, "$1"), port: Number(port) };
}

/** The same as text. */
export const showScannerPlace = (place: ScannerPlace): string =>
  "path" in place ? place.path : `${place.host.includes(":") ? `[${place.host}]` : place.host}:${place.port}`;
